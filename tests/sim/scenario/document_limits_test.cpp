// Input that wants to be too much: answered at once, with a code and a place.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "models/config/outlier_detection.hpp"
#include "models/documents/parse.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

constexpr std::size_t ten_megabytes = 10'000'000;

std::string repeated(const std::string& part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text += part;
  }
  return text;
}

// The code of the refusal, which must come fast.
std::string code_of(const std::string& name, const std::string& text) {
  // Processor time, since another test may have the machine for a while; sanitizers take ten times as long.
  const std::clock_t start = std::clock();
  const Reading reading = read_scenario_text(name, text);
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
#ifdef NDEBUG
  CHECK(took < 5.0);
#else
  CHECK(took < 50.0);
#endif
  REQUIRE_FALSE(reading.scenario.has_value());
  REQUIRE_FALSE(reading.diagnostics.empty());
  return reading.diagnostics.front().code;
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "spillway-XXXXXX") {
    std::string name = path_.string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("Ten megabytes of brackets are refused at once in either syntax", "[document][limits]") {
  CHECK(code_of("x.json", repeated("[", ten_megabytes)) == "SP008");
  CHECK(code_of("x.yaml", repeated("[", ten_megabytes)) == "SP008");
  CHECK(code_of("x.json", repeated("{\"a\":", ten_megabytes)) == "SP008");
  CHECK(code_of("x.yaml", repeated("{\"a\":", ten_megabytes)) == "SP008");
  CHECK(code_of("x.yaml", repeated("{", ten_megabytes)) == "SP008");
  CHECK(code_of("x.json", repeated("{", ten_megabytes)) == "SP006");
  CHECK(code_of("x.json", repeated("[]", ten_megabytes)) == "SP006");
  CHECK(code_of("x.yaml", repeated("[]", ten_megabytes)) == "SP009");
  CHECK(code_of("x.yaml", repeated("[],", ten_megabytes)) == "SP009");
  CHECK(code_of("x.yaml", repeated("- ", ten_megabytes)) == "SP008");
  CHECK(code_of("x.yaml", repeated("? ", ten_megabytes)) == "SP009");
}

TEST_CASE("A megabyte of one character is refused or read at once", "[document][limits]") {
  for (const char* part :
       {"\"", "'", "a", " ", "\n", "\t", "#", "&", "*", "!", "|", ">", "%", "@", "\\", "}", "]", ","}) {
    INFO(part);
    CHECK_FALSE(code_of("x.yaml", repeated(part, ten_megabytes / 10)).empty());
    CHECK_FALSE(code_of("x.json", repeated(part, ten_megabytes / 10)).empty());
  }
}

TEST_CASE("Values nest 128 levels deep and no deeper", "[document][limits]") {
  for (const char* name : {"x.json", "x.yaml"}) {
    for (const std::size_t depth : {std::size_t{128}, std::size_t{129}}) {
      Sources sources = {{name, std::string(depth, '[') + std::string(depth, ']')}};
      Diagnostics problems;
      CHECK(documents::parse(sources, 0, problems).has_value() == (depth == 128));
      CHECK(problems.size() == (depth == 128 ? 0U : 1U));
      if (depth == 129) {
        CHECK(problems.at(0).code == "SP008");
        CHECK(problems.at(0).where.column == 129);
      }
    }
  }
}

TEST_CASE("Aliases that multiply are refused before they fill the memory", "[document][limits]") {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias + "," + alias + "," + alias + "," +
            alias + "," + alias + "," + alias + "," + alias + "," + alias + "," + alias + "]\n";
  }
  CHECK(code_of("x.yaml", text) == "SP009");
}

TEST_CASE("Values beyond the limit of two million are refused", "[document][limits][unsanitized]") {
  CHECK(code_of("x.json", "[" + repeated("1,", 4'200'000) + "1]") == "SP009");
}

TEST_CASE("What cannot be read is refused with the system's word for it", "[document][limits]") {
  const TemporaryFolder folder;
  const auto refusal = [](const std::string& path) {
    const Reading reading = read_scenario_file(path);
    REQUIRE(reading.diagnostics.size() == 1);
    REQUIRE(reading.sources.size() == 1);
    CHECK(reading.sources[0].name == path);
    CHECK_FALSE(reading.scenario.has_value());
    return reading.diagnostics[0];
  };
  CHECK(refusal(folder.file("absent.yaml")).code == "SP001");
  CHECK(refusal(folder.file("absent.yaml")).label == "No such file or directory");
  CHECK(refusal(folder.file("")).code == "SP001");
  CHECK(refusal(folder.file("")).label == "Is a directory");
  CHECK(refusal("/dev/zero").code == "SP002");
  CHECK(refusal("/dev/null").code == "SP003");
}

TEST_CASE("A text above 64 MiB is refused as a file is", "[document][limits]") {
  CHECK(code_of("x.yaml", std::string(documents::max_bytes + 1, ' ')) == "SP002");
}
