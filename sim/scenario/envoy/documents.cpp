#include "sim/scenario/envoy/documents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/scenario/change.hpp"
#include "sim/scenario/envoy/listeners.hpp"
#include "sim/scenario/envoy/message_types.hpp"
#include "sim/scenario/meaning/ip_address.hpp"
#include "sim/scenario/meaning/runtime.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/written/bootstrap.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

bool has_any(const document::Node& root, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return root.find(key) != nullptr; });
}

void add_cluster(const document::Node& node, Documents& documents) {
  Candidate<written::WholeCluster> candidate{{}, node.span};
  grammar::Record<written::WholeCluster>{}.read(node, candidate.written, "clusters", candidate.problems);
  documents.clusters.push_back(std::move(candidate));
}

void add_load_assignment(const document::Node& node, Documents& documents) {
  Candidate<written::WholeLoadAssignment> candidate{{}, node.span};
  grammar::Record<written::WholeLoadAssignment>{}.read(node, candidate.written, "the load assignment",
                                                       candidate.problems);
  documents.load_assignments.push_back(std::move(candidate));
}

void add_clusters(const grammar::Field<std::vector<grammar::Field<const document::Node*>>>& clusters,
                  Documents& documents) {
  for (const auto& cluster : clusters.value) {
    add_cluster(**cluster, documents);
  }
}

void add_resource(const grammar::Field<written::AnyMessage>& field, Documents& documents, Diagnostics& problems) {
  if (!field) {
    return;
  }
  if (field->type == "envoy.config.cluster.v3.Cluster") {
    Candidate<written::WholeCluster> candidate{{}, field.where};
    written::read_any(*field, candidate.written, candidate.problems);
    documents.clusters.push_back(std::move(candidate));
  } else if (field->type == "envoy.config.endpoint.v3.ClusterLoadAssignment") {
    Candidate<written::WholeLoadAssignment> candidate{{}, field.where};
    written::read_any(*field, candidate.written, candidate.problems);
    documents.load_assignments.push_back(std::move(candidate));
  } else if (!written::todays_type(field->type).empty()) {
    problems.push_back(written::wrong_type(*field, field.where, ""));
  } else {
    problems.push_back(error("SP134", "a resource of another kind", field.where,
                             in_ticks(field->type) + " is neither a Cluster nor a ClusterLoadAssignment"));
  }
}

// Envoy refuses two layers of one name.
void refuse_repeated_layer(const written::LayeredRuntime& runtime, std::size_t layer, Diagnostics& problems) {
  const auto& name = runtime.layers.value[layer]->name;
  const auto end = runtime.layers.value.begin() + static_cast<std::ptrdiff_t>(layer);
  if (name && std::any_of(runtime.layers.value.begin(), end,
                          [&](const auto& earlier) { return earlier->name && *earlier->name == *name; })) {
    problems.push_back(
        error("SP139", "Envoy refuses this runtime layer", name.where, "Duplicate layer name: " + *name));
  }
}

void collect_bootstrap(const document::Node& root, Documents& documents, Diagnostics& problems) {
  written::Bootstrap bootstrap;
  grammar::Record<written::Bootstrap>{}.read(root, bootstrap, "the bootstrap", problems);
  add_clusters(bootstrap.static_resources->clusters, documents);
  if (bootstrap.node) {
    documents.node_id = bootstrap.node->id;
    documents.locality = *bootstrap.node->locality;
  }
  if (bootstrap.cluster_manager) {
    documents.local_cluster = bootstrap.cluster_manager->local_cluster_name;
    meaning::refuse_bind_config(bootstrap.cluster_manager->upstream_bind_config, "The bootstrap", problems);
  }
  for (const auto& listener : bootstrap.static_resources->listeners.value) {
    warn_of_listener(**listener, problems);
  }
  const auto& layers = *bootstrap.layered_runtime->layers;
  for (std::size_t position = 0; position < layers.size(); ++position) {
    const auto& layer = layers[position];
    refuse_repeated_layer(*bootstrap.layered_runtime, position, problems);
    if (!layer->static_layer) {
      continue;
    }
    const document::Node& values = **layer->static_layer;
    if (values.kind == document::Kind::object) {
      apply(meaning::read_runtime(values, meaning::OtherKeys::pass, problems), documents.runtime);
    } else {
      grammar::wrong_kind(values, "static_layer", "an object", problems);
    }
  }
}

