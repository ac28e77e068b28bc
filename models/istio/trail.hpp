// The Istio documents that a per-client cluster was derived from, and the reason for each group's placement: for
// explanations.
//
// Plain data, part of scenario.hpp. Source of the precedence: docs/behaviour/istio.md 3, 4, 6.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/config/locality.hpp"
#include "models/documents/source.hpp"
#include "models/istio/load_assignment.hpp"
#include "models/istio/rule_index.hpp"

namespace spillway::istio {

struct IstioTrail {
  struct Rule {
    std::string name = {};  // "shop/web"
    Span where = {};
  };
  std::vector<Rule> rules = {};  // DestinationRules that were merged, the oldest first; empty if none applies
  istio::RuleStep step = istio::RuleStep::proxy_namespace;  // the step that found the rules
  istio::EffectiveSetting setting = {};
  std::optional<Span> setting_at = {};               // set if a rule or the mesh has the setting
  std::optional<std::size_t> distribute_entry = {};  // the entry that matched the client's locality
  bool acts = false;                                 // outlier detection is on, or not needed
  config::Locality client = {};                      // the proxy's
  std::vector<istio::Placement> groups = {};         // by position in load_assignment.endpoints
  std::vector<istio::LeftOut> left_out = {};         // endpoints of the service that are not in the view
};

}  // namespace spillway::istio
