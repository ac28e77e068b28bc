#include "cli/input.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/terminal.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/folder_files.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/numeric/stable_sort.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/releases.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/sweep/side.hpp"

namespace spillway::cli {

namespace {

bool is_ignored_kind(const Diagnostic& problem) {
  return problem.severity == Severity::warning && problem.code == "SP650";
}

// Returns the kind in "`Deployment` is ignored".
std::string kind_in(const std::string& message) {
  const std::size_t begin = message.find('`');
  const std::size_t end = begin == std::string::npos ? begin : message.find('`', begin + 1);
  return end == std::string::npos ? message : message.substr(begin + 1, end - begin - 1);
}

// Joins the warnings of ignored kinds (SP650) into one that counts them: "28 documents are ignored: Deployment (13),
// ...". Others stay as they are.
Diagnostics with_ignored_kinds_together(Diagnostics problems) {
  const auto first = std::find_if(problems.begin(), problems.end(), is_ignored_kind);
  const auto count = std::count_if(problems.begin(), problems.end(), is_ignored_kind);
  if (count < 2) {
    return problems;
  }
  std::map<std::string, std::size_t> kinds;
  std::vector<std::string> reasons;
  for (const Diagnostic& problem : problems) {
    if (is_ignored_kind(problem)) {
      ++kinds[kind_in(problem.message)];
      if (std::find(reasons.begin(), reasons.end(), problem.label) == reasons.end()) {
        reasons.push_back(problem.label);
      }
    }
  }
  std::string names;
  for (const auto& [kind, times] : kinds) {
    names += (names.empty() ? "" : ", ") + kind + (times > 1 ? fmt::format(" ({})", times) : "");
  }
  first->message = fmt::format("{} documents are ignored: {}", count, names);
  first->label = reasons.front();
  reasons.erase(reasons.begin());
  first->notes.insert(first->notes.end(), reasons.begin(), reasons.end());
  const auto rest = std::next(first);
  problems.erase(std::remove_if(rest, problems.end(), is_ignored_kind), problems.end());
  return problems;
}

// Moves errors behind warnings, so that they remain visible on the screen. The order within each stays.
void put_errors_last(Diagnostics& problems) {
  numeric::stable_sort(problems, [](const Diagnostic& left, const Diagnostic& right) {
    return left.severity != Severity::error && right.severity == Severity::error;
  });
}

// Returns "mesh.yaml:12:3: error[SP104]: unknown zone `zone-4`: no zone of this name", a line each.
std::string short_lines(const Diagnostics& problems, const Sources& sources) {
  std::string text;
  for (const Diagnostic& problem : problems) {
    const bool placed = problem.where.file < sources.size() && !sources[problem.where.file].name.empty();
    text += placed
                ? fmt::format("{}:{}:{}: ", sources[problem.where.file].name, problem.where.line, problem.where.column)
                : "";
    text += fmt::format("{}[{}]: {}{}\n", problem.severity == Severity::error ? "error" : "warning", problem.code,
                        problem.message, problem.label.empty() ? "" : ": " + problem.label);
  }
  return text;
}

namespace fs = std::filesystem;

bool may_be_scenario(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".yaml" || ending == ".yml" || ending == ".json" || ending == ".jsonc";
}

UsageProblem not_readable(const std::string& path, const std::string& why) {
  return {"SP906", fmt::format("cannot read `{}`: {}", reports::printable(path), why),
          reports::printable(documents::suggestion_of_path(path))};
}

std::variant<std::vector<std::string>, UsageProblem> scenarios_below(const std::string& folder) {
  documents::FolderFiles found = documents::files_below(
      folder,
      {.wanted =
           [](const fs::path& file) { return may_be_scenario(file) && !file.filename().string().starts_with('.'); },
       .entered = [](const fs::path& below) { return below.filename() != "schema"; }});
  if (!found.problem.empty()) {
    return not_readable(folder, reports::printable(found.problem));
  }
  std::vector<std::string>& files = found.files;
  if (files.empty()) {
    return UsageProblem{"SP907", fmt::format("no scenarios in `{}`", reports::printable(folder)),
                        "scenario files end in .yaml, .yml, .json or .jsonc"};
  }
  return std::move(files);
}

}  // namespace

std::variant<std::vector<std::string>, UsageProblem> find_scenarios(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (path == "-" || (fs::exists(status) && !fs::is_directory(status))) {
      files.push_back(path);
      continue;
    }
    if (!fs::is_directory(status)) {
      return not_readable(path, error ? error.message() : "No such file or directory");
    }
    auto found = scenarios_below(path);
    if (const auto* problem = std::get_if<UsageProblem>(&found)) {
      return *problem;
    }
    const auto& below = std::get<std::vector<std::string>>(found);
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

namespace {

// Finds a folder that comes with spillway, as installed or in its source tree, recognized by an entry in it.
std::optional<std::string> folder_of_the_house(const char* name, const char* known_by) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  constexpr int levels = 4;  // <house>/build/<preset>/cli/spillway
  fs::path folder = program.parent_path();
  for (int level = 0; !error && level < levels; ++level, folder = folder.parent_path()) {
    for (const fs::path& place : {fs::path("share/spillway") / name, fs::path(name)}) {
      if (fs::exists(folder / place / known_by, error)) {
        return (folder / place).lexically_normal().string();
      }
      error.clear();
    }
  }
  if (fs::exists(fs::path(name) / known_by, error)) {
    return name;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> scenarios_of_the_house() {
  return folder_of_the_house("scenarios", "documented");
}

std::optional<std::string> docs_of_the_house() {
  return folder_of_the_house("docs", "tutorial.md");
}

void say_diagnostics(const scenario::Reading& reading, const Arguments& arguments, bool warnings) {
  Diagnostics shown;
  std::copy_if(reading.diagnostics.begin(), reading.diagnostics.end(), std::back_inserter(shown),
               [&](const Diagnostic& diagnostic) {
                 return (warnings && !arguments.quiet) || diagnostic.severity == Severity::error;
               });
  shown = with_ignored_kinds_together(std::move(shown));
  if (is_terminal(Stream::error)) {
    put_errors_last(shown);
  }
  if (arguments.pasted.short_diagnostics) {
    say(documents::printable_lines(short_lines(shown, reading.sources)));
    return;
  }
  documents::RenderOptions options;
  options.color = colors(Stream::error, arguments.color);
  say(documents::render_diagnostics(shown, reading.sources, options));
}

void use_profile(scenario::Reading& reading, const Arguments& arguments) {
  if (!reading.scenario || !arguments.profile || reading.scenario->profile.envoy == *arguments.profile) {
    return;
  }
  if (reading.scenario->profile.envoy != config::EnvoyProfile::current) {
    reading.diagnostics.error("SP905", Span{}, "`--profile` and a scenario's own profile are mutually exclusive",
                              "the scenario has `envoy: {}`", {reports::name_of(reading.scenario->profile.envoy)});
    reading.scenario.reset();
    return;
  }
  scenario::use_release(*reading.scenario, *arguments.profile);
}

namespace {

// Prints warnings of many files: each kind once in full, then only its other positions.
class WarningsOnce {
 public:
  explicit WarningsOnce(const Arguments& arguments) : arguments_(arguments) {}

  void say_of(const scenario::Reading& reading) {
    scenario::Reading in_full{std::nullopt, {}, reading.sources};
    for (const Diagnostic& diagnostic : reading.diagnostics) {
      const bool known = diagnostic.severity == Severity::warning && places_.contains(diagnostic.code);
      if (known) {
        places_[diagnostic.code].push_back(place_of(diagnostic, reading.sources));
        continue;
      }
      if (diagnostic.severity == Severity::warning) {
        places_[diagnostic.code] = {};
      }
      in_full.diagnostics.push_back(diagnostic);
    }
    say_diagnostics(in_full, arguments_);
  }

  void say_places() const {
    constexpr std::size_t most = 8;
    for (const auto& [code, places] : places_) {
      if (places.empty() || arguments_.quiet) {
        continue;
      }
      const std::size_t shown = std::min(places.size(), most);
      std::vector<std::string> named(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown));
      std::string text = reports::joined(named, ", ");
      if (shown < places.size()) {
        text += fmt::format(" and {} more", places.size() - shown);
      }
      say(fmt::format("warning[{}]: {} more like it: {}\n", code, places.size(), text));
    }
  }

 private:
  static std::string place_of(const Diagnostic& diagnostic, const Sources& sources) {
    const auto& where = diagnostic.where;
    const std::string file = where.file < sources.size() ? sources[where.file].name : "";
    return fmt::format("{}:{}:{}", reports::printable(file), where.line, where.column);
  }

  const Arguments& arguments_;
  std::map<std::string, std::vector<std::string>> places_;  // by code: all after the first
};

}  // namespace

std::optional<std::vector<scenario::Reading>> read_all(const std::vector<std::string>& files,
                                                       const Arguments& arguments) {
  std::vector<scenario::Reading> readings;
  bool all_read = true;
  WarningsOnce once(arguments);
  for (const std::string& file : files) {
    readings.push_back(scenario::read_scenario_file(file));
    use_profile(readings.back(), arguments);
    once.say_of(readings.back());
    if (arguments.github) {
      say(reports::github_annotations(readings.back().diagnostics, readings.back().sources));
    }
    all_read = all_read && readings.back().scenario.has_value();
  }
  if (!all_read) {
    return std::nullopt;
  }
  once.say_places();
  return readings;
}

scenario::Reading read_set_scenario(const Arguments& arguments) {
  const std::string& path = arguments.paths.front();
  return arguments.settings.empty() ? scenario::read_scenario_file(path)
                                    : sweep::read_with_settings(path, arguments.settings);
}

std::variant<scenario::ScenarioTemplate, scenario::Reading> set_template(const Arguments& arguments) {
  const std::string& path = arguments.paths.front();
  if (arguments.settings.empty()) {
    return scenario::ScenarioTemplate(path);
  }
  return sweep::template_with_settings(path, arguments.settings);
}

UsageProblem set_beside_documents() {
  return {"SP905", "`--set` does not apply to documents of a proxy", "`spillway import` turns them into a scenario"};
}

std::string first_error(const Diagnostics& problems) {
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [](const Diagnostic& problem) { return problem.severity == Severity::error; });
  return found == problems.end() ? "" : found->code + ": " + found->message;
}

}  // namespace spillway::cli
