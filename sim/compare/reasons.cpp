#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "models/config/listed_health.hpp"
#include "models/envoy/cluster.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::compare {
namespace {

constexpr std::size_t most_hosts_tried = 64;
constexpr int most_hosts_at_once = 3;
constexpr double least_part = 0.0005;  // printed as 0.1 %

std::string percent(double part) {
  return fmt::format("{:.1f} %", part * 100.0);
}

class Reasons {
 public:
  explicit Reasons(const Tested& tested)
      : tested_(tested), case_(tested.one), ground_(tested.ground), base_(tested.base), threshold_(tested.threshold) {}

  std::vector<Reason> all() {
    auto held = held_otherwise(tested_);
    part_of_the_time();
    add(picks_without_connection(tested_, "", [](std::size_t, const ObservedHost&) { return true; }));
    if (!held) {
      reported_other_weights();
    }
    weights_changed();
    weights_ignored();
    requests_in_flight();
    sticky_keys();
    several_workers();
    add(retried_requests(tested_));
    add(requests_beyond_log(tested_));
    client_elsewhere();
    add(reset_counters(tested_));
    if (case_.unknown > 0) {
      rule_out_all();
    }
    // Not ruled out: this reason has the proxy's own hosts, including those missing in the configuration.
    add(std::move(held));
    numeric::stable_sort(found_, [](const Reason& one, const Reason& other) {
      return std::tuple(!one.explains, !one.seen, -one.chance) <
             std::tuple(!other.explains, !other.seen, -other.chance);
    });
    return std::move(found_);
  }

 private:
  void add(ReasonKind kind, double chance, bool seen, std::string text) {
    found_.push_back(tested_.reason(kind, chance, seen, std::move(text)));
  }

  void add(std::optional<Reason> reason) {
    if (reason) {
      found_.push_back(*std::move(reason));
    }
  }

  // Rules out all reasons: each moves requests only between hosts of the configuration, not to other hosts.
  void rule_out_all() {
    for (Reason& reason : found_) {
      reason.explains = false;
      reason.chance = 0.0;
    }
  }

  // Returns the chance under a mixture of these predictions; `mixture` receives the mixture.
  double chance_under(const std::vector<Prediction>& states, Mixture* mixture = nullptr) const {
    Ground ground = ground_;
    for (const Prediction& state : states) {
      ground.blur(state);
    }
    const Mixture mixed = ground.mix(states);
    if (mixture != nullptr) {
      *mixture = mixed;
    }
    return ground.chance(mixed);
  }

  // Returns the hosts whose counts deviate, largest distance first.
  [[nodiscard]] std::vector<std::size_t> suspects() const {
    const std::vector<std::uint64_t>& counts = ground_.counts();
    const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t host = 0; host < counts.size(); ++host) {
      const double expected = total * base_.shares[host];
      const double off = static_cast<double>(counts[host]) - expected;
      order.emplace_back(-off * off / std::max(1.0, expected), host);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> hosts;
    for (std::size_t i = 0; i < std::min(most_hosts_tried, order.size()); ++i) {
      hosts.push_back(order[i].second);
    }
    return hosts;
  }

  [[nodiscard]] const std::string& address_of(std::size_t host) const { return case_.hosts()[host].address; }

  // Additional states, mixed in one at a time until counts fit. Each is that of the host that fits best.
  struct Added {
    std::vector<std::size_t> hosts = {};
    Mixture mixture = {};  // with all of `hosts`
    double chance = 0.0;
  };
  // `of` makes the prediction for a set of hosts. If `again`, a host may be added several times.
  template <class Of>
  [[nodiscard]] Added add_hosts(bool again, Of of) const {
    Added added;
    std::vector<Prediction> states = case_.states;
    for (int round = 0; round < most_hosts_at_once && added.chance < threshold_; ++round) {
      std::optional<Added> best;
      std::optional<Prediction> state_of_best;
      for (const std::size_t host : suspects()) {
        if (!again && std::any_of(added.hosts.begin(), added.hosts.end(),
                                  [&](std::size_t other) { return address_of(other) == address_of(host); })) {
          continue;
        }
        Added next{.hosts = added.hosts};
        next.hosts.push_back(host);
        std::vector<Prediction> with = states;
        with.push_back(of(next.hosts));
        next.chance = chance_under(with, &next.mixture);
        if (!best || next.chance > best->chance) {
          best = std::move(next);
          state_of_best = std::move(with.back());
        }
      }
      if (!best) {
        break;
      }
      states.push_back(*std::move(state_of_best));
      added = *std::move(best);
    }
    return added;
  }

