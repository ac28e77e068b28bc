#include "models/envoy/proxy/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/documents/folder_files.hpp"
#include "models/documents/left_out.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/archive.hpp"

namespace spillway::proxy {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{512} << 20U;

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return text.ends_with(end); });
}

bool is_archive(std::string_view path) {
  return ends_with_any(path, {".tar.gz", ".tgz"});
}

// True if a file in a folder or an archive is read. A file named by the user is read whatever its name is.
bool may_be_read(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  return !name.starts_with('.') &&
         (ends_with_any(name, {".json", ".jsonc", ".yaml", ".yml", ".txt", ".log", ".prom"}) ||
          name.find('.') == std::string_view::npos);
}

class Loader {
 public:
  explicit Loader(Diagnostics& problems) : problems_(problems) {}

  void load(const std::string& path) {
    std::error_code error;
    named_ = true;
    if (path != "-" && fs::is_directory(path, error)) {
      load_folder(path);
    } else if (is_archive(path)) {
      load_archive(path);
    } else {
      load_file(path);
    }
  }

  Inputs take() { return std::move(inputs_); }

 private:
  void load_file(const std::string& path) {
    auto source = documents::load_source(path, static_cast<std::uint32_t>(inputs_.sources.size()), problems_,
                                         named_ ? documents::Reads::anything : documents::Reads::regular_files);
    std::string suggestion = source || !named_ ? std::string() : documents::suggestion_of_path(path);
    if (!suggestion.empty()) {
      problems_.back().helps.push_back(std::move(suggestion));
    }
    add(source ? *std::move(source) : SourceFile{path == "-" ? "<stdin>" : path, ""});
  }

  void load_folder(const std::string& folder) {
    const documents::FolderFiles found = documents::files_below(
        folder,
        {.wanted = [](const fs::path& file) { return may_be_read(file.string()) || is_archive(file.string()); }});
    const std::vector<std::string>& files = found.files;
    named_ = files.empty() || !found.problem.empty();
    if (named_) {
      refuse(folder, found.problem.empty() ? "no files in this folder may contain a configuration" : found.problem);
      return;
    }
    for (const std::string& file : files) {
      is_archive(file) ? load_archive(file) : load_file(file);
    }
  }

  void load_archive(const std::string& path) {
    auto bytes = documents::load_source(path, static_cast<std::uint32_t>(inputs_.sources.size()), problems_);
    if (!bytes) {
      add({path, ""});
      return;
    }
    std::string reason;
    auto files = files_of_archive(
        path, bytes->text,
        {.wanted = may_be_read, .most = most_bytes - total_, .most_files = documents::most_files_of_folder - unpacked_},
        reason);
    if (!files) {
      refuse(path, reason);
      return;
    }
    std::sort(files->begin(), files->end(), [](const auto& left, const auto& right) { return left.name < right.name; });
    named_ = false;
    unpacked_ += files->size();
    for (SourceFile& file : *files) {
      add(std::move(file));
    }
  }

  void add(SourceFile source) {
    total_ += source.text.size();
    if (total_ > most_bytes) {
      total_ -= source.text.size();
      refuse(source.name, "all files together are longer than 512 MiB");
      return;
    }
    const auto file = static_cast<std::uint32_t>(inputs_.sources.size());
    const std::vector<documents::LeftOut> parts = documents::leave_out_of_json(source.text);
    std::string all;
    for (const std::string& words : documents::in_words(parts)) {
      all += (all.empty() ? "" : "; ") + words;
    }
    if (!all.empty()) {
      problems_.warning("SP716", {file, parts.front().line, 1, 1}, "parts of a text that are not read", "{}", {all});
    }
    inputs_.sources.push_back(std::move(source));
    inputs_.named.push_back(named_);
  }

  void refuse(const std::string& path, const std::string& reason) {
    const Span nowhere{static_cast<std::uint32_t>(inputs_.sources.size()), 1, 1, 1};
    problems_.error("SP001", nowhere, "cannot read `{}`", "{}", {path, reason});
    inputs_.sources.push_back({path, ""});
    inputs_.named.push_back(named_);
  }

  Diagnostics& problems_;
  Inputs inputs_;
  bool named_ = true;
  std::size_t total_ = 0;
  std::size_t unpacked_ = 0;  // files of all archives
};

}  // namespace

Inputs load_inputs(const std::vector<std::string>& paths, Diagnostics& problems) {
  Loader loader(problems);
  for (const std::string& path : paths) {
    loader.load(path);
  }
  return loader.take();
}

}  // namespace spillway::proxy
