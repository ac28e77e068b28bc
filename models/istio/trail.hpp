// Which of Istio's documents made a view, and what placed each of its groups: for explanations.
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
  std::vector<Rule> rules = {};  // DestinationRules that were merged, the oldest first; empty: none applies
  istio::RuleStep step = istio::RuleStep::proxy_namespace;  // where they were found
  istio::EffectiveSetting setting = {};
  std::optional<Span> setting_at = {};               // where a rule or the mesh says it
  std::optional<std::size_t> distribute_entry = {};  // that the client's locality matched
  bool acts = false;                                 // outlier detection, or nothing that needs it
  config::Locality client = {};                      // the proxy's
  std::vector<istio::Placement> groups = {};         // by position in load_assignment.endpoints
  std::vector<istio::LeftOut> left_out = {};         // endpoints of the service that the view has not
};

}  // namespace spillway::istio
