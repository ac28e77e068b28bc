#include "models/kuma/documents/admission.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/lints.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/targeting.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {
namespace {

// Returns the field of a violation. Some messages of the schema name their field at the end: "... in
// spec.to[0].default".
std::string_view field_of(const kuma::Violation& violation) {
  if (!violation.field.empty()) {
    return violation.field;
  }
  const std::size_t in = violation.message.rfind(" in ");
  return in == std::string::npos ? std::string_view() : std::string_view(violation.message).substr(in + 4);
}

std::string title_of(kuma::LintCode code) {
  switch (code) {
    case kuma::LintCode::threshold_rounds_up:
      return "a failover threshold that acts as another one";
    case kuma::LintCode::hash_with_affinity:
      return "affinity tags and failover with a hash balancer";
    case kuma::LintCode::empty_locality_awareness:
      return "`localityAwareness` without a section";
    case kuma::LintCode::cross_zone_without_rules:
      return "`crossZone` without failover rules";
    case kuma::LintCode::unreachable_rule:
      return "a failover rule that is never reached";
    case kuma::LintCode::unknown_zone:
      return "a zone that does not exist";
    case kuma::LintCode::failover_never_starts:
      return "a failover that almost never triggers";
    case kuma::LintCode::too_many_unweighted_tags:
      return "more unweighted affinity tags than weights fit";
    case kuma::LintCode::repeated_affinity_key:
      return "an affinity key written twice";
    case kuma::LintCode::disabled_has_no_effect:
      return "`disabled` without an effect";
    case kuma::LintCode::repeated_zone:
      return "a zone named twice";
    case kuma::LintCode::unknown_affinity_key:
      return "an affinity key that no dataplane has";
    case kuma::LintCode::order_beats_weights:
      return "affinity weights that their order overrules";
    case kuma::LintCode::after_the_end:
      return "a failover rule after the end of the list";
    case kuma::LintCode::none_does_not_stop:
      break;
  }
  return "a rule `None` that does not stop the search";
}

Diagnostic warning_of(const Document<kuma::Policy>& policy, const kuma::Lint& lint) {
  Diagnostic problem = warning(code_of(lint.code), place_of(*policy.origin.node, lint.field), "{}", "{}",
                               {title_of(lint.code), lint.message});
  if (!lint.note.empty()) {
    problem.note("{}", {lint.note});
  }
  if (!lint.help.empty()) {
    problem.help("{}", {lint.help});
  }
  return problem;
}

// True if the text can be a name of a tag or label in Kuma.
bool can_be_a_key(std::string_view key) {
  return key.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:/") ==
         std::string_view::npos;
}

void add_headers(const std::optional<std::vector<kuma::HashPolicy>>& policies, std::set<std::string>& headers) {
  for (const kuma::HashPolicy& policy : policies.value_or(std::vector<kuma::HashPolicy>{})) {
    if (policy.header && policy.header->name) {
      headers.insert(*policy.header->name);
    }
  }
}

// Returns the headers that any strategy hashes.
std::set<std::string> hashed_headers(const Documents& documents) {
  std::set<std::string> headers;
  for (const Document<kuma::Policy>& policy : documents.strategies) {
    for (const kuma::To& item : policy.value.spec.to.value_or(std::vector<kuma::To>{})) {
      const kuma::LoadBalancer balancer = item.default_.loadBalancer.value_or(kuma::LoadBalancer{});
      add_headers(item.default_.hashPolicies, headers);
      add_headers(balancer.ringHash.value_or(kuma::RingHash{}).hashPolicies, headers);
      add_headers(balancer.maglev.value_or(kuma::Maglev{}).hashPolicies, headers);
    }
  }
  return headers;
}

const std::vector<kuma::To>& items_of(const Document<kuma::Policy>& policy) {
  static const std::vector<kuma::To> none;
  return policy.value.spec.to ? *policy.value.spec.to : none;
}

// True if `other` reaches everything that `target` reaches. A missing reference means the whole mesh.
bool covers(const std::optional<kuma::TargetRef>& other, const std::optional<kuma::TargetRef>& target) {
  return !other || *other == kuma::TargetRef{.kind = "Mesh"} || other == target;
}

// True if `other` selects every client that `policy` selects.
bool covers(const Document<kuma::Policy>& other, const Document<kuma::Policy>& policy) {
  const auto same = [&](std::string_view label) {
    return kuma::value_of(other.value.labels, label) == kuma::value_of(policy.value.labels, label);
  };
  const bool anywhere = kuma::value_of(other.value.labels, kuma::origin_label) != "zone" || same(kuma::zone_tag);
  const bool in_any_namespace = kuma::value_of(other.value.labels, kuma::policy_role_label).empty() ||
                                (same(kuma::policy_role_label) && same(kuma::namespace_label));
  return !kuma::is_shadow(other.value) && other.origin.mesh == policy.origin.mesh && anywhere && in_any_namespace &&
         covers(other.value.spec.targetRef, policy.value.spec.targetRef);
}

// Returns, by item, whether another item gives rules to its `crossZone`: confs are merged.
std::vector<bool> which_get_rules(const Documents& documents, const Document<kuma::Policy>& policy) {
  std::vector<bool> result;
  for (const kuma::To& item : items_of(policy)) {
    result.push_back(std::any_of(documents.strategies.begin(), documents.strategies.end(), [&](const auto& other) {
      return covers(other, policy) &&
             std::any_of(items_of(other).begin(), items_of(other).end(), [&](const kuma::To& candidate) {
               const auto& awareness = candidate.default_.localityAwareness;
               return awareness && awareness->crossZone && awareness->crossZone->failover &&
                      !awareness->crossZone->failover->empty() && covers(candidate.targetRef, item.targetRef);
             });
    }));
  }
  return result;
}

bool has_affinity_tags(const Documents& documents) {
  return std::any_of(documents.strategies.begin(), documents.strategies.end(), [](const auto& policy) {
    return std::any_of(items_of(policy).begin(), items_of(policy).end(), [](const kuma::To& item) {
      const auto& awareness = item.default_.localityAwareness;
      return awareness && awareness->localZone && awareness->localZone->affinityTags;
    });
  });
}

// Returns, by item, the confs that cover the item's targets merged, those for the whole mesh first and the item's own
// last.
std::vector<kuma::Conf> merged_confs(const Documents& documents, const Document<kuma::Policy>& policy) {
  std::vector<kuma::Conf> result;
  for (const kuma::To& item : items_of(policy)) {
    kuma::Conf& merged = result.emplace_back();
    for (const bool whole_mesh : {true, false}) {
      for (const Document<kuma::Policy>& other : documents.strategies) {
        for (const kuma::To& candidate : items_of(other)) {
          const bool for_all = covers(candidate.targetRef, std::nullopt);
          if (&candidate != &item && for_all == whole_mesh && covers(other, policy) &&
              covers(candidate.targetRef, item.targetRef)) {
            kuma::merge_patch(merged, candidate.default_);
          }
        }
      }
    }
    kuma::merge_patch(merged, item.default_);
  }
  return result;
}

void lint_keys(const Document<kuma::Policy>& policy, Diagnostics& problems) {
  const std::vector<kuma::To> items = policy.value.spec.to.value_or(std::vector<kuma::To>{});
  for (std::size_t item = 0; item < items.size(); ++item) {
    const auto& awareness = items[item].default_.localityAwareness;
    if (!awareness || !awareness->localZone || !awareness->localZone->affinityTags) {
      continue;
    }
    const std::vector<kuma::AffinityTag>& tags = *awareness->localZone->affinityTags;
    for (std::size_t tag = 0; tag < tags.size(); ++tag) {
      const std::string_view key = kuma::value_of(tags[tag].key);
      if (!can_be_a_key(key)) {
        const std::string path = "spec.to[" + std::to_string(item) +
                                 "].default.localityAwareness.localZone.affinityTags[" + std::to_string(tag) + "].key";
        problems
            .warning("SP622", place_of(*policy.origin.node, path), "an affinity key that no tag can have: `{}`",
                     "letters, digits and . - _ : / make a key", {key})
            .help("look for a stray quote; Kuma takes the key and finds no endpoint with it");
      }
    }
  }
}

}  // namespace

