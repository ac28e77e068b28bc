#include "models/kuma/lints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "models/kuma/decimal.hpp"
#include "models/kuma/overprovisioning_factor.hpp"

namespace spillway::kuma {

namespace {

constexpr std::size_t weights_that_fit = 9;

bool has_tags(const LocalityAwareness& awareness) {
  return awareness.localZone && awareness.localZone->affinityTags && !awareness.localZone->affinityTags->empty();
}

bool has_rules(const LocalityAwareness& awareness) {
  return awareness.crossZone && awareness.crossZone->failover && !awareness.crossZone->failover->empty();
}

bool takes_all(const ToZone& to) {
  return to.type == "Any";
}

// Three digits, in any locale.
std::string percent_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3).ptr;
  return {text.data(), end};
}

class Linter {
 public:
  explicit Linter(const LintContext& context) : context_(context) {}

  std::vector<Lint> check(const MeshLoadBalancingStrategy& spec) {
    const std::vector<To> items = spec.to.value_or(std::vector<To>{});
    for (std::size_t index = 0; index < items.size(); ++index) {
      const Conf& conf = items[index].default_;
      if (conf.localityAwareness) {
        awareness(conf, *conf.localityAwareness, "spec.to[" + std::to_string(index) + "].default.localityAwareness");
      }
    }
    return std::move(found_);
  }

 private:
  void add(LintCode code, std::string field, std::string message) {
    found_.push_back({code, std::move(field), std::move(message)});
  }

  void awareness(const Conf& conf, const LocalityAwareness& awareness, const std::string& path) {
    const bool rewrites = awareness.localZone || awareness.crossZone;
    if (!rewrites && !awareness.disabled.value_or(false) && context_.profile != config::KumaProfile::document) {
      add(LintCode::empty_locality_awareness, path,
          "other zones stay reachable, at priority 1 and Envoy's factor 140; `localZone: {}` keeps traffic in the "
          "zone");
    }
    if (rewrites && awareness.disabled.value_or(false)) {
      add(LintCode::disabled_has_no_effect, path + ".disabled", "localZone or crossZone overrules it");
    }
    if (has_tags(awareness)) {
      tags(*awareness.localZone->affinityTags, path + ".localZone.affinityTags");
    }
    if (awareness.crossZone) {
      cross_zone(awareness, path + ".crossZone");
    }
    const bool hashes =
        conf.loadBalancer && (conf.loadBalancer->type == "RingHash" || conf.loadBalancer->type == "Maglev");
    if (hashes && has_tags(awareness) && has_rules(awareness)) {
      add(LintCode::hash_with_affinity, path + ".localZone.affinityTags",
          "other zones have no locality weights, so that " + *conf.loadBalancer->type +
              " finds no host there: requests fail on failover");
    }
  }

  void tags(const std::vector<AffinityTag>& tags, const std::string& path) {
    const bool unweighted = !tags.front().weight;
    if (unweighted && tags.size() > weights_that_fit) {
      add(LintCode::too_many_unweighted_tags, path,
          "the default weight of the first of " + std::to_string(tags.size()) + " tags does not fit 32 bits");
    }
    std::set<std::string_view> keys;
    for (std::size_t index = 0; index < tags.size(); ++index) {
      if (!keys.insert(value_of(tags[index].key)).second) {
        add(LintCode::repeated_affinity_key, path + "[" + std::to_string(index) + "].key",
            "an earlier entry has this key and takes all its endpoints");
      }
    }
  }

  void cross_zone(const LocalityAwareness& awareness, const std::string& path) {
    if (awareness.crossZone->failoverThreshold && awareness.crossZone->failoverThreshold->percentage) {
      threshold(*awareness.crossZone->failoverThreshold->percentage, path + ".failoverThreshold.percentage");
    }
    if (!has_rules(awareness)) {
      add(LintCode::cross_zone_without_rules, path, "without failover rules no other zone is reachable");
      return;
    }
    const std::vector<Failover>& rules = *awareness.crossZone->failover;
    for (std::size_t index = 0; index < rules.size(); ++index) {
      rule(rules, index, path + ".failover[" + std::to_string(index) + "]");
    }
    if (!context_.marks_unhealthy) {
      add(LintCode::failover_never_starts, path + ".failover",
          "nothing marks hosts unhealthy, so that failover starts when the last local endpoint is gone");
    }
  }

