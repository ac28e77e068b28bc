// Every input in tests/fuzz/corpus/TARGET/ is one that a fuzzing program starts from, or that once broke a promise.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets/targets.hpp"

using namespace spillway;

TEST_CASE("Inputs of the corpus break no promise of their target", "[fuzz]") {
  std::size_t inputs = 0;
  for (const fuzzing::Target& target : fuzzing::targets()) {
    const std::filesystem::path folder = std::filesystem::path(SPILLWAY_SOURCE_DIR "/tests/fuzz/corpus") / target.name;
    REQUIRE(std::filesystem::is_directory(folder));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(in)), {});
      INFO(entry.path());
      target.run(bytes);  // ends the process where something breaks
      ++inputs;
    }
  }
  CHECK(inputs > 20);
}
