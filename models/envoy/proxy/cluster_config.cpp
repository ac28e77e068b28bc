#include "models/envoy/proxy/cluster_config.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/outlier_detection.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/refused.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/proxy/http_protocol_options.hpp"
#include "models/envoy/proxy/ip_address.hpp"
#include "models/envoy/proxy/pick_policy.hpp"
#include "models/envoy/refusals.hpp"

namespace spillway::proxy {
namespace {

using grammar::Field;

constexpr MessageFormat refused_by_envoy = "Envoy refuses it";

void refuse_outlier_detection(const config::OutlierDetection& detection, const messages::Source& source,
                              Diagnostics& problems) {
  constexpr grammar::Nanoseconds none{0};
  const grammar::Nanoseconds longest = detection.max_ejection_time.value_or(detection.base_ejection_time);
  for (const auto& [name, time] :
       {std::pair{"interval", detection.interval}, std::pair{"base_ejection_time", detection.base_ejection_time},
        std::pair{"max_ejection_time", longest}}) {
    const auto where = source.place_of(name);
    if (where && time == none) {
      const config::Reason reason = config::out_of_bounds("OutlierDetection", name, "value must be greater than 0s");
      problems.error("SP126", *where, "`{}` of no duration", "must be above 0s", {name})
          .note("Envoy refuses it: {}", {reason.text});
    }
  }
  if (longest < detection.base_ejection_time && longest > none) {
    problems
        .error("SP125", source.place_of("max_ejection_time").value_or(Span{}),
               "max_ejection_time below base_ejection_time", "ends before it begins")
        .note("Envoy refuses it: {}", {config::text_of(config::refusal(detection))});
  }
}

// Returns the settings that Envoy inspects to decide if the parts of a cluster are compatible.
envoy::ClusterDocument document_of(const messages::Cluster& written, const PolicyList& typed, bool load_assignment) {
  const messages::Source common = written.source.within("common_lb_config");
  const auto& hashing = written.consistent_hashing_lb_config;
  const auto& subsets = written.settings->of<envoy::policies::subset::Policy>();
  envoy::ClusterDocument document;
  document.name = written.name.value_or("");
  document.type = written.cluster_type.present ? "" : messages::Cluster::types[written.type.value_or(0)];
  document.lb_policy = messages::Cluster::lb_policies[written.lb_policy.value_or(0)];
  document.has_load_balancing_policy = written.load_balancing_policy.present;
  document.policy_names = typed.names;
  document.policy_known = typed.known || !written.load_balancing_policy.given;
  document.has_lb_subset_config = subsets.present;
  document.locality_weight_aware = subsets->locality_weight_aware;
  document.has_zone_aware_lb_config = common.key_of("zone_aware_lb_config").has_value();
  document.has_locality_weighted_lb_config = common.key_of("locality_weighted_lb_config").has_value();
  document.has_consistent_hashing_lb_config = common.key_of("consistent_hashing_lb_config").has_value();
  document.use_hostname_for_hashing = hashing && hashing->use_hostname_for_hashing;
  document.has_load_assignment = load_assignment;
  document.use_http_header = written.original_dst_lb_config->use_http_header;
  document.http_header_name = written.original_dst_lb_config->http_header_name;
  return document;
}

// Returns the place to report: the key of a message, or a value itself.
Span place_of(const config::Reason& reason, const messages::Cluster& written) {
  const messages::RefusedField field = messages::field_of(reason, *written.source.object);
  return field.value == nullptr                         ? written.name.where
         : field.value->kind == documents::Kind::object ? field.key
                                                        : field.value->span;
}

void read_policy(const messages::Cluster& written, const std::string& type, envoy::Cluster& cluster,
                 bool load_assignment, Diagnostics& problems) {
  PickPolicy policy = read_legacy_policy(written, problems);
  const Field<messages::LoadBalancingPolicy>& typed = written.load_balancing_policy;
  PolicyList list;
  if (typed) {
    list = read_policy_list(*typed, problems);
    policy = list.policy.value_or(PickPolicy{});
  }
  const bool readable =
      written.lb_policy.present == written.lb_policy.given && written.type.present == written.type.given;
  const auto refusal = readable ? envoy::refusal(document_of(written, list, load_assignment)) : std::nullopt;
  const bool provided = typed.present
                            ? list.policy && list.policy->cluster_provided
                            : messages::Cluster::lb_policies[written.lb_policy.value_or(0)] == "CLUSTER_PROVIDED";
  if (refusal) {
    const bool unknown = refusal->fields.front() == "load_balancing_policy";
    problems
        .error(unknown ? "SP130" : "SP131", place_of(*refusal, written), "{}", "{}",
               {unknown ? "no policy that Envoy knows" : "a policy that does not fit its cluster", refusal->text})
        .note(refused_by_envoy);
    const auto is_contrib = [](const std::string& name) { return name.ends_with("peak_ewma"); };
    if (unknown && std::any_of(list.names.begin(), list.names.end(), is_contrib)) {
      problems.back().note(
          "peak_ewma is in the contrib builds of Envoy only (envoyproxy/envoy:contrib-...), and is not simulated");
    }
  } else if (written.lb_policy && !typed.present &&
             messages::Cluster::lb_policies[*written.lb_policy] == "LOAD_BALANCING_POLICY_CONFIG") {
    problems
        .error("SP131", written.lb_policy.where, "a typed policy that is not there", "needs `load_balancing_policy`")
        .note(refused_by_envoy);
  } else if (provided && !type.empty() && type != "ORIGINAL_DST") {
    problems
        .error("SP131", typed.present ? typed.key : written.lb_policy.where, "a policy that does not fit its cluster",
               "cluster manager: cluster provided LB specified but cluster '{}' did not provide one. Check cluster "
               "documentation.",
               {cluster.name})
        .note(refused_by_envoy);
  }
  cluster.lb_policy = std::move(policy.config);
  if (policy.locality) {
    cluster.common_lb_config.locality_config_specifier = *policy.locality;
  }
}

// True if the cluster declares that it provides its own policy. An aggregate or a dynamic forward proxy must do so in
// one of two ways.
bool provides(const messages::Cluster& written) {
  if (const auto& typed = written.load_balancing_policy; typed.present) {
    return !typed || std::any_of(typed->policies->begin(), typed->policies->end(), [](const auto& policy) {
      const auto& config = policy->typed_extension_config->typed_config;
      return !config || config->type == "envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided";
    });
  }
  return written.lb_policy.present &&
         (!written.lb_policy || messages::Cluster::lb_policies[*written.lb_policy] == "CLUSTER_PROVIDED");
}

void require_provided(const messages::Cluster& written, const char* kind, Diagnostics& problems) {
  if (!provides(written)) {
    const Span where = written.load_balancing_policy.present ? written.load_balancing_policy.key
                       : written.lb_policy                   ? written.lb_policy.where
                                                             : written.cluster_type.key;
    problems
        .error("SP131", where, "{} cluster that does not provide its own policy", "needs lb_policy: CLUSTER_PROVIDED",
               {kind})
        .note(refused_by_envoy)
        .help("write lb_policy: CLUSTER_PROVIDED");
  }
}

constexpr std::string_view aggregate_config = messages::Grammar<messages::AggregateClusterConfig>::definition;
constexpr std::string_view dns_config = messages::DnsCluster::definition;
constexpr std::string_view forward_proxy_config = messages::DynamicForwardProxyConfig::definition;

// Returns the type of a cluster that needs no configuration, by the names of Envoy's factories.
std::string type_by_name(const messages::CustomClusterType& type) {
  static constexpr std::array names = {
      std::pair{"envoy.cluster.static", "STATIC"}, std::pair{"envoy.cluster.strict_dns", "STRICT_DNS"},
      std::pair{"envoy.cluster.logical_dns", "LOGICAL_DNS"}, std::pair{"envoy.cluster.dns", "STRICT_DNS"}};
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& entry) { return type.name.value_or("") == entry.first; });
  return found == names.end() ? "" : found->second;
}

