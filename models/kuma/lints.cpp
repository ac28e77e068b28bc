#include "models/kuma/lints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/decimal.hpp"
#include "models/kuma/failover_reach.hpp"
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

std::string in_brackets(std::size_t index) {
  return "[" + std::to_string(index) + "]";
}

// Formats three significant digits, independent of the locale.
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
        gets_rules_ = index < context_.gets_rules.size() && context_.gets_rules[index];
        awareness(conf, *conf.localityAwareness, "spec.to[" + std::to_string(index) + "].default.localityAwareness");
      }
      hash_with_affinity(conf, index < context_.merged.size() ? context_.merged[index] : conf,
                         "spec.to[" + std::to_string(index) + "].default");
    }
    return std::move(found_);
  }

 private:
  void add(LintCode code, std::string field, std::string message) {
    found_.push_back({.code = code, .field = std::move(field), .message = std::move(message)});
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
      cross_zone(conf, awareness, path + ".crossZone");
    }
  }

  static bool hashes(const Conf& conf) {
    return conf.loadBalancer && (conf.loadBalancer->type == "RingHash" || conf.loadBalancer->type == "Maglev");
  }

  // Returns the path of the item's part in the problem: its affinity tags, failover rules or balancer. Empty if it has
  // no part.
  static std::string part_in_trap(const Conf& conf, const std::string& path) {
    if (conf.localityAwareness && has_tags(*conf.localityAwareness)) {
      return path + ".localityAwareness.localZone.affinityTags";
    }
    if (conf.localityAwareness && has_rules(*conf.localityAwareness)) {
      return path + ".localityAwareness.crossZone.failover";
    }
    return hashes(conf) ? path + ".loadBalancer.type" : "";
  }

  // Warns of a hash balancer with affinity tags and failover rules. The merged conf decides, whichever policies it
  // comes from.
  void hash_with_affinity(const Conf& conf, const Conf& merged, const std::string& path) {
    const std::string place = part_in_trap(conf, path);
    if (!place.empty() && hashes(merged) && merged.localityAwareness && has_tags(*merged.localityAwareness) &&
        has_rules(*merged.localityAwareness)) {
      add(LintCode::hash_with_affinity, place,
          "other zones have no locality weights, so that " + *merged.loadBalancer->type +
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
        add(LintCode::repeated_affinity_key, path + in_brackets(index) + ".key",
            "an earlier entry has this key and takes all its endpoints");
      }
      if (!unweighted && context_.profile != config::KumaProfile::document) {
        weight(tags, index, path + in_brackets(index) + ".weight");
      }
    }
  }

  // Warns of an order that overrides weights: an endpoint that matches several tags belongs to the first, whatever
  // their weights. (The first tag has none before it and is compared with itself.)
  void weight(const std::vector<AffinityTag>& tags, std::size_t index, const std::string& path) {
    const auto lightest =
        std::min_element(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(index),
                         [](const AffinityTag& left, const AffinityTag& right) { return left.weight < right.weight; });
    if (lightest->weight < tags[index].weight && value_of(lightest->key) != value_of(tags[index].key)) {
      const std::string key(value_of(lightest->key));
      add(LintCode::order_beats_weights, path,
          std::to_string(tags[index].weight.value_or(0)) + " comes after the " +
              std::to_string(lightest->weight.value_or(0)) + " of " + key +
              ": an endpoint that matches both counts for " + key + ", since order decides and not weight");
    }
  }

  void cross_zone(const Conf& conf, const LocalityAwareness& awareness, const std::string& path) {
    if (awareness.crossZone->failoverThreshold && awareness.crossZone->failoverThreshold->percentage) {
      threshold(*awareness.crossZone->failoverThreshold->percentage, path + ".failoverThreshold.percentage");
    }
    if (!has_rules(awareness) && gets_rules_ && !awareness.crossZone->failover) {
      return;
    }
    if (!has_rules(awareness)) {
      add(LintCode::cross_zone_without_rules, path, "without failover rules no other zone is reachable");
      return;
    }
    const std::vector<Failover>& rules = *awareness.crossZone->failover;
    const std::vector<FailoverReach> reach = failover_reach(conf, context_.zones, context_.profile);
    for (std::size_t index = 0; index < rules.size(); ++index) {
      rule(rules, index, reach, path + ".failover");
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
      const std::string acts = percent_text(10000.0 / factor);
      add(LintCode::threshold_rounds_up, path,
          "acts as " + acts + " %: Kuma writes the factor " + std::to_string(factor));
      Lint& lint = found_.back();
      lint.note = "Kuma truncates 100 / " + percent_text(number->value) + " to " + std::to_string(factor / 100) +
                  " before it multiplies, so Envoy gets factor " + std::to_string(factor) + " and spills below " +
                  acts + " % of healthy endpoints";
      lint.help =
          percent_text(10000.0 / (factor + 100)) + " is the largest value below " + acts + " that acts as written";
    }
  }

  void rule(const std::vector<Failover>& rules, std::size_t index, const std::vector<FailoverReach>& all,
            const std::string& list) {
    const Failover& rule = rules[index];
    const FailoverReach& reach = all[index];
    const std::string path = list + in_brackets(index);
    zones(rule.from ? rule.from->zones : std::nullopt, path + ".from.zones");
    zones(rule.to ? rule.to->zones : std::nullopt, path + ".to.zones");
    if (!rule.to) {
      return;
    }
    const auto earlier = rules.begin() + static_cast<std::ptrdiff_t>(index);
    if (rule.to->type != "None" &&
        std::any_of(rules.begin(), earlier, [&rule](const Failover& other) { return covers(other, rule); })) {
      add(LintCode::unreachable_rule, path, "an earlier rule admits every zone that this one does");
    } else if (reach.ended_by) {
      add(LintCode::after_the_end, path, after_the_end(rules, *reach.ended_by));
    } else if (admits_own_zone_only(rule)) {
      add(LintCode::unreachable_rule, path, "it admits its clients' own zone only, which does not count");
    } else if (rule.to->type == "None" && context_.profile != config::KumaProfile::document &&
               is_passed(rules, index, all)) {
      add(LintCode::none_does_not_stop, path + ".to.type", "later rules still admit zones");
    } else if (reach.never_reached) {
      add(LintCode::unreachable_rule, path, "earlier rules together admit every zone that this one does");
    } else {
      taken(*rule.to, reach, path + ".to.zones");
    }
  }

  static bool admits_own_zone_only(const Failover& rule) {
    return rule.to->type == "Only" && rule.from && rule.from->zones && rule.from->zones->size() == 1 &&
           contains(rule.from->zones, rule.to->zones);
  }

  // True if a client of a rule `None` goes on to a later rule that admits another zone to it.
  bool is_passed(const std::vector<Failover>& rules, std::size_t none, const std::vector<FailoverReach>& reach) const {
    for (std::size_t later = none + 1; later < rules.size(); ++later) {
      if (!rules[later].to || rules[later].to->type == "None" || reach[later].ended_by || reach[later].never_reached) {
        continue;
      }
      const std::vector<std::string> clients = common_clients(rules[none], rules[later]);
      const bool all_clients = !rules[none].from && !rules[later].from && clients.empty();
      if (all_clients || std::any_of(clients.begin(), clients.end(), [&](const std::string& client) {
            return admits_another(*rules[later].to, client);
          })) {
        return true;
      }
    }
    return false;
  }

  // Returns the zones whose clients both rules concern; empty if all zones are meant and unknown.
  [[nodiscard]] std::vector<std::string> common_clients(const Failover& left, const Failover& right) const {
    const auto of = [](const Failover& rule) { return rule.from ? rule.from->zones : std::nullopt; };
    std::vector<std::string> clients = of(left) ? *of(left) : of(right) ? *of(right) : context_.zones;
    if (const auto zones = of(right)) {
      std::erase_if(clients, [&](const std::string& zone) {
        return std::find(zones->begin(), zones->end(), zone) == zones->end();
      });
    }
    return clients;
  }

  // True if a rule admits a zone to a client, besides its own. If the zones are unknown there may be any.
  [[nodiscard]] bool admits_another(const ToZone& to, const std::string& client) const {
    const std::vector<std::string> named = to.zones.value_or(std::vector<std::string>{});
    const auto is_other = [&](const std::string& zone) {
      const bool is_named = std::find(named.begin(), named.end(), zone) != named.end();
      return zone != client && (to.type == "Any" || is_named == (to.type == "Only"));
    };
    const std::vector<std::string>& candidates = to.type == "Only" ? named : context_.zones;
    return candidates.empty() || std::any_of(candidates.begin(), candidates.end(), is_other);
  }

  // True if `other` by itself takes every zone, for every client, that `rule` would.
  static bool covers(const Failover& other, const Failover& rule) {
    if (!other.to || (other.from && !(rule.from && contains(other.from->zones, rule.from->zones)))) {
      return false;
    }
    if (other.to->type == "Any") {
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

  std::string after_the_end(const std::vector<Failover>& rules, std::size_t end) const {
    const ToZone& to = *rules[end].to;
    const std::string by = "failover" + in_brackets(end);
    if (to.type == "None") {
      return by + " is `None`, which ends the list";
    }
    if (to.type == "Any") {
      return by + " is `Any` and admits every zone that is left";
    }
    return "with " + by + " the rules before have admitted every zone" +
           (context_.zones.empty() ? "" : " of the " + std::to_string(context_.zones.size()) + " there are");
  }

  // Warns of zones already taken, if the rule has other zones too.
  void taken(const ToZone& to, const FailoverReach& reach, const std::string& path) {
    const std::vector<std::string> names = to.zones.value_or(std::vector<std::string>{});
    std::set<std::string_view> reported;
    for (std::size_t index = 0; index < names.size(); ++index) {
      const auto found = reach.taken.find(names[index]);
      if (found != reach.taken.end() && reported.insert(names[index]).second) {
        add(LintCode::repeated_zone, path + in_brackets(index),
            "failover" + in_brackets(found->second) + " admits " + names[index] +
                " already, at its own priority; it gets none here");
      }
    }
  }

  void zones(const std::optional<std::vector<std::string>>& names, const std::string& path) {
    if (!names) {
      return;
    }
    std::map<std::string_view, std::size_t> first;
    const std::set<std::string_view> existing(context_.zones.begin(), context_.zones.end());
    const std::size_t different = std::set<std::string_view>(names->begin(), names->end()).size();
    for (std::size_t index = 0; index < names->size(); ++index) {
      const std::string& name = (*names)[index];
      if (!existing.empty() && !existing.contains(name)) {
        add(LintCode::unknown_zone, path + in_brackets(index), "there is no zone " + name);
      }
      if (const auto [known, added] = first.emplace(name, index); !added) {
        add(LintCode::repeated_zone, path + in_brackets(index),
            name + " is zones" + in_brackets(known->second) + " already: the " + std::to_string(names->size()) +
                " entries name " + std::to_string(different) + (different == 1 ? " zone" : " zones"));
      }
    }
  }

  const LintContext& context_;
  bool gets_rules_ = false;  // of the current item
  std::vector<Lint> found_;
};

// Returns the share of local traffic that an entry would have, with all entries and the rest of 1.
std::string part_of_local(const std::vector<AffinityTag>& tags, std::size_t entry) {
  std::uint64_t sum = 1;
  const auto weight_of = [&](std::size_t index) {
    return std::uint64_t{tags[index].weight.value_or(default_affinity_weight(tags.size(), index))};
  };
  for (std::size_t index = 0; index < tags.size(); ++index) {
    sum += weight_of(index);
  }
  return "weight " + std::to_string(weight_of(entry)) + " of " + std::to_string(sum);
}

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
    case LintCode::repeated_zone:
      return "repeated-zone";
    case LintCode::unknown_affinity_key:
      return "unknown-affinity-key";
    case LintCode::order_beats_weights:
      return "order-beats-weights";
    case LintCode::after_the_end:
      return "after-the-end";
    case LintCode::none_does_not_stop:
      break;
  }
  return "none-does-not-stop";
}

