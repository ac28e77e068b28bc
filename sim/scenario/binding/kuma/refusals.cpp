#include "sim/scenario/binding/kuma/refusals.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "models/envoy/api/refused.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/refusals.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/rules.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

// Maps a field of Envoy's cluster or load assignment to a field of `default`.
struct FieldOfPolicy {
  std::string_view envoys;
  std::string_view kumas;
};

constexpr std::array fields_of_policies = std::to_array<FieldOfPolicy>({
    {"choice_count", "loadBalancer.leastRequest.choiceCount"},
    {"minimum_ring_size", "loadBalancer.ringHash.minRingSize"},
    {"maximum_ring_size", "loadBalancer.ringHash.maxRingSize"},
    {"table_size", "loadBalancer.maglev.tableSize"},
    {"priority", "localityAwareness.crossZone.failover"},
});

// Returns the policy's fields for a reason, then `otherwise`.
std::vector<std::string> kumas_fields(const config::Reason& reason, const char* otherwise) {
  std::vector<std::string> paths;
  for (const std::string& field : reason.fields) {
    const auto* const found = std::find_if(fields_of_policies.begin(), fields_of_policies.end(),
                                           [&](const FieldOfPolicy& each) { return each.envoys == field; });
    if (found != fields_of_policies.end()) {
      paths.emplace_back(found->kumas);
    }
  }
  paths.emplace_back(otherwise);
  return paths;
}

// Returns Envoy's refusal of a policy in the legacy form: Kuma writes a cluster's own fields.
config::Refusal refusal_of(const envoy::policies::Config& config) {
  return envoy::policies::visit_policy(config, []<class Policy>(const auto& own) -> config::Refusal {
    if constexpr (requires { Policy::refusal(own, envoy::Form::legacy); }) {
      return Policy::refusal(own, envoy::Form::legacy);
    } else {
      return std::nullopt;
    }
  });
}

// Returns the items that a cluster was derived from; all items if that is unknown, as at an egress.
RuleOrigins items_of(const Policies& policies, const RuleOrigins& origins) {
  if (!origins.empty()) {
    return origins;
  }
  RuleOrigins all;
  const auto& strategies = policies.strategies.policies();
  for (std::size_t policy = 0; policy < strategies.size(); ++policy) {
    for (std::size_t item = 0; item < strategies[policy].to->size(); ++item) {
      all.push_back({policy, item});
    }
  }
  return all;
}

// Returns the place of the first of these fields of `default` that is written, in the last item that has it.
Span place_of_first(const std::vector<std::string>& paths, const std::vector<kuma::RuleOrigin>& items,
                    const std::vector<kuma::Origin>& documents) {
  for (const std::string& path : paths) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      const auto place = kuma::place_if_written(*documents[item->policy].node,
                                                fmt::format("spec.to[{}].default.{}", item->item, path));
      if (place) {
        return *place;
      }
    }
  }
  return items.empty() ? Span{} : documents[items.back().policy].name_at;
}

std::string at(const std::string& path, const char* list, std::size_t index) {
  return fmt::format("{}.{}[{}]", path, list, index);
}

// Returns the refusal of a regular expression, or of a text that must not be empty.
config::Refusal refusal_of_text(std::string_view type, const std::string& text) {
  constexpr const char* missing = "value length must be at least 1 characters";
  if (type == "Prefix" && text.empty()) {
    return config::out_of_bounds("StringMatcher", "prefix", missing);
  }
  if (type != "RegularExpression") {
    return std::nullopt;
  }
  if (text.empty()) {
    return config::out_of_bounds("RegexMatcher", "regex", missing);
  }
  std::string wrong = envoy::routes::RegexRewrite(text, "").error();
  return wrong.empty() ? std::nullopt : config::Refusal(config::Reason{std::move(wrong)});
}

}  // namespace

void Refusals::look_at(const envoy::Cluster& cluster, const ClusterConfs& confs) {
  if (const config::Refusal refusal = refusal_of(cluster.lb_policy)) {
    add(refusal, place_of_first(kumas_fields(*refusal, "loadBalancer"), items_of(*policies_, confs.strategy_origins),
                                policies_->strategies.documents()));
  }
}