  // Tests whether one host was down for a part of the requests; if that is not enough, up to three hosts.
  void part_of_the_time() {
    const Added added = add_hosts(false, [&](const std::vector<std::size_t>& hosts) {
      EdsReport reported = case_.after;
      for (const std::size_t host : hosts) {
        reported.status[address_of(host)] =
            was_up(address_of(host)) ? config::HealthStatus::unhealthy : config::HealthStatus::healthy;
      }
      return predict(case_.scenario, reported);
    });
    const std::string text = flipped_text(added);
    if (text.empty()) {
      return;
    }
    const bool seen =
        case_.ejections.value_or(0) > 0 || case_.membership_changes.value_or(0) > 0 ||
        case_.check_failures.value_or(0) > 0 ||
        std::any_of(added.hosts.begin(), added.hosts.end(), [&](std::size_t host) { return shows_trouble(host); });
    add(ReasonKind::part_of_the_time, added.chance, seen, text);
  }

  [[nodiscard]] bool was_up(const std::string& address) const {
    const auto status = case_.after.status.find(address);
    if (status != case_.after.status.end()) {
      return config::can_be_picked(status->second);
    }
    for (const PredictedHost& host : case_.configured) {
      if (host.address == address) {
        return config::can_be_picked(host.status);
      }
    }
    return true;
  }

  // States are added one by one, each with one more host. Hosts in a state without requests are not named.
  [[nodiscard]] std::string flipped_text(const Added& flipped) const {
    std::string text;
    const std::vector<double>& parts = flipped.mixture.parts;
    const std::size_t first = parts.size() - flipped.hosts.size();
    for (std::size_t i = 0; i < flipped.hosts.size(); ++i) {
      const double part = std::accumulate(parts.begin() + static_cast<std::ptrdiff_t>(first + i), parts.end(), 0.0);
      const std::string& address = address_of(flipped.hosts[i]);
      if (part < least_part) {
        continue;
      }
      text += fmt::format("{}{} was {} for {} of the requests", text.empty() ? "" : ", ", address,
                          was_up(address) ? "unhealthy, ejected or away" : "healthy", percent(part));
    }
    return text;
  }

  [[nodiscard]] bool shows_trouble(std::size_t suspect) const {
    const ObservedHost* const host = case_.observation.find(address_of(suspect));
    if (host == nullptr) {
      return false;
    }
    const bool flagged = (host->before && !(host->before->flags == envoy::HostFlags{})) ||
                         (host->after && !(host->after->flags == envoy::HostFlags{}));
    // A failing host is still picked unless outlier detection is on, which counts ejections.
    const envoy::Cluster& cluster = cluster_of(case_.scenario);
    const bool may_be_ejected = cluster.outlier_detection.has_value() && !case_.ejections;
    return flagged || (may_be_ejected && (host->errors > 0 || host->connect_failures > 0));
  }

  // Returns the weights of all hosts at one time.
  [[nodiscard]] std::map<std::string, std::uint32_t> weights_at(bool after) const {
    std::map<std::string, std::uint32_t> weights;
    for (const ObservedHost& host : case_.observation.hosts) {
      const auto& held = after ? host.after : host.before;
      if (held) {
        weights[host.address] = held->weight;
      }
    }
    return weights;
  }

  void reported_other_weights() {
    const auto weights = weights_at(true);
    const bool differ = std::any_of(case_.configured.begin(), case_.configured.end(), [&](const auto& host) {
      const auto held = weights.find(host.address);
      return held != weights.end() && held->second != host.weight;
    });
    if (!differ) {
      return;
    }
    EdsReport reported = case_.after;
    reported.weights = weights;
    add(ReasonKind::reported_otherwise, chance_under(predict_ways(case_, reported)), true,
        "the proxy has other weights than the configuration");
  }

  void weights_changed() {
    const auto before = weights_at(false);
    const auto after = weights_at(true);
    std::string text;
    for (const auto& [address, weight] : after) {
      const auto old = before.find(address);
      if (old != before.end() && old->second != weight) {
        text += fmt::format("{}{} {} -> {}", text.empty() ? "weights changed in between: " : ", ", address, old->second,
                            weight);
      }
    }
    if (text.empty()) {
      return;
    }
    EdsReport reported_before = case_.before;
    reported_before.weights = before;
    EdsReport reported_after = case_.after;
    reported_after.weights = after;
    Mixture mixture;
    const double chance =
        chance_under({predict(case_.scenario, reported_before), predict(case_.scenario, reported_after)}, &mixture);
    add(ReasonKind::weights_changed, chance, true,
        text + fmt::format("; {} of the requests came before", percent(mixture.parts.front())));
  }

