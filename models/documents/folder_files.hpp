// Lists the files of a folder, which may be untrusted or `/`: only regular files (a pipe would never end), on one file
// system (/proc and /dev contain no documents), and with limits on number and size.
//
//   const FolderFiles found = files_below("mesh", {.wanted = [](const fs::path& file) { return ...; }});
//   if (!found.problem.empty()) { ... }        // "more than 10,000 files"
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace spillway::documents {

struct FolderFiles {
  std::vector<std::string> files = {};  // sorted byte by byte
  std::string problem = {};             // why the folder cannot be read; empty on success
};

struct FolderQuestion {
  // True if the file of this path is wanted. Hidden folders are never entered.
  std::function<bool(const std::filesystem::path& file)> wanted;
  std::function<bool(const std::filesystem::path& folder)> entered = {};  // optional; true to enter
};

inline constexpr std::size_t most_files_of_folder = 10'000;
inline constexpr std::uintmax_t most_bytes_of_folder = std::uintmax_t{512} << 20U;
inline constexpr std::size_t most_entries_of_folder = 1'000'000;  // including unwanted files

// Lists files at any depth. Links to folders are not followed, because they may form cycles.
[[nodiscard]] FolderFiles files_below(const std::string& folder, const FolderQuestion& question);

// Advice on an unreadable file that the user named: a similar name, or the command that reads folders. Names that a
// scenario gives get no advice, because a scenario must not reveal the files next to it.

// Returns the advice in words; empty if nothing is known. Reads at most a thousand names of the path's folder.
[[nodiscard]] std::string suggestion_of_path(const std::string& path);

}  // namespace spillway::documents
