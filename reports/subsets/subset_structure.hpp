// Prints and draws the subsets of a cluster: selectors with their fallbacks, and the tree of keys, values and hosts.
//
//   const auto structures = subset_structures(scenario);             // one for each cluster that has subsets
//   std::string text = format_subsets(structures, SubsetFormat::table);
//
// Uses the EDS state at the start of the scenario. Every format ends with a newline; `dot` is for Graphviz (dot -Tsvg),
// `mermaid` for Markdown pages. docs/output.md shows them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/policies/subset/subset_outline.hpp"
#include "reports/document/document.hpp"
#include "reports/subsets/subset_format.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct SubsetStructure {
  // The ids of hosts in the order of the configuration.
  using HostNames = std::vector<std::string>;

  struct Subset {
    HostNames hosts;
    bool single_host = false;
    std::size_t duplicates = 0;  // number of hosts left out because the subset already had one
  };

  std::string cluster;
  envoy::policies::subset::Config config;
  envoy::policies::subset::SubsetOutline outline;
  std::vector<Subset> subsets;              // by SubsetIndex
  HostNames all;                            // the hosts of ANY_ENDPOINT
  std::optional<HostNames> default_subset;  // nullopt if no policy needs it
};

// Returns the clusters whose policy is the subset balancer, in the order of the file. `cluster` selects one.
[[nodiscard]] std::vector<SubsetStructure> subset_structures(const scenario::Scenario& scenario,
                                                             const std::optional<std::string>& cluster = {});

[[nodiscard]] std::string format_subsets(const std::vector<SubsetStructure>& structures, SubsetFormat format,
                                         const Look& look);

// Return the names in Envoy's API; NOT_DEFINED if a selector leaves the policy to the cluster.
[[nodiscard]] std::string_view name_of(envoy::policies::subset::FallbackPolicy policy);
[[nodiscard]] std::string_view name_of(envoy::policies::subset::SelectorFallbackPolicy policy);

// Format the structures. dot and Mermaid are drawings, the others are formats of documents (reports/document).
void add_subsets(Page& page, const SubsetStructure& structure);
[[nodiscard]] std::string subsets_as_json(const std::vector<SubsetStructure>& structures);
[[nodiscard]] std::string subsets_as_dot(const std::vector<SubsetStructure>& structures);
[[nodiscard]] std::string subsets_as_mermaid(const std::vector<SubsetStructure>& structures);

}  // namespace spillway::reports
