#include "tests/metamorphic/worlds.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "models/documents/node_json.hpp"
#include "models/documents/parse.hpp"

namespace spillway::metamorphic {

namespace {

Json parsed_file(const std::string& path) {
  Diagnostics problems;
  Sources sources;
  std::optional<SourceFile> source = documents::load_source(path, 0, problems);
  if (source) {
    sources.push_back(std::move(*source));
    if (const auto node = documents::parse(sources, 0, problems)) {
      return documents::json_of(*node);
    }
  }
  throw std::runtime_error("cannot read " + path);
}

// False for a control plane's and for those that read other files, which a changed copy has no folder for.
bool stands_alone(const Json& scenario) {
  const bool reads_files = scenario.dump().find("\"trace\":") != std::string::npos;
  return scenario.contains("clients") && !scenario.contains("control_plane") && !reads_files;
}

std::vector<CommittedWorld> read_committed_worlds() {
  namespace fs = std::filesystem;
  const fs::path root = SPILLWAY_SOURCE_DIR;
  std::vector<CommittedWorld> worlds;
  for (const auto& entry : fs::recursive_directory_iterator(root / "scenarios")) {
    if (entry.path().extension() == ".yaml") {
      Json scenario = parsed_file(entry.path().string());
      for (const char* words : {"$schema", "description", "source", "expect", "objectives", "failures", "sweep"}) {
        scenario.erase(words);
      }
      if (stands_alone(scenario)) {
        worlds.push_back({fs::relative(entry.path(), root).generic_string(), std::move(scenario)});
      }
    }
  }
  std::ranges::sort(worlds, {}, &CommittedWorld::file);
  return worlds;
}

}  // namespace

Json drawn_world(std::uint64_t number) {
  const Dice dice(number);
  switch (number % 5) {
    case 3:
      return kuma_world(dice);
    case 4:
      return istio_world(dice);
    default:
      return native_world(dice);
  }
}

const std::vector<CommittedWorld>& committed_worlds() {
  static const std::vector<CommittedWorld> worlds = read_committed_worlds();
  return worlds;
}

}  // namespace spillway::metamorphic
