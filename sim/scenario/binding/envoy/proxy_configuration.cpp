#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/described_routes.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "models/envoy/proxy/inputs.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/plain_texts.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/tally.hpp"
#include "models/envoy/proxy/unwrap.hpp"
#include "sim/scenario/binding/envoy/assemble.hpp"
#include "sim/scenario/binding/envoy/requests.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/read_tree.hpp"

namespace spillway::scenario {
namespace {

using proxy::Documents;
using proxy::Index;

// Removes the members of these keys, in either spelling, and counts them.
void leave_out(documents::Node& node, const std::set<std::string>& keys, std::map<std::string, std::size_t>& counts) {
  std::erase_if(node.members, [&](const documents::Member& member) {
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const std::string& key) {
      return member.key == key || member.key == grammar::lower_camel_case(key);
    });
    if (found != keys.end()) {
      ++counts[*found];
    }
    return found != keys.end();
  });
  for (documents::Member& member : node.members) {
    leave_out(member.value, keys, counts);
  }
  for (documents::Node& item : node.items) {
    leave_out(item, keys, counts);
  }
}

// Returns the options that are given, which concern Envoy's documents only.
std::vector<std::string> options_given(const proxy::EnvoyOptions& options) {
  std::vector<std::string> given;
  for (const auto& [name, is_given] : {std::pair("--cluster", !options.cluster.empty()),
                                       {"the described request", options.request.has_value()},
                                       {"--resolve", !options.resolve.empty()},
                                       {"--without", !options.without.empty()}}) {
    if (is_given) {
      given.emplace_back(name);
    }
  }
  return given;
}

// Adds the texts of all `address` keys.
void add_addresses(const documents::Node& node, std::set<std::string>& names) {
  for (const documents::Member& member : node.members) {
    if (member.key == "address" && member.value.kind == documents::Kind::string) {
      names.insert(member.value.text);
    }
    add_addresses(member.value, names);
  }
  for (const documents::Node& item : node.items) {
    add_addresses(item, names);
  }
}

std::vector<const documents::Node*> nodes_of(const std::vector<proxy::Resource>& resources) {
  std::vector<const documents::Node*> nodes;
  for (const proxy::Resource& resource : resources) {
    nodes.push_back(resource.node);
  }
  return nodes;
}

// Reduces errors to warnings that do not prevent reading, once something else could be read.
void warn_only(Diagnostic& problem, bool named) {
  const bool about_the_document = problem.code == "SP134" || problem.code == "SP149";
  const bool about_the_file = !named && (problem.code < "SP020" || problem.code == "SP022");
  if (about_the_document || about_the_file) {
    problem.severity = Severity::warning;
  }
}

}  // namespace

struct ProxyConfiguration::State {
  Sources sources = {};
  Diagnostics diagnostics = {};
  proxy::EnvoyOptions options = {};
  proxy::Trees trees = {};
  Documents documents = {};
  std::optional<Index> index = {};
  std::vector<std::uint32_t> others = {};
  std::vector<std::string> left_out = {};  // by --without, in words
  std::vector<bool> named = {};
  std::optional<documents::Node> scenario = {};  // the tree of the only file, if it is one

  void read() {
    documents.checked = options.checked;
    const std::size_t files = sources.size();
    for (std::uint32_t file = 0; file < files; ++file) {
      if (sources[file].text.empty() && has_errors(diagnostics)) {
        continue;
      }
      if (proxy::is_plain_text(sources[file])) {
        others.push_back(file);
        continue;
      }
      read_file(file);
    }
    std::set<const documents::Node*> clusters;
    for (const proxy::Resource& cluster : documents.clusters) {
      clusters.insert(cluster.node);
    }
    for (documents::Node& tree : trees) {
      documents.runtime_values.put_into(tree, clusters);
    }
    documents.runtime_values.warn_of_others(diagnostics);
    if (!documents.clusters.empty() || !documents.listeners.empty() || !documents.routes.empty() ||
        !documents.load_assignments.empty()) {
      for (Diagnostic& problem : diagnostics) {
        warn_only(problem, problem.where.file >= named.size() || named[problem.where.file]);
      }
    }
    index.emplace(documents);
    if (!options.resolve.empty()) {
      warn_of_unknown_names();
    }
  }

