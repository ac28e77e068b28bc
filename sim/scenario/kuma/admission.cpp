#include "sim/scenario/kuma/admission.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "models/kuma/validation.hpp"
#include "sim/scenario/kuma/field_path.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::kuma_documents {
namespace {

// Some messages of the schema name their field at their end: "... in spec.to[0].default".
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
      return "a failover that hardly ever starts";
    case kuma::LintCode::too_many_unweighted_tags:
      return "more unweighted affinity tags than weights fit";
    case kuma::LintCode::repeated_affinity_key:
      return "an affinity key written twice";
    case kuma::LintCode::disabled_has_no_effect:
      return "`disabled` without an effect";
    case kuma::LintCode::none_does_not_stop:
      break;
  }
  return "a rule `None` that does not stop the search";
}

// Kuma's names of tags and labels.
bool can_be_a_key(std::string_view key) {
  return key.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:/") ==
         std::string_view::npos;
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
        problems.push_back(
            with_help(warning("SP622", "an affinity key that no tag can have: " + in_ticks(key),
                              place_of(*policy.origin.node, path), "letters, digits and . - _ : / make a key"),
                      "look for a stray quote; Kuma takes the key and finds no endpoint with it"));
      }
    }
  }
}

}  // namespace

bool admit(const Origin& origin, const kuma::MeshLoadBalancingStrategy& spec, config::KumaProfile profile,
           Diagnostics& problems) {
  const std::vector<kuma::Violation> violations = kuma::admit(spec, profile);
  for (const kuma::Violation& violation : violations) {
    const std::string_view field = field_of(violation);
    problems.push_back(error("SP601", "Kuma refuses " + in_ticks(field) + " of " + in_ticks(origin.name),
                             place_of(*origin.node, field), violation.message));
  }
  return violations.empty();
}

std::string code_of(kuma::LintCode code) {
  constexpr int first = 611;
  return "SP" + std::to_string(first + static_cast<int>(code));
}

void lint(const Documents& documents, const kuma::LintContext& context, Diagnostics& problems) {
  for (const Document<kuma::Policy>& policy : documents.strategies) {
    for (const kuma::Lint& lint : kuma::lints(policy.value.spec, context)) {
      problems.push_back(
          warning(code_of(lint.code), title_of(lint.code), place_of(*policy.origin.node, lint.field), lint.message));
    }
    lint_keys(policy, problems);
  }
}

}  // namespace spillway::scenario::kuma_documents
