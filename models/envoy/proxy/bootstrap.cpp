#include "models/envoy/proxy/bootstrap.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/bootstrap.hpp"
#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/ip_address.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/runtime.hpp"

namespace spillway::proxy {
namespace {

// Reports a layer with the name of an earlier one, which Envoy refuses.
void refuse_repeated_layer(const messages::LayeredRuntime& runtime, std::size_t layer, Diagnostics& problems) {
  const auto& name = runtime.layers.value[layer]->name;
  const auto end = runtime.layers.value.begin() + static_cast<std::ptrdiff_t>(layer);
  if (name && std::any_of(runtime.layers.value.begin(), end,
                          [&](const auto& earlier) { return earlier->name && *earlier->name == *name; })) {
    problems.error("SP139", name.where, "Envoy refuses this runtime layer", "Duplicate layer name: {}", {*name});
  }
}

// Warns of parts that are discovered at run time and so missing from a bootstrap; a dump lists them separately.
void warn_of_discovery(const messages::Bootstrap& bootstrap, bool reported, Diagnostics& problems) {
  const auto warn = [&](Span where, const char* what, const char* help) {
    problems.warning("SP233", where, "a part that is not in the documents", "{}", {what}).help("{}", {help});
  };
  const messages::DynamicResources& dynamic = *bootstrap.dynamic_resources;
  for (const auto* const field : {&dynamic.cds_config, &dynamic.cds_resources_locator}) {
    if (field->present && !reported) {
      warn(field->key, "clusters that are discovered are not in the documents",
           "give what the proxy has: curl ADMIN/config_dump?include_eds");
    }
  }
  for (const auto& layer : *bootstrap.layered_runtime->layers) {
    for (const auto* const field : {&layer->rtds_layer, &layer->disk_layer}) {
      if (field->present && (**field)->kind == documents::Kind::object && !(**field)->members.empty()) {
        warn(field->key, "the values of this runtime layer are not in the documents",
             "what curl ADMIN/runtime prints has them");
      }
    }
  }
}

void read_runtime_layers(const messages::LayeredRuntime& runtime, Documents& documents, Diagnostics& problems) {
  const auto& layers = *runtime.layers;
  for (std::size_t position = 0; position < layers.size(); ++position) {
    refuse_repeated_layer(runtime, position, problems);
    if (!layers[position]->static_layer) {
      continue;
    }
    const documents::Node& values = **layers[position]->static_layer;
    if (values.kind == documents::Kind::object) {
      apply(proxy::read_runtime(values, proxy::OtherKeys::pass, problems), documents.runtime);
      documents.runtime_values.add(values);
    } else {
      grammar::wrong_kind(values, "static_layer", "an object", problems);
    }
  }
}

// Returns "1.36.2" for {"version": {"major_number": 1, ...}}.
std::string build_version(const documents::Node& node) {
  const documents::Node* const build = find_value(node, "user_agent_build_version");
  const documents::Node* const version = build == nullptr ? nullptr : find_value(*build, "version");
  if (version == nullptr) {
    return version_in(text_at(node, "user_agent_version"));
  }
  std::string text;
  for (const char* const part : {"major_number", "minor_number", "patch"}) {
    const documents::Node* const number = find_value(*version, part);
    text += (text.empty() ? "" : ".") + std::to_string(number == nullptr ? 0 : number->magnitude);
  }
  return text;
}

void read_node(const documents::Node& root, const messages::Bootstrap& bootstrap, Documents& documents) {
  if (!bootstrap.node) {
    return;
  }
  documents.node_id = bootstrap.node->id;
  documents.locality = *bootstrap.node->locality;
  const documents::Node& node = *find_value(root, "node");
  documents.node_cluster = text_at(node, "cluster");
  documents.node_metadata = find_value(node, "metadata");
  if (documents.version.empty()) {
    documents.version = build_version(node);
  }
}

}  // namespace

std::string version_in(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!text.empty()) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view part = text.substr(0, slash);
    const std::size_t dashed = std::min(part.find('-'), part.size());
    const std::string_view number = part.substr(0, dashed);
    if (std::count(number.begin(), number.end(), '.') == 2 &&
        std::all_of(number.begin(), number.end(), [&](char c) { return c == '.' || is_digit(c); })) {
      return std::string(number);
    }
    text.remove_prefix(std::min(slash + 1, text.size()));
  }
  return {};
}

void add_cluster(const documents::Node& node, bool reported, Standing standing, Documents& documents) {
  documents.clusters.push_back(
      {.node = &node, .name = text_at(node, "name"), .reported = reported, .standing = standing});
}

void add_listener(const documents::Node& node, bool reported, Documents& documents) {
  documents.listeners.push_back({.node = &node, .name = text_at(node, "name"), .reported = reported});
}

void collect_bootstrap(documents::Node& root, bool reported, Documents& documents, Diagnostics& problems) {
  messages::Bootstrap bootstrap;
  grammar::Record<messages::Bootstrap>{}.read(root, bootstrap, "the bootstrap", problems);
  for (const auto& cluster : bootstrap.static_resources->clusters.value) {
    add_cluster(**cluster, reported, reported ? Standing::bootstrap : Standing::active, documents);
  }
  for (const auto& listener : bootstrap.static_resources->listeners.value) {
    if (std::none_of(documents.listeners.begin(), documents.listeners.end(), [&](const Resource& known) {
          return reported && !known.name.empty() && known.name == text_at(**listener, "name");
        })) {
      add_listener(**listener, reported, documents);
    }
  }
  if (const documents::Node* const resources = find_value(std::as_const(root), "static_resources")) {
    if (const documents::Node* const secrets = find_value(*resources, "secrets"); secrets != nullptr) {
      documents.passed_over["secret"] += secrets->items.size();
    }
  }
  read_node(root, bootstrap, documents);
  if (bootstrap.cluster_manager) {
    documents.local_cluster = bootstrap.cluster_manager->local_cluster_name;
    proxy::refuse_bind_config(bootstrap.cluster_manager->upstream_bind_config, "The bootstrap", problems);
  }
  read_runtime_layers(*bootstrap.layered_runtime, documents, problems);
  if (const documents::Node* const dynamic = find_value(root, "dynamic_resources"); !reported && dynamic != nullptr) {
    documents.listeners_discovered =
        find_value(*dynamic, "lds_config") != nullptr || find_value(*dynamic, "lds_resources_locator") != nullptr;
  }
  warn_of_discovery(bootstrap, reported, problems);
}

}  // namespace spillway::proxy