  // Warns of names to resolve (--resolve) that are the address of nothing.
  void warn_of_unknown_names() {
    std::set<std::string> names;
    for (const documents::Node& tree : trees) {
      add_addresses(tree, names);
    }
    for (const auto& [name, addresses] : options.resolve) {
      if (!names.contains(name) && !trees.empty()) {
        grammar::suggest(diagnostics.warning("SP204", trees.front().span, "a name to resolve that nothing has",
                                             "no endpoint has the address `{}`", {name}),
                         name, {names.begin(), names.end()});
      }
    }
  }

  void read_file(std::uint32_t file) {
    auto list = documents::parse_documents(sources, file, diagnostics);
    if (!list) {
      return;
    }
    if (sources.size() == 1 && list->items.size() == 1 &&
        proxy::kind_of(list->items.front()) == proxy::Kind::scenario) {
      scenario = std::move(list->items.front());
      diagnostics.error("SP134", scenario->span, "a scenario among Envoy's documents", "is not one of Envoy's")
          .help("it is one already: `spillway run` simulates it");
      return;
    }
    const auto is_scenario = [](const documents::Node& root) { return proxy::kind_of(root) == proxy::Kind::scenario; };
    if (sources.size() == 1 && list->items.size() > 1 &&
        std::all_of(list->items.begin(), list->items.end(), is_scenario)) {
      static_cast<void>(documents::parse(sources, file, diagnostics));  // reports the second document
      return;
    }
    const bool nothing = std::all_of(list->items.begin(), list->items.end(),
                                     [](const documents::Node& root) { return root.kind == documents::Kind::null; });
    if (nothing && sources.size() == 1) {
      diagnostics.error("SP003", Span{file, 1, 1, 1}, "nothing in the file", "no value in here");
      return;
    }
    std::map<std::string, std::size_t> counts;
    for (documents::Node& root : list->items) {
      if (root.kind == documents::Kind::null && list->items.size() > 1) {
        continue;
      }
      if (!options.without.empty()) {
        leave_out(root, options.without, counts);
      }
      trees.push_back(std::move(root));
      proxy::unwrap(trees.back(), documents, sources, trees, diagnostics);
    }
    for (const auto& [key, count] : counts) {
      left_out.push_back(in_ticks(key) + " is left out " + (count == 1 ? "once" : std::to_string(count) + " times") +
                         ", as --without says");
    }
  }
};

ProxyConfiguration::ProxyConfiguration(std::unique_ptr<State> state) : state_(std::move(state)) {}
ProxyConfiguration::ProxyConfiguration(ProxyConfiguration&& other) noexcept = default;
ProxyConfiguration& ProxyConfiguration::operator=(ProxyConfiguration&& other) noexcept = default;
ProxyConfiguration::~ProxyConfiguration() = default;

ProxyConfiguration ProxyConfiguration::read(const std::vector<std::string>& paths, proxy::EnvoyOptions options) {
  auto state = std::make_unique<State>();
  auto inputs = proxy::load_inputs(paths, state->diagnostics);
  state->sources = std::move(inputs.sources);
  state->named = std::move(inputs.named);
  state->options = std::move(options);
  state->read();
  return ProxyConfiguration(std::move(state));
}

ProxyConfiguration ProxyConfiguration::read(Sources sources, proxy::EnvoyOptions options, Diagnostics problems) {
  auto state = std::make_unique<State>();
  state->sources = std::move(sources);
  state->named.assign(state->sources.size(), true);
  state->options = std::move(options);
  state->diagnostics = std::move(problems);
  state->read();
  return ProxyConfiguration(std::move(state));
}

const Sources& ProxyConfiguration::sources() const noexcept {
  return state_->sources;
}

const Diagnostics& ProxyConfiguration::diagnostics() const noexcept {
  return state_->diagnostics;
}

const std::vector<std::uint32_t>& ProxyConfiguration::others() const noexcept {
  return state_->others;
}

namespace {

std::map<std::string, std::string> texts_of(const documents::Node* metadata) {
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; metadata != nullptr && i < metadata->members.size(); ++i) {
    const documents::Member& member = metadata->members[i];
    if (member.value.kind == documents::Kind::string) {
      texts.emplace(member.key, member.value.text);
    }
    for (const documents::Member& label : member.value.members) {
      if (member.key == "LABELS" && label.value.kind == documents::Kind::string) {
        texts.emplace("LABELS/" + label.key, label.value.text);
      }
    }
  }
  return texts;
}

}  // namespace

