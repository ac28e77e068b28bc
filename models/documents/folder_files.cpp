#include "models/documents/folder_files.hpp"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"

namespace spillway::documents {

namespace {

namespace fs = std::filesystem;

class FolderWalk {
 public:
  FolderWalk(const std::string& folder, const FolderQuestion& question) : question_(question) {
    struct stat of_root{};
    if (stat(folder.c_str(), &of_root) == 0) {
      device_ = of_root.st_dev;
    }
    std::error_code error;
    fs::recursive_directory_iterator entries(folder, error);
    for (; !error && entries != fs::recursive_directory_iterator() && found_.problem.empty();
         entries.increment(error)) {
      look_at(entries);
    }
    if (error && found_.problem.empty()) {
      found_.problem = error.message();
    }
    std::sort(found_.files.begin(), found_.files.end());
  }

  FolderFiles take() { return std::move(found_); }

 private:
  void look_at(fs::recursive_directory_iterator& entries) {
    const fs::path& path = entries->path();
    if (++entries_ > most_entries_of_folder) {
      found_.problem = "more than 1,000,000 files and folders";
      return;
    }
    struct stat status{};
    if (lstat(path.c_str(), &status) != 0) {
      return;  // removed in the meantime
    }
    if (S_ISDIR(status.st_mode)) {
      const bool enters = !path.filename().string().starts_with('.') && (!question_.entered || question_.entered(path));
      if (!enters) {
        entries.disable_recursion_pending();
      } else if (status.st_dev != device_) {
        found_.problem = in_ticks(path.string()) + " in it is on another file system; name that folder by itself";
      }
      return;
    }
    const bool is_link = S_ISLNK(status.st_mode);
    if ((is_link && stat(path.c_str(), &status) != 0) || !S_ISREG(status.st_mode) || !question_.wanted(path)) {
      return;
    }
    bytes_ += static_cast<std::uintmax_t>(status.st_size);
    found_.files.push_back(path.string());
    if (found_.files.size() > most_files_of_folder) {
      found_.problem = "more than 10,000 files to read; name fewer, or a folder of fewer";
    } else if (bytes_ > most_bytes_of_folder) {
      found_.problem = "more than 512 MiB to read; name fewer files, or a smaller folder";
    }
  }

  const FolderQuestion& question_;
  FolderFiles found_;
  dev_t device_ = 0;
  std::size_t entries_ = 0;
  std::uintmax_t bytes_ = 0;
};

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

FolderFiles files_below(const std::string& folder, const FolderQuestion& question) {
  return FolderWalk(folder, question).take();
}

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
