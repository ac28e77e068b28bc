#include "reports/subsets/subset_structure.hpp"

#include <algorithm>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/subset_state.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {

namespace {

namespace subset = envoy::policies::subset;

template <class Hosts>
SubsetStructure::HostNames names_of_hosts(const scenario::Scenario& scenario, const scenario::Service& service,
                                          const Hosts& hosts) {
  SubsetStructure::HostNames names;
  for (const config::HostIndex host : hosts) {
    names.push_back(scenario.endpoints[service.hosts[host.value].endpoint.value].id);
  }
  return names;
}

SubsetStructure::HostNames names_of_all(const scenario::Scenario& scenario, const scenario::Service& service,
                                        const envoy::ClusterState& state) {
  std::vector<config::HostIndex> hosts;
  for (const envoy::HostSet& set : state.hosts.host_sets) {
    hosts.insert(hosts.end(), set.all.hosts().begin(), set.all.hosts().end());
  }
  std::sort(hosts.begin(), hosts.end());
  return names_of_hosts(scenario, service, hosts);
}

SubsetStructure structure_of(const scenario::Scenario& scenario, const scenario::Service& service,
                             const subset::Config& config) {
  std::vector<std::uint8_t> absent(service.hosts.size(), 0);
  for (const config::HostIndex host : service.absent_at_start) {
    absent[host.value] = 1;
  }
  const auto hosts =
      envoy::make_priority_set(service.load_assignment, {.absent = absent, .profile = scenario.profile.envoy});
  const auto state =
      envoy::refresh(service.cluster, nullptr, hosts, {.profile = scenario.profile.envoy, .runtime = scenario.runtime});
  const envoy::SubsetState& parts = *state->subsets;
  SubsetStructure structure;
  structure.cluster = service.name;
  structure.config = config;
  structure.outline = subset::outline_of(config, parts.selectors, parts.directory);
  for (const subset::Directory::Subset& own : parts.directory.subsets()) {
    structure.subsets.push_back({names_of_hosts(scenario, service, own.hosts), own.single_host, own.duplicates});
  }
  structure.all = names_of_all(scenario, service, *state);
  if (parts.default_subset) {
    structure.default_subset = names_of_all(scenario, service, *parts.default_subset->state);
  }
  return structure;
}

}  // namespace

const std::vector<std::string>& subset_format_names() {
  static const std::vector<std::string> names{"table", "json", "dot", "mermaid"};
  return names;
}

std::optional<SubsetFormat> subset_format_of(std::string_view name) {
  const auto& names = subset_format_names();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<SubsetFormat>(found - names.begin()));
}

std::vector<SubsetStructure> subset_structures(const scenario::Scenario& scenario,
                                               const std::optional<std::string>& cluster) {
  std::vector<SubsetStructure> structures;
  for (const scenario::Service& service : scenario.services) {
    const auto* const config = std::get_if<subset::Config>(&service.cluster.lb_policy);
    if (config != nullptr && service.cluster.aggregate_clusters.empty() && (!cluster || *cluster == service.name)) {
      structures.push_back(structure_of(scenario, service, *config));
    }
  }
  return structures;
}

std::string_view name_of(subset::FallbackPolicy policy) {
  return name_in({"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"}, policy);
}

std::string_view name_of(subset::SelectorFallbackPolicy policy) {
  return name_in({"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET", "KEYS_SUBSET"}, policy);
}

std::string format_subsets(const std::vector<SubsetStructure>& structures, SubsetFormat format, const Look& look) {
  if (format == SubsetFormat::dot || format == SubsetFormat::mermaid) {
    return format == SubsetFormat::dot ? subsets_as_dot(structures) : subsets_as_mermaid(structures);
  }
  const auto page = [&](Page& whole) {
    for (const SubsetStructure& structure : structures) {
      add_subsets(whole, structure);
    }
  };
  return reports::format({.page = page, .json = [&](const Sink& sink) { sink(subsets_as_json(structures)); }},
                         format == SubsetFormat::json ? Format::json : Format::table, look);
}

}  // namespace spillway::reports