// Envoy refuses a document with an unknown message in it, wherever that is. Those of policies and clusters are reported
// where they are read.
void refuse_unknown_messages(const document::Node& node, Diagnostics& problems) {
  for (const document::Member& member : node.members) {
    constexpr std::array read_elsewhere =
        std::to_array<std::string_view>({"load_balancing_policy", "loadBalancingPolicy", "cluster_type", "clusterType",
                                         "filter_metadata", "filterMetadata"});
    if (std::find(read_elsewhere.begin(), read_elsewhere.end(), member.key) != read_elsewhere.end()) {
      continue;
    }
    if (member.key == "resources") {
      for (const document::Node& resource : member.value.items) {
        document::Node without_type = resource;
        std::erase_if(without_type.members, [](const document::Member& own) { return own.key == "@type"; });
        refuse_unknown_messages(without_type, problems);
      }
      continue;
    }
    if (member.key != "@type" || member.value.kind != document::Kind::string) {
      refuse_unknown_messages(member.value, problems);
      continue;
    }
    const std::string type = member.value.text.substr(member.value.text.find_last_of('/') + 1);
    if (is_known_message(type)) {
      continue;
    }
    if (!written::todays_type(type).empty()) {
      problems.push_back(written::wrong_type({type, &node}, member.value.span, ""));
    } else {
      problems.push_back(with_note(
          error("SP148", "a message that Envoy does not know", member.value.span, "there is no " + in_ticks(type)),
          "Envoy 1.40 refuses the whole document: its JSON has unknown fields"));
    }
  }
  for (const document::Node& item : node.items) {
    refuse_unknown_messages(item, problems);
  }
}

}  // namespace

Kind kind_of(const document::Node& root) {
  if (has_any(root, {"zones", "services", "clients", "duration", "timeline", "expect"})) {
    return Kind::scenario;
  }
  if (has_any(root, {"static_resources", "staticResources", "dynamic_resources", "dynamicResources", "cluster_manager",
                     "clusterManager", "layered_runtime", "layeredRuntime", "admin"})) {
    return Kind::bootstrap;
  }
  if (has_any(root, {"clusters"})) {
    return Kind::cluster_list;
  }
  if (has_any(root, {"resources"})) {
    return Kind::discovery_response;
  }
  if (has_any(root, {"cluster_name", "clusterName"})) {
    return Kind::load_assignment;
  }
  if (has_any(root, {"load_assignment", "loadAssignment", "lb_policy", "lbPolicy", "connect_timeout", "connectTimeout",
                     "type", "cluster_type", "clusterType", "name"})) {
    return Kind::cluster;
  }
  return Kind::other;
}

void collect(const document::Node& root, Documents& documents, Diagnostics& problems) {
  const Kind kind = kind_of(root);
  if (kind != Kind::scenario && kind != Kind::other) {
    refuse_unknown_messages(root, problems);
  }
  switch (kind) {
    case Kind::bootstrap:
      collect_bootstrap(root, documents, problems);
      return;
    case Kind::cluster_list: {
      written::ClusterList list;
      grammar::Record<written::ClusterList>{}.read(root, list, "the document", problems);
      add_clusters(list.clusters, documents);
      return;
    }
    case Kind::cluster:
      add_cluster(root, documents);
      return;
    case Kind::load_assignment:
      add_load_assignment(root, documents);
      return;
    case Kind::discovery_response: {
      written::DiscoveryResponse response;
      grammar::Record<written::DiscoveryResponse>{}.read(root, response, "the document", problems);
      for (const auto& resource : response.resources.value) {
        add_resource(resource, documents, problems);
      }
      return;
    }
    case Kind::scenario:
      problems.push_back(error("SP134", "a scenario among Envoy's documents", root.span, "is not one of Envoy's"));
      return;
    case Kind::other:
      problems.push_back(with_note(
          error("SP134", "not a document that can be read", root.span, "neither a scenario nor one of Envoy's"),
          "read are a Bootstrap, a list of `clusters`, a Cluster, a ClusterLoadAssignment and a discovery response"));
  }
}

}  // namespace spillway::scenario::envoy_documents
