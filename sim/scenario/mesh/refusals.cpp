#include "sim/scenario/mesh/refusals.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/kuma/field_path.hpp"
#include "sim/scenario/written/refused.hpp"

namespace spillway::scenario::mesh {

namespace {

// Which field of `default` a field of Envoy's load-balancing policy comes from.
struct FieldOfPolicy {
  std::string_view envoys;
  std::string_view kumas;
};

constexpr std::array fields_of_policies = std::to_array<FieldOfPolicy>({
    {"choice_count", "loadBalancer.leastRequest.choiceCount"},
    {"minimum_ring_size", "loadBalancer.ringHash.minRingSize"},
    {"maximum_ring_size", "loadBalancer.ringHash.maxRingSize"},
    {"table_size", "loadBalancer.maglev.tableSize"},
});

std::vector<std::string> kumas_fields(const config::Reason& reason) {
  std::vector<std::string> paths;
  for (const std::string& field : reason.fields) {
    const auto* const found = std::find_if(fields_of_policies.begin(), fields_of_policies.end(),
                                           [&](const FieldOfPolicy& each) { return each.envoys == field; });
    if (found != fields_of_policies.end()) {
      paths.emplace_back(found->kumas);
    }
  }
  paths.emplace_back("loadBalancer");
  return paths;
}

// Kuma writes a cluster's own fields.
config::Refusal refusal_of(const envoy::policies::Config& config) {
  return envoy::policies::visit_policy(config, []<class Policy>(const auto& own) -> config::Refusal {
    if constexpr (requires { Policy::refusal(own, envoy::Form::legacy); }) {
      return Policy::refusal(own, envoy::Form::legacy);
    } else {
      return std::nullopt;
    }
  });
}

// The items that a cluster was made of, or where that is not known, as at an egress, all.
std::vector<kuma::RuleOrigin> items_of(const Policies& policies, const std::vector<kuma::RuleOrigin>& origins) {
  if (!origins.empty()) {
    return origins;
  }
  std::vector<kuma::RuleOrigin> all;
  for (std::size_t policy = 0; policy < policies.strategies.size(); ++policy) {
    const auto& items = policies.strategies[policy].spec.to;
    for (std::size_t item = 0; items && item < items->size(); ++item) {
      all.push_back({policy, item});
    }
  }
  return all;
}

// The first of these fields of `default` that is written, in the last item that has it.
Span place_of_first(const std::vector<std::string>& paths, const std::vector<kuma::RuleOrigin>& items,
                    const std::vector<kuma_documents::Origin>& documents) {
  for (const std::string& path : paths) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      const auto place = kuma_documents::place_if_written(*documents[item->policy].node,
                                                          fmt::format("spec.to[{}].default.{}", item->item, path));
      if (place) {
        return *place;
      }
    }
  }
  return items.empty() ? Span{} : documents[items.back().policy].name_at;
}

bool same_place(Span left, Span right) {
  return left.file == right.file && left.line == right.line && left.column == right.column;
}

}  // namespace

void Refusals::look_at(const envoy::Cluster& cluster, const ClusterConfs& confs) {
  if (const config::Refusal refusal = refusal_of(cluster.lb_policy)) {
    add(refusal, place_of_first(kumas_fields(*refusal), items_of(*policies_, confs.strategy_origins),
                                policies_->strategy_origins));
  }
}

// Once, however many clients get it.
void Refusals::add(const config::Refusal& refusal, Span where) {
  const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Diagnostic& problem) {
    return same_place(problem.where, where) && problem.label == refusal->text;
  });
  if (!known) {
    refuse(refusal, {"what Kuma makes of this", nullptr, where}, problems_);
  }
}

}  // namespace spillway::scenario::mesh