bool admit(const Origin& origin, const std::vector<kuma::Violation>& violations, Diagnostics& problems) {
  for (const kuma::Violation& violation : violations) {
    const std::string_view field = field_of(violation);
    problems.error("SP601", place_of(*origin.node, field), "Kuma refuses `{}` of `{}`", "{}",
                   {field, origin.name, violation.message});
  }
  return violations.empty();
}

void refuse_changed_hashes(const Documents& documents, Diagnostics& problems) {
  const std::set<std::string> hashed = hashed_headers(documents);
  for (const Document<kuma::MeshHTTPRoute>& route : documents.http_routes) {
    const auto items = route.value.to.value_or(std::vector<kuma::TargetedItem<kuma::HttpRouteConf>>{});
    for (std::size_t item = 0; item < items.size(); ++item) {
      const std::vector<kuma::HttpRule>& rules = items[item].default_.rules;
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        for (const std::string& header : rules[rule].changed_headers) {
          if (hashed.contains(header)) {
            const std::string path =
                "spec.to[" + std::to_string(item) + "].rules[" + std::to_string(rule) + "].default.filters";
            problems.error("SP302", place_of(*route.origin.node, path),
                           "changing `{}`, which is hashed, is not supported yet", "a strategy hashes this header",
                           {header});
          }
        }
      }
    }
  }
}

std::string code_of(kuma::LintCode code) {
  constexpr int first = 611;
  constexpr int first_of_later_ones = 636;  // the codes in between are not lints
  const bool later = code >= kuma::LintCode::repeated_zone;
  const int position = static_cast<int>(code) - (later ? static_cast<int>(kuma::LintCode::repeated_zone) : 0);
  return "SP" + std::to_string((later ? first_of_later_ones : first) + position);
}

void lint(const Documents& documents, kuma::LintContext context, Diagnostics& problems) {
  const bool any_tags = has_affinity_tags(documents);
  for (const Document<kuma::Policy>& policy : documents.strategies) {
    // A shadow policy does nothing, so no lint applies to it.
    if (!kuma::is_shadow(policy.value)) {
      context.gets_rules = which_get_rules(documents, policy);
      context.merged = any_tags ? merged_confs(documents, policy) : std::vector<kuma::Conf>{};
      for (const kuma::Lint& lint : kuma::lints(policy.value.spec, context)) {
        problems.push_back(warning_of(policy, lint));
      }
    }
    lint_keys(policy, problems);
  }
}

void lint_affinity_keys(const Documents& documents, const std::set<std::string, std::less<>>& keys,
                        std::size_t dataplanes, Diagnostics& problems) {
  const std::vector<std::string> candidates(keys.begin(), keys.end());
  for (const Document<kuma::Policy>& policy : documents.strategies) {
    for (const kuma::Lint& lint : kuma::affinity_key_lints(policy.value.spec, keys, dataplanes)) {
      if (!can_be_a_key(lint.key)) {
        continue;  // reported by SP622
      }
      Diagnostic problem = warning_of(policy, lint);
      problem.message += ": " + in_ticks(lint.key);
      if (const std::string meant = grammar::nearest(lint.key, candidates); !meant.empty()) {
        problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
      }
      problems.push_back(std::move(problem));
    }
  }
}

}  // namespace spillway::kuma
