#include "sim/scenario/files_beside.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/problem.hpp"

namespace spillway::scenario {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const SourceFile& scenario) {
  const std::size_t slash = scenario.name.find_last_of('/');
  return slash == std::string::npos ? std::string() : scenario.name.substr(0, slash + 1);
}

// Returns the real path; empty if it cannot be determined.
fs::path real_path(const std::string& path) {
  std::error_code failure;
  // Absolute, since a relative path of which nothing exists stays relative.
  fs::path real = fs::weakly_canonical(fs::absolute(path.empty() ? "." : path, failure), failure);
  return failure ? fs::path() : real;
}

}  // namespace

std::string path_beside(const SourceFile& scenario, const std::string& written) {
  return written.starts_with('/') ? written : folder_of(scenario) + written;
}

Shown shown_of(const SourceFile& scenario, const std::string& path) {
  const fs::path folder = real_path(folder_of(scenario));
  const fs::path file = real_path(path);
  const bool below = !folder.empty() && !file.empty() &&
                     std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  return below ? Shown::lines : Shown::codes;
}

namespace {
bool anywhere = false;
}  // namespace

bool may_be_read(const SourceFile& scenario, const std::string& path) {
  return anywhere || shown_of(scenario, path) == Shown::lines;
}

void allow_files_anywhere() {
  anywhere = true;
}

void hide_contents(const Sources& sources, Diagnostics& problems) {
  if (!has_errors(problems)) {
    return;
  }
  for (Diagnostic& problem : problems) {
    if (problem.where.file >= sources.size() || sources[problem.where.file].shown != Shown::codes) {
      continue;
    }
    const documents::DiagnosticCode* const code = documents::find_diagnostic_code(problem.code);
    problem.message = code == nullptr ? "a mistake" : code->title;
    problem.label = "not shown: the file is outside of the scenario's folder";
    problem.notes.clear();
    problem.helps = {"put the file below the scenario's folder to see what is wrong"};
  }
}

}  // namespace spillway::scenario
