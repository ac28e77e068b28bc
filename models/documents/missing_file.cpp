#include "models/documents/missing_file.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"

namespace spillway::documents {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  constexpr std::size_t most = 1'000;
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entries(folder.empty() ? fs::path(".") : folder, error);
  while (!error && entries != fs::directory_iterator() && names.size() < most) {
    names.push_back(entries->path().filename().string());
    entries.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Finds a similar name in the folder: `failover` or `failover.yml` for failover.yaml, and typing errors. Empty if there
// is none.
std::string meant_file(const fs::path& path) {
  const std::vector<std::string> names = names_in(path.parent_path());
  const std::string wanted = path.filename().string();
  const auto other_ending = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    const std::string ending = fs::path(name).extension().string();
    const bool readable = ending == ".yaml" || ending == ".yml" || ending == ".json" || ending == ".jsonc";
    return readable && (fs::path(name).stem() == wanted || fs::path(name).stem() == path.stem());
  });
  return other_ending != names.end() ? *other_ending : grammar::nearest(wanted, names);
}

}  // namespace

std::string suggestion_of_path(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return "it is a folder: `spillway check` and `spillway validate` read those";
  }
  if (fs::exists(path, error) || path == "-") {
    return {};
  }
  if (path.find("://") != std::string::npos) {
    return "only files are read; `curl URL | spillway COMMAND -` reads from a URL";
  }
  if (path.starts_with('~')) {
    return "a shell replaces `~` only outside quotes";
  }
  const std::string meant = meant_file(path);
  return meant.empty() ? std::string()
                       : "did you mean " + in_ticks((fs::path(path).parent_path() / meant).string()) + "?";
}

}  // namespace spillway::documents