  void weights_ignored() {
    EdsReport reported = case_.after;
    std::set<std::uint32_t> different;
    for (const PredictedHost& host : case_.configured) {
      different.insert(host.weight);
      reported.weights[host.address] = 1;
    }
    if (different.size() > 1) {
      add(ReasonKind::weights_ignored, chance_under(predict_ways(case_, reported)), false,
          "the counts are as if all weights were equal");
    }
  }

  void requests_in_flight() {
    if (picks_by_load(case_.scenario)) {
      add(ReasonKind::requests_in_flight, ground_.chance(base_), false,
          "requests in flight move picks between hosts of one cell, whose sum was tested");
    }
  }

  // Tests whether some keys are so frequent that their hosts get an additional part of the requests.
  void sticky_keys() {
    if (!picks_by_hash(case_.scenario)) {
      return;
    }
    const Added added = add_hosts(true, [&](const std::vector<std::size_t>& hosts) { return all_to(hosts.back()); });
    std::string text;
    for (std::size_t i = 0; i < added.hosts.size(); ++i) {
      text += fmt::format("{}keys with {} of the requests belong to {}", text.empty() ? "" : ", ",
                          percent(added.mixture.parts[case_.states.size() + i]), address_of(added.hosts[i]));
    }
    add(ReasonKind::sticky_keys, added.chance, false, text);
    const double dispersion = ground_.dispersion(base_);
    if (added.chance < threshold_ && dispersion > 1.0) {
      const auto total =
          static_cast<double>(std::accumulate(ground_.counts().begin(), ground_.counts().end(), std::uint64_t{0}));
      found_.back().text += fmt::format("; counts stray as if there were {:.0f} keys", total / dispersion);
    }
  }

  [[nodiscard]] Prediction all_to(std::size_t host) const {
    Prediction sure = case_.states.front();
    for (std::size_t other = 0; other < sure.hosts.size(); ++other) {
      sure.hosts[other].share = other == host ? 1.0 : 0.0;
    }
    return sure;
  }

  // Tests several workers: each has its own round, so each may be in the middle of one.
  void several_workers() {
    if (case_.concurrency < 2 || picks_by_hash(case_.scenario)) {
      return;
    }
    const std::vector<std::uint64_t>& counts = ground_.counts();
    const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    double furthest = 0.0;
    for (std::size_t host = 0; host < counts.size(); ++host) {
      furthest = std::max(furthest, std::abs(static_cast<double>(counts[host]) - total * base_.shares[host]));
    }
    const double bound = static_cast<double>(case_.concurrency);
    add(ReasonKind::several_workers, furthest <= bound ? 1.0 : 0.0, true,
        fmt::format("{} workers with rounds of their own may move each host by {} requests; the furthest is off by "
                    "{:.0f}",
                    case_.concurrency, case_.concurrency, furthest));
  }

  // Tests whether a part of the requests came from a client in another locality with other shares.
  void client_elsewhere() {
    std::optional<Reason> best;
    std::set<config::Locality> tried;
    for (const PredictedHost& host : case_.configured) {
      if (!tried.insert(host.locality).second || tried.size() > most_hosts_tried) {
        continue;
      }
      EdsReport reported = case_.after;
      reported.client = host.locality;
      const Prediction moved = predict(case_.scenario, reported);
      if (same_shares(moved)) {
        continue;
      }
      std::vector<Prediction> states = case_.states;
      states.push_back(moved);
      Mixture mixture;
      const double chance = chance_under(states, &mixture);
      if (!best || chance > best->chance) {
        best = tested_.reason(ReasonKind::another_client, chance, false,
                              fmt::format("{} of the requests came from a client in {}", percent(mixture.parts.back()),
                                          zone_name(host.locality)));
      }
    }
    add(std::move(best));
  }

  [[nodiscard]] bool same_shares(const Prediction& other) const {
    const auto& hosts = case_.states.front().hosts;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      if (std::abs(hosts[host].share - other.hosts[host].share) > statistics::share_slack) {
        return false;
      }
    }
    return true;
  }

  const Tested& tested_;
  const Case& case_;
  const Ground& ground_;
  const Mixture& base_;
  double threshold_;
  std::vector<Reason> found_;
};

}  // namespace

std::vector<Reason> reasons_of(const Tested& tested) {
  return Reasons(tested).all();
}

}  // namespace spillway::compare
