#include "sim/scenario/envoy/read_envoy_documents.hpp"

#include <utility>

#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/envoy/assemble.hpp"
#include "sim/scenario/envoy/documents.hpp"
#include "sim/scenario/envoy/protobuf_json.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/read_tree.hpp"

namespace spillway::scenario {
namespace {

// All files, or what kept some of them from being read.
Sources load_all(const std::vector<std::string>& paths, Diagnostics& problems) {
  Sources sources;
  for (const std::string& path : paths) {
    auto source = document::load_source(path, static_cast<std::uint32_t>(sources.size()), problems);
    sources.push_back(source ? std::move(*source) : SourceFile{path == "-" ? "<stdin>" : path, ""});
  }
  return sources;
}

std::vector<document::Node> parse_all(Sources& sources, Diagnostics& problems) {
  std::vector<document::Node> roots;
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    auto root = document::parse(sources, file, problems);
    if (!root) {
      continue;
    }
    if (root->kind != document::Kind::object) {
      problems.push_back(error("SP022", "expected an object, found " + std::string(document::describe_kind(root->kind)),
                               root->span, "expected an object"));
      continue;
    }
    roots.push_back(std::move(*root));
  }
  return roots;
}

void finish(Reading& reading, Scenario scenario) {
  sort_by_position(reading.diagnostics);
  if (!has_errors(reading.diagnostics)) {
    reading.scenario = std::move(scenario);
  }
}

void read_roots(Reading& reading, std::vector<document::Node>& roots, const EnvoyOptions& options) {
  envoy_documents::Documents documents;
  for (document::Node& root : roots) {
    envoy_documents::settle_protobuf_json(root);
    envoy_documents::collect(root, documents, reading.diagnostics);
  }
  Scenario scenario;
  if (!has_errors(reading.diagnostics) || !documents.clusters.empty()) {
    scenario = envoy_documents::assemble(documents, options.cluster, reading.diagnostics);
  }
  finish(reading, std::move(scenario));
}

Reading read_loaded(Sources sources, Diagnostics problems, const EnvoyOptions& options, bool scenario_allowed) {
  Reading reading;
  reading.sources = std::move(sources);
  reading.diagnostics = std::move(problems);
  if (has_errors(reading.diagnostics)) {
    return reading;
  }
  auto roots = parse_all(reading.sources, reading.diagnostics);
  const bool is_scenario = scenario_allowed && roots.size() == 1 && reading.sources.size() == 1 &&
                           envoy_documents::kind_of(roots.front()) == envoy_documents::Kind::scenario;
  if (is_scenario) {
    finish(reading, read_tree(roots.front(), reading.sources, reading.diagnostics));
  } else if (!has_errors(reading.diagnostics)) {
    read_roots(reading, roots, options);
  } else {
    sort_by_position(reading.diagnostics);
  }
  return reading;
}

}  // namespace

Reading read_envoy_documents(const std::vector<std::string>& paths, const EnvoyOptions& options) {
  Diagnostics problems;
  Sources sources = load_all(paths, problems);
  return read_loaded(std::move(sources), std::move(problems), options, false);
}

Reading read_envoy_texts(Sources sources, const EnvoyOptions& options) {
  return read_loaded(std::move(sources), {}, options, false);
}

Reading read_share_input(const std::vector<std::string>& paths, const EnvoyOptions& options) {
  Diagnostics problems;
  Sources sources = load_all(paths, problems);
  return read_loaded(std::move(sources), std::move(problems), options, true);
}

}  // namespace spillway::scenario