void read_aggregate(const messages::Cluster& written, ClusterConfig& config, Diagnostics& problems) {
  const auto aggregate =
      messages::read_any<messages::AggregateClusterConfig>(*written.cluster_type->typed_config, problems);
  config.aggregate = true;
  config.cluster.aggregate_clusters = aggregate.clusters;
  const std::vector<messages::Source> places = aggregate.source.items_of("clusters");
  for (std::size_t i = 0; i < aggregate.clusters.size(); ++i) {
    const Span where = places[i].object->span;
    config.children.push_back({aggregate.clusters[i], where, where, true, !aggregate.clusters[i].empty()});
  }
  require_provided(written, "an aggregate", problems);
}

void read_cluster_type(const messages::Cluster& written, ClusterConfig& config, Diagnostics& problems) {
  const messages::CustomClusterType& type = *written.cluster_type;
  if (!type.typed_config.present) {
    config.type = type_by_name(type);
    if (config.type.empty()) {
      problems.error("SP302", type.name.where, "a `cluster_type` that is not supported", "needs its `typed_config`");
    }
  } else if (!type.typed_config) {
    return;
  } else if (type.typed_config->type == aggregate_config) {
    read_aggregate(written, config, problems);
  } else if (type.typed_config->type == dns_config) {
    messages::DnsCluster dns;
    messages::read_any(*type.typed_config, dns, problems);
    config.type = dns.all_addresses_in_single_endpoint.value_or(false) ? "LOGICAL_DNS" : "STRICT_DNS";
  } else if (type.typed_config->type == forward_proxy_config) {
    messages::DynamicForwardProxyConfig proxy;
    messages::read_any(*type.typed_config, proxy, problems);
    require_provided(written, "a dynamic forward proxy", problems);
    config.hosts_by_request = written.cluster_type.key;
  } else {
    problems.push_back(
        messages::wrong_type(*type.typed_config, type.typed_config.where,
                             "must be " + std::string(aggregate_config) + " or " + std::string(dns_config)));
  }
}

}  // namespace

