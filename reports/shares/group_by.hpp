// Groups shares: sums them over all dimensions that `--by` does not name.
//
//   Grouped grouped = group_by(scenario, results, Dimensions{Dimension::priority, Dimension::zone});
//
// Epochs and services are never merged. Rows that agree in every dimension of `by` become one. Exact and simulated
// shares, requests and attempts add up, and a sum with an unknown part is unknown. A confidence interval is that of the
// sum's counts in the replications. `region` is kept with `zone`.
//
// Without Dimension::client the clients of a service become one. Its epochs extend between times at which every client
// has an epoch boundary. Shares are weighted by the requests sent (in exact mode: rate x time x count). Percentiles of
// latency cannot be merged and are dropped.
#pragma once

#include <bitset>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

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

  // Adds the dimension with this name in `--by` and JSON. Returns false, without any change, if there is none.
  bool add(std::string_view name);
  void add(Dimension dimension) { set_.set(static_cast<std::size_t>(dimension)); }

  [[nodiscard]] Dimensions without(Dimension dimension) const {
    Dimensions fewer = *this;
    fewer.set_.reset(static_cast<std::size_t>(dimension));
    return fewer;
  }

  [[nodiscard]] bool has(Dimension dimension) const { return set_.test(static_cast<std::size_t>(dimension)); }
  [[nodiscard]] bool has_everything() const { return *this == everything(); }

  // Returns all names, in the order of the enumeration.
  static const std::vector<std::string>& names();

  friend bool operator==(const Dimensions&, const Dimensions&) = default;

 private:
  std::bitset<10> set_;
};

// Results in which the fields of dimensions outside `by` have their defaults and no meaning. Shares are sorted by
// (client, service, epoch), then by the dimensions in `by`: cluster, priority, availability, and zone, node and
// endpoint in the order of the scenario.
struct Grouped {
  Dimensions by;
  run::Results results;
};

// Returns the dimensions that the scenario's expectations need; empty without expectations.
[[nodiscard]] Dimensions dimensions_of_expectations(const scenario::Scenario& scenario);

// Returns the value for run::Options: requests are counted only by `by` if counting each cell (printed_cells.hpp)
// separately would need more than `most_alone` cells. Otherwise empty, so that each cell is counted.
inline constexpr double most_counted_alone = 5e6;
[[nodiscard]] run::CountedPositions counted_positions(const scenario::Scenario& scenario, const Dimensions& by,
                                                      double most_alone = most_counted_alone);

[[nodiscard]] Grouped group_by(const scenario::Scenario& scenario, const run::Results& results, Dimensions by);

}  // namespace spillway::reports