// Checks a load assignment. The sums of weights name no field of Envoy; those of groups come from affinityTags.
void Refusals::look_at(const config::ClusterLoadAssignment& assignment, bool hashing, const ClusterConfs& confs) {
  if (const config::Refusal refusal = envoy::refusal(assignment, hashing)) {
    add(refusal, place_of_first(kumas_fields(*refusal, "localityAwareness.localZone.affinityTags"),
                                items_of(*policies_, confs.strategy_origins), policies_->strategies.documents()));
  }
}

void Refusals::look_at_hash_policies(const std::vector<kuma::HashPolicy>& hashes) {
  const bool has_old_name =
      std::any_of(hashes.begin(), hashes.end(), [](const kuma::HashPolicy& hash) { return hash.type == "SourceIP"; });
  if (!has_old_name) {
    return;
  }
  std::vector<std::string> lists;
  for (std::size_t index = 0; index < hashes.size(); ++index) {
    if (hashes[index].type == "SourceIP") {
      for (const char* const list :
           {"hashPolicies", "loadBalancer.ringHash.hashPolicies", "loadBalancer.maglev.hashPolicies"}) {
        lists.push_back(fmt::format("{}[{}].type", list, index));
      }
    }
  }
  add(config::Reason{"HashPolicy.policy_specifier: is required; Kuma writes none for SourceIP"},
      place_of_first(lists, items_of(*policies_, {}), policies_->strategies.documents()));
}

void Refusals::look_at_weights(std::uint64_t sum, Span where) {
  if (sum > std::numeric_limits<std::uint32_t>::max()) {
    add(config::Reason{"the sum of their weights exceeds 4294967295"}, where);
  }
}

void Refusals::look_at_routes(const std::vector<kuma::RuleOrigin>& origins) {
  for (const kuma::RuleOrigin& origin : origins) {
    if (!seen_routes_.insert({origin.policy, origin.item}).second) {
      continue;
    }
    const std::vector<kuma::HttpRule>& rules = policies_->http_routes.item(origin).default_.rules;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      for (std::size_t match = 0; match < rules[rule].matches.size(); ++match) {
        look_at(rules[rule].matches[match], at(at(at("spec", "to", origin.item), "rules", rule), "matches", match),
                policies_->http_routes.documents()[origin.policy]);
      }
    }
  }
}

void Refusals::look_at(const kuma::HttpMatch& match, const std::string& path, const kuma::Origin& document) {
  if (match.path) {
    look_at_text(kuma::value_of(match.path->type), match.path->value, path + ".path", document);
  }
  const auto parameters = match.queryParams.value_or(std::vector<kuma::QueryParamsMatch>{});
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    look_at_text(kuma::value_of(parameters[index].type), parameters[index].value, at(path, "queryParams", index),
                 document);
  }
  // Kuma leaves out a second match of a header's name.
  const auto headers = match.headers.value_or(std::vector<kuma::HeaderMatch>{});
  std::set<std::string_view> names;
  for (std::size_t index = 0; index < headers.size(); ++index) {
    if (names.insert(kuma::value_of(headers[index].name)).second) {
      look_at_text(kuma::value_of(headers[index].type), headers[index].value, at(path, "headers", index), document);
    }
  }
}

void Refusals::look_at_text(std::string_view type, const std::optional<std::string>& value, const std::string& path,
                            const kuma::Origin& document) {
  if (const config::Refusal refusal = refusal_of_text(type, value.value_or(""))) {
    add(refusal, kuma::place_of(*document.node, path + ".value"));
  }
}

// Adds a refusal once, however many clients it affects.
void Refusals::add(const config::Refusal& refusal, Span where) {
  const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Diagnostic& problem) {
    return problem.where == where && problem.label == refusal->text;
  });
  if (!known) {
    messages::refuse(refusal, {"what Kuma makes of this", nullptr, where}, problems_);
  }
}

}  // namespace spillway::scenario::kuma_binding
