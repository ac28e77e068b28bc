#include "sim/scenario/read_scenario.hpp"

#include <utility>
#include <vector>

#include "models/documents/folder_files.hpp"
#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/overlay.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "sim/scenario/binding/istio/mesh_reading.hpp"
#include "sim/scenario/binding/limits.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/pasted/short_names.hpp"
#include "sim/scenario/read_tree.hpp"
#include "sim/scenario/releases.hpp"
#include "sim/scenario/structure.hpp"

namespace spillway::scenario {
namespace {

// Returns the stem: "scenarios/failover.yaml" -> "failover".
std::string stem(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

// Returns SP149 if a file of several YAML documents begins with a foreign one, such as policies of a mesh: having
// several documents is then not the error.
std::optional<Diagnostic> first_of_several_is_foreign(Sources& sources) {
  Diagnostics ignored;
  const auto documents = documents::parse_documents(sources, 0, ignored);
  if (!documents || documents->items.size() < 2) {
    return std::nullopt;
  }
  const documents::Node& first = documents->items.front();
  const auto other = proxy::recognise_no_scenario(first);
  return other ? std::optional(proxy::foreign_document(*other, first.span)) : std::nullopt;
}

Reading read(Sources sources) {
  Reading reading;
  reading.sources = std::move(sources);
  auto root = documents::parse(reading.sources, 0, reading.diagnostics);
  const auto other = root ? proxy::recognise_no_scenario(*root) : std::nullopt;
  if (!root && reading.diagnostics.back().code == "SP013") {
    if (auto foreign = first_of_several_is_foreign(reading.sources)) {
      reading.diagnostics = {*std::move(foreign)};
    }
  } else if (other) {
    reading.diagnostics.push_back(proxy::foreign_document(*other, root->span));
  } else if (root) {
    grammar::settle_messages_of_scenario(*root);
    Scenario scenario = read_tree(*root, reading.sources, reading.diagnostics);
    if (!has_errors(reading.diagnostics)) {
      reading.scenario = std::move(scenario);
    }
  }
  sort_by_position(reading.diagnostics);
  return reading;
}

Diagnostics since(const Diagnostics& problems, std::size_t from) {
  return {problems.begin() + static_cast<std::ptrdiff_t>(from), problems.end()};
}

// Completes a scenario after its meaning was read, in whole or in part.
void finish(const messages::Scenario& file, const messages::PlacesOfViews& views, Sources& sources,
            Diagnostics& problems, Scenario& scenario) {
  lints::warn_of_settings(file, views, scenario, problems);
  hide_contents(sources, problems);
  if (documents::laid_over(sources.front().name) != nullptr) {
    pasted::shorten_names(scenario);
  }
  if (scenario.name.empty()) {
    scenario.name = stem(sources.front().name);
  }
}

}  // namespace

bool read_structure(const documents::Node& root, messages::Scenario& file, Diagnostics& problems) {
  return grammar::Record<messages::Scenario>{}.read(root, file, "the scenario", problems);
}

Scenario read_meaning(const messages::Scenario& file, Sources& sources, const std::vector<Change>& further,
                      Diagnostics& problems, messages::PlacesOfViews* views, istio_binding::ViewCache* cache,
                      istio_binding::MeshReading* left) {
  binding::Header header = binding::read_header(file, sources, problems);
  if (file.control_plane.present) {
    return binding::read_control_plane(std::move(header));
  }
  binding::Topology topology = binding::read_topology(std::move(header));
  binding::Services services = binding::read_services(std::move(topology));
  binding::KumaServices of_kuma = binding::read_kuma_services(std::move(services));
  if (left != nullptr) {
    left->before = problems;
  }
  binding::MeshServices mesh_services = binding::read_istio_services(std::move(of_kuma));
  const std::size_t of_documents = problems.size();
  binding::Endpoints endpoints = binding::read_endpoints(std::move(mesh_services));
  binding::Clusters clusters = binding::read_clusters(std::move(endpoints));
  binding::Routes routes = binding::read_routes(std::move(clusters));
  binding::Clients clients = binding::read_clients(std::move(routes));
  binding::Timeline timeline = binding::read_timeline(std::move(clients), further);
  binding::refuse_large_clusters(file, timeline.scenario, problems);
  binding::KumaClients led_by_kuma = binding::lead_kuma_clients(std::move(timeline));
  if (left != nullptr) {
    left->between = since(problems, of_documents);
    left->unled = led_by_kuma.scenario;
  }
  binding::MeshClients led = binding::lead_istio_clients(std::move(led_by_kuma), cache, left);
  const std::size_t of_clients = problems.size();
  binding::read_expectations(led);
  binding::read_planning(led);
  if (left != nullptr) {
    left->after = since(problems, of_clients);
    left->led = led.scenario;
    left->mesh = std::move(led.istio);
  }
  use_release(led.scenario, led.scenario.profile.envoy);
  if (views != nullptr) {
    *views = std::move(led.setting_places);
  }
  return std::move(led.scenario);
}

Scenario read_tree(documents::Node& root, Sources& sources, Diagnostics& problems) {
  take_named_documents(root, sources, problems);
  messages::Scenario written;
  if (!read_structure(root, written, problems)) {
    hide_contents(sources, problems);
    return {};
  }
  return read_written(written, sources, problems);
}

Scenario read_written(const messages::Scenario& file, Sources& sources, Diagnostics& problems,
                      istio_binding::ViewCache* cache, istio_binding::MeshReading* left) {
  messages::PlacesOfViews views;
  Scenario scenario = read_meaning(file, sources, {}, problems, &views, cache, left);
  finish(file, views, sources, problems, scenario);
  return scenario;
}

std::optional<Scenario> read_with_rules(const istio_binding::MeshReading& former, const messages::Scenario& file,
                                        const std::vector<const messages::IstioDocument*>& rules, Sources& sources,
                                        Diagnostics& problems, istio_binding::ViewCache* cache) {
  messages::PlacesOfViews views;
  auto scenario = read_changed_rules(former, file, rules, sources, problems, views, cache);
  if (scenario) {
    use_release(*scenario, scenario->profile.envoy);
    finish(file, views, sources, problems, *scenario);
  }
  return scenario;
}

Reading read_scenario_file(const std::string& path) {
  Diagnostics problems;
  auto source = documents::load_source(path, 0, problems);
  if (!source) {
    if (std::string suggestion = documents::suggestion_of_path(path); !suggestion.empty()) {
      problems.back().helps.push_back(std::move(suggestion));
    }
    return {std::nullopt, std::move(problems), {SourceFile{path == "-" ? "<stdin>" : path, ""}}};
  }
  return read({std::move(*source)});
}

Reading read_scenario_text(std::string name, std::string text) {
  if (text.size() > documents::max_bytes) {
    Diagnostics problems = {error("SP002", Span{}, "`{}` is too large", "longer than 64 MiB", {name})};
    return {std::nullopt, std::move(problems), {SourceFile{std::move(name), ""}}};
  }
  return read({SourceFile{std::move(name), std::move(text)}});
}

}  // namespace spillway::scenario