  void threshold(const IntOrString& percentage, const std::string& path) {
    const auto number = parse_decimal(percentage);
    if (!number || number->sign <= 0 || number->above_hundred || context_.profile == config::KumaProfile::document) {
      return;
    }
    const std::uint32_t factor = overprovisioning_factor(percentage, context_.profile);
    if (factor > 0 && std::abs(number->value - 10000.0 / factor) > 1e-9) {
      add(LintCode::threshold_rounds_up, path,
          "acts as " + percent_text(10000.0 / factor) + " %: Kuma writes the factor " + std::to_string(factor));
    }
  }

  void rule(const std::vector<Failover>& rules, std::size_t index, const std::string& path) {
    const Failover& rule = rules[index];
    zones(rule.from ? rule.from->zones : std::nullopt, path + ".from.zones");
    zones(rule.to ? rule.to->zones : std::nullopt, path + ".to.zones");
    if (!rule.to) {
      return;
    }
    if (rule.to->type == "None") {
      if (index + 1 < rules.size()) {
        add(LintCode::none_does_not_stop, path + ".to.type", "later rules still admit zones");
      }
      return;
    }
    const auto earlier = rules.begin() + static_cast<std::ptrdiff_t>(index);
    if (std::any_of(rules.begin(), earlier, [&rule](const Failover& other) { return covers(other, rule); })) {
      add(LintCode::unreachable_rule, path, "an earlier rule admits every zone that this one does");
    }
  }

  // Whether `other` takes every zone, for every client, that `rule` would.
  static bool covers(const Failover& other, const Failover& rule) {
    if (!other.to || (other.from && !(rule.from && contains(other.from->zones, rule.from->zones)))) {
      return false;
    }
    if (takes_all(*other.to)) {
      return true;
    }
    if (other.to->type == "Only") {
      return rule.to->type == "Only" && contains(other.to->zones, rule.to->zones);
    }
    return other.to->type == "AnyExcept" && rule.to->type == "AnyExcept" && contains(rule.to->zones, other.to->zones);
  }

  static bool contains(const std::optional<std::vector<std::string>>& outer,
                       const std::optional<std::vector<std::string>>& inner) {
    if (!outer || !inner) {
      return false;
    }
    return std::all_of(inner->begin(), inner->end(), [&outer](const std::string& zone) {
      return std::find(outer->begin(), outer->end(), zone) != outer->end();
    });
  }

  void zones(const std::optional<std::vector<std::string>>& names, const std::string& path) {
    if (!names || context_.zones.empty()) {
      return;
    }
    for (std::size_t index = 0; index < names->size(); ++index) {
      if (std::find(context_.zones.begin(), context_.zones.end(), (*names)[index]) == context_.zones.end()) {
        add(LintCode::unknown_zone, path + "[" + std::to_string(index) + "]", "there is no zone " + (*names)[index]);
      }
    }
  }

  const LintContext& context_;
  std::vector<Lint> found_;
};

}  // namespace

std::string_view name_of(LintCode code) {
  switch (code) {
    case LintCode::threshold_rounds_up:
      return "threshold-rounds-up";
    case LintCode::hash_with_affinity:
      return "hash-with-affinity";
    case LintCode::empty_locality_awareness:
      return "empty-locality-awareness";
    case LintCode::cross_zone_without_rules:
      return "cross-zone-without-rules";
    case LintCode::unreachable_rule:
      return "unreachable-rule";
    case LintCode::unknown_zone:
      return "unknown-zone";
    case LintCode::failover_never_starts:
      return "failover-never-starts";
    case LintCode::too_many_unweighted_tags:
      return "too-many-unweighted-tags";
    case LintCode::repeated_affinity_key:
      return "repeated-affinity-key";
    case LintCode::disabled_has_no_effect:
      return "disabled-has-no-effect";
    case LintCode::none_does_not_stop:
      break;
  }
  return "none-does-not-stop";
}

std::vector<Lint> lints(const MeshLoadBalancingStrategy& spec, const LintContext& context) {
  return Linter(context).check(spec);
}

}  // namespace spillway::kuma