ClusterConfig read_cluster_config(const messages::Cluster& written, Diagnostics& problems, bool load_assignment) {
  ClusterConfig config;
  envoy::Cluster& cluster = config.cluster;
  cluster = written.plain;
  cluster.name = written.name.value_or("");
  if (written.cluster_type) {
    read_cluster_type(written, config, problems);
  } else if (!written.cluster_type.present && written.type.present == written.type.given) {
    config.type = messages::Cluster::types[written.type.value_or(0)];
  }
  read_http_protocol_options(written, config, problems);
  if (config.type == "ORIGINAL_DST") {
    cluster.original_dst = *written.original_dst_lb_config;
    cluster.original_dst->cleanup_interval = written.cleanup_interval.value_or(cluster.original_dst->cleanup_interval);
    config.hosts_by_request = written.type.key;
  }
  if (written.cleanup_interval && *written.cleanup_interval == grammar::Nanoseconds{0}) {
    problems.error("SP126", written.cleanup_interval.where, "`cleanup_interval` of no duration", "must be above 0s")
        .note("Envoy refuses it: ClusterValidationError.CleanupInterval: value must be greater than 0s");
  }
  if (cluster.outlier_detection) {
    refuse_outlier_detection(*cluster.outlier_detection, written.source.within("outlier_detection"), problems);
  }
  refuse_bind_config(written.upstream_bind_config, "Cluster " + cluster.name, problems);
  refuse_dns_resolvers(written, config.type, problems);
  read_policy(written, config.type, cluster, load_assignment, problems);
  return config;
}

bool lacks_endpoints(const messages::Cluster& written) {
  const messages::CustomClusterType& type = *written.cluster_type;
  return written.cluster_type.present && type_by_name(type).empty() &&
         !(type.typed_config && type.typed_config->type == dns_config);
}

std::optional<Span> weighting_place(const messages::Cluster& written, const envoy::Cluster& cluster) {
  if (!std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier)) {
    return std::nullopt;
  }
  const auto own = written.source.within("common_lb_config").key_of("locality_weighted_lb_config");
  return own.value_or(written.load_balancing_policy.key);
}

void refuse_weight_sums(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment, Span where,
                        Diagnostics& problems) {
  if (envoy::policies::consistent_hashing(cluster.lb_policy) != nullptr) {
    messages::refuse(envoy::refusal(assignment, true), {"the weights of " + in_ticks(cluster.name), nullptr, where},
                     problems);
  }
}

}  // namespace spillway::proxy