ProxyNode ProxyConfiguration::node() const {
  const Documents& documents = state_->documents;
  return {.id = documents.node_id.value_or(""),
          .cluster = documents.node_cluster,
          .locality = documents.locality,
          .version = documents.version,
          .local_cluster = documents.local_cluster.value_or(""),
          .runtime = documents.runtime,
          .metadata = texts_of(documents.node_metadata)};
}

std::vector<std::string> ProxyConfiguration::cluster_names() const {
  return state_->index->cluster_names();
}

const documents::Node* ProxyConfiguration::cluster_document(const std::string& name) const {
  const auto position = state_->index->cluster(name);
  return position ? state_->documents.clusters[*position].node : nullptr;
}

std::vector<const documents::Node*> ProxyConfiguration::route_configurations() const {
  return nodes_of(state_->documents.routes);
}

std::vector<const documents::Node*> ProxyConfiguration::listeners() const {
  return nodes_of(state_->documents.listeners);
}

bool ProxyConfiguration::has_load_assignments() const {
  return !state_->documents.load_assignments.empty();
}

proxy::Tally ProxyConfiguration::tally() const {
  return proxy::tally_of(state_->documents, *state_->index);
}

ProxyConfiguration::ClusterReading ProxyConfiguration::read_with(const proxy::EnvoyOptions& options) const {
  ClusterReading reading;
  Scenario scenario = envoy_binding::assemble(state_->documents, *state_->index, options, reading.diagnostics);
  scenario.assumptions.insert(scenario.assumptions.end(), state_->left_out.begin(), state_->left_out.end());
  if (!has_errors(reading.diagnostics)) {
    reading.scenario = std::move(scenario);
  }
  return reading;
}

ProxyConfiguration::ClusterReading ProxyConfiguration::cluster(const std::string& name) const {
  proxy::EnvoyOptions options = state_->options;
  options.cluster = name;
  options.request.reset();
  return read_with(options);
}

ProxyConfiguration::ClusterReading ProxyConfiguration::asked() const {
  return read_with(state_->options);
}

proxy::DescribedRoutes ProxyConfiguration::described_routes() const {
  return proxy::described_routes(state_->documents, *state_->index);
}

ProxyConfiguration::ClusterReading ProxyConfiguration::asked(const proxy::RequestDescription& request) const {
  proxy::EnvoyOptions options = state_->options;
  options.cluster.clear();
  options.request = request;
  return read_with(options);
}

Diagnostics ProxyConfiguration::route_problems() const {
  Diagnostics problems;
  for (const proxy::Resource& configuration : state_->documents.routes) {
    envoy_binding::check_routes(configuration, problems);
  }
  return problems;
}

bool ProxyConfiguration::is_scenario() const noexcept {
  return state_->scenario.has_value();
}

Reading ProxyConfiguration::into_scenario() && {
  Reading reading;
  reading.sources = std::move(state_->sources);
  // Keep the text's own errors, such as a repeated key, but not the one that it is a scenario.
  reading.diagnostics = std::move(state_->diagnostics);
  std::erase_if(reading.diagnostics, [](const Diagnostic& problem) { return problem.code == "SP134"; });
  const std::vector<std::string> idle = options_given(state_->options);
  if (!idle.empty()) {
    reading.diagnostics.warning("SP905", state_->scenario->span, "options of Envoy's documents",
                                "of no effect on a scenario: {}", {grammar::listed(idle, "and")});
  }
  if (const auto other = proxy::recognise_no_scenario(*state_->scenario)) {
    reading.diagnostics.push_back(proxy::foreign_document(*other, state_->scenario->span));
    return reading;
  }
  grammar::settle_messages_of_scenario(*state_->scenario);
  Scenario scenario = read_tree(*state_->scenario, reading.sources, reading.diagnostics);
  sort_by_position(reading.diagnostics);
  if (!has_errors(reading.diagnostics)) {
    reading.scenario = std::move(scenario);
  }
  return reading;
}

Reading ProxyConfiguration::into_reading(ClusterReading cluster) && {
  Reading reading;
  if (state_->documents.dump) {
    reading.summary = "read " + describe(tally());
  }
  reading.diagnostics = std::move(state_->diagnostics);
  reading.diagnostics.insert(reading.diagnostics.end(), std::make_move_iterator(cluster.diagnostics.begin()),
                             std::make_move_iterator(cluster.diagnostics.end()));
  sort_by_position(reading.diagnostics);
  if (!has_errors(reading.diagnostics)) {
    reading.scenario = std::move(cluster.scenario);
  }
  reading.sources = std::move(state_->sources);
  return reading;
}

}  // namespace spillway::scenario