std::vector<Lint> lints(const MeshLoadBalancingStrategy& spec, const LintContext& context) {
  return Linter(context).check(spec);
}

std::vector<Lint> affinity_key_lints(const MeshLoadBalancingStrategy& spec,
                                     const std::set<std::string, std::less<>>& keys, std::size_t dataplanes) {
  std::vector<Lint> found;
  const std::vector<To> items = spec.to.value_or(std::vector<To>{});
  for (std::size_t item = 0; item < items.size(); ++item) {
    const auto& awareness = items[item].default_.localityAwareness;
    if (!awareness || !has_tags(*awareness)) {
      continue;
    }
    const std::vector<AffinityTag>& tags = *awareness->localZone->affinityTags;
    for (std::size_t tag = 0; tag < tags.size(); ++tag) {
      if (!keys.contains(value_of(tags[tag].key))) {
        found.push_back({LintCode::unknown_affinity_key,
                         "spec.to" + in_brackets(item) + ".default.localityAwareness.localZone.affinityTags" +
                             in_brackets(tag) + ".key",
                         "none of the " + std::to_string(dataplanes) + " dataplanes has it: its " +
                             part_of_local(tags, tag) + " goes to the rest",
                         std::string(value_of(tags[tag].key))});
      }
    }
  }
  return found;
}

}  // namespace spillway::kuma
