// The files of a folder, for every command that takes one. A folder may be anybody's, or `/`: only regular files of its
// own file system are read (a pipe would never end, /proc and /dev are no documents), and not without bound.
//
//   const FolderFiles found = files_below("mesh", {.wanted = [](const fs::path& file) { return ...; }});
//   if (!found.problem.empty()) { ... }        // "more than 10,000 files"
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace spillway::documents {

struct FolderFiles {
  std::vector<std::string> files = {};  // sorted byte by byte
  std::string problem = {};             // why the folder is not read; empty: it is
};

struct FolderQuestion {
  // By its path; of folders, hidden ones are never entered.
  std::function<bool(const std::filesystem::path& file)> wanted;
  std::function<bool(const std::filesystem::path& folder)> entered = {};  // unset: every one
};

inline constexpr std::size_t most_files_of_folder = 10'000;
inline constexpr std::uintmax_t most_bytes_of_folder = std::uintmax_t{512} << 20U;
inline constexpr std::size_t most_entries_of_folder = 1'000'000;  // wanted or not

// To any depth. Links to folders are not followed: they may lead around in circles.
[[nodiscard]] FolderFiles files_below(const std::string& folder, const FolderQuestion& question);

}  // namespace spillway::documents
