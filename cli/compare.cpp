#include "sim/compare/compare.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "reports/compare/compare_report.hpp"
#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/envoy/read_envoy_documents.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

// The configuration, read once for each cluster that is asked for.
class Configuration {
 public:
  explicit Configuration(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      auto source = scenario::document::load_source(path, static_cast<std::uint32_t>(sources_.size()), problems_);
      sources_.push_back(source ? std::move(*source) : scenario::SourceFile{path, ""});
    }
  }

  [[nodiscard]] const scenario::Diagnostics& problems() const noexcept { return problems_; }
  [[nodiscard]] const scenario::Sources& sources() const noexcept { return sources_; }

  [[nodiscard]] scenario::Reading read(const std::string& cluster) const {
    return scenario::read_envoy_texts(sources_, {.cluster = cluster});
  }

 private:
  scenario::Sources sources_;
  scenario::Diagnostics problems_;
};

// Of the observed clusters those that the configuration has.
std::vector<std::string> names_of(const ObservedFiles& files, const Arguments& arguments) {
  std::vector<std::string> names;
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second && (!arguments.cluster || *arguments.cluster == name)) {
      names.push_back(name);
    }
  };
  if (files.clusters_after) {
    for (const observed::Cluster& cluster : files.clusters_after->clusters) {
      add(cluster.name);
    }
  }
  if (names.empty() && arguments.cluster) {
    names.push_back(*arguments.cluster);
  }
  return names;
}

bool is_unknown_cluster(const scenario::Reading& reading) {
  return !reading.scenario && std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                                          [](const auto& problem) { return problem.code == "SP103"; });
}

std::string why_not(const scenario::Reading& reading) {
  for (const scenario::Diagnostic& problem : reading.diagnostics) {
    if (problem.severity == scenario::Severity::error) {
      return problem.code + ": " + problem.message;
    }
  }
  return "";
}

}  // namespace

CommandResult compare_command(const Arguments& arguments) {
  const ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  const Configuration configuration(arguments.paths);
  say_diagnostics({std::nullopt, configuration.problems(), configuration.sources()}, arguments);
  if (scenario::has_errors(files.diagnostics) || scenario::has_errors(configuration.problems())) {
    return {"", ExitCode::bad_input};
  }
  compare::Input input{.observed = files.view()};
  for (const std::string& name : names_of(files, arguments)) {
    if (!is_unknown_cluster(configuration.read(name))) {
      input.names.push_back(name);
    }
  }
  input.read = [&](const std::string& name) {
    scenario::Reading reading = configuration.read(name);
    return compare::ClusterReading{std::move(reading.scenario), why_not(reading)};
  };
  const compare::Comparison comparison = compare::compare(input);
  return {reports::format_comparison(comparison, arguments.format, look_of_output(arguments)),
          comparison.agrees() ? ExitCode::well : ExitCode::expectation_failed};
}

}  // namespace spillway::cli
