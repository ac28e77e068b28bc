// Parts that the lints have in common: the places of a rule's policies, and the localities of a service's endpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"

namespace spillway::istio {

struct Lint;         // lints.hpp
struct LintRequest;  // lints.hpp
struct Registry;     // registry.hpp
struct Service;      // registry.hpp

// A policy as written, and the policy that is effective there: for a port, a subset, or both.
struct PolicySite {
  std::string path = {};
  std::string subset = {};  // "" for the whole service
  std::uint32_t port = 0;   // 0 if not of a port's own
  const TrafficPolicy* own = nullptr;
  TrafficPolicy effective = {};
};

// Returns the policies of a rule, its own before those of its subsets.
[[nodiscard]] std::vector<PolicySite> sites_of(const DestinationRule& rule);

// Returns the services that a rule's host matches.
[[nodiscard]] std::vector<const Service*> services_of(const DestinationRule& rule, const Registry& registry);

// Counts the endpoints of one port that have these labels, by locality: "r1/z1/s1", without empty parts at the end.
[[nodiscard]] std::map<std::string, std::size_t> places_of(const Service& service, const Labels& labels);

// Returns the labels of a subset; empty for the whole service.
[[nodiscard]] Labels labels_of(const DestinationRule& rule, const std::string& subset);

// Returns "r1/z1", or "no locality".
[[nodiscard]] std::string words_of(const config::Locality& locality);

// Returns a path with a position: "spec.http[2]".
[[nodiscard]] std::string at(const std::string& path, std::size_t position);

// The parts of lints_of; each adds its lints.
void lint_distribution(const LintRequest& request, const DestinationRule& rule, std::vector<Lint>& lints);
void lint_endpoints(const LintRequest& request, std::vector<Lint>& lints);
void lint_virtual_services(const LintRequest& request, std::vector<Lint>& lints);
void lint_rules(const LintRequest& request, std::vector<Lint>& lints);

}  // namespace spillway::istio
