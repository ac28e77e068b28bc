// Groups shares: sums them over everything that `--by` does not name.
//
//   Grouped grouped = group_by(scenario, results, Dimensions{Dimension::priority, Dimension::zone});
//
// Epoch and service always stay apart. Rows that agree in every dimension that was asked for become one: exact and
// simulated shares, requests and attempts add up; a sum with an unknown part is unknown; a confidence interval is that
// of the sum's counts in the replications. `region` stays with `zone`.
//
// Without Dimension::client the clients of a service become one: its epochs reach from one moment at which every client
// has an epoch's boundary to the next, and shares are weighted by the requests sent (in exact mode: rate x time x
// count). Percentiles of latency cannot be put together and go.
#pragma once

#include <bitset>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/results.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

enum class Dimension : std::uint8_t {
  client,
  cluster,
  priority,
  availability,
  zone,
  sub_zone,
  node,
  subset,
  via,
  endpoint
};

class Dimensions {
 public:
  Dimensions() = default;
  Dimensions(std::initializer_list<Dimension> dimensions) {
    for (const Dimension dimension : dimensions) {
      add(dimension);
    }
  }

  static Dimensions everything();

  [[nodiscard]] Dimensions with(const Dimensions& others) const {
    Dimensions more = *this;
    more.set_ |= others.set_;
    return more;
  }

  // By the name that `--by` and the JSON use. False, and nothing changed, if there is none of this name.
  bool add(std::string_view name);
  void add(Dimension dimension) { set_.set(static_cast<std::size_t>(dimension)); }

  [[nodiscard]] Dimensions without(Dimension dimension) const {
    Dimensions fewer = *this;
    fewer.set_.reset(static_cast<std::size_t>(dimension));
    return fewer;
  }

  [[nodiscard]] bool has(Dimension dimension) const { return set_.test(static_cast<std::size_t>(dimension)); }
  [[nodiscard]] bool has_everything() const { return *this == everything(); }

  // In the order of the enumeration.
  static const std::vector<std::string>& names();

  friend bool operator==(const Dimensions&, const Dimensions&) = default;

 private:
  std::bitset<10> set_;
};

// Results in which the fields that `by` does not hold are at their default and mean nothing. Shares are sorted by
// (client, service, epoch) and then, as far as they are grouped by it, cluster, priority, availability, and zone, node
// and endpoint in the order of the scenario.
struct Grouped {
  Dimensions by;
  run::Results results;
};

// What shares are looked at by when the scenario's expectations are judged; nothing without expectations.
[[nodiscard]] Dimensions dimensions_of_expectations(const scenario::Scenario& scenario);

// For run::Options: requests are counted by `by` alone where more than `most_alone` cells (printed_cells.hpp) would be
// counted each for itself; else nothing, so that each is.
inline constexpr double most_counted_alone = 5e6;
[[nodiscard]] run::CountedPositions counted_positions(const scenario::Scenario& scenario, const Dimensions& by,
                                                      double most_alone = most_counted_alone);

[[nodiscard]] Grouped group_by(const scenario::Scenario& scenario, const run::Results& results, Dimensions by);

}  // namespace spillway::reports
