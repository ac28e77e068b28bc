// Cuts time into periods for the loads of endpoints. Epochs, samples and the windows of expectations consist of whole
// periods.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Results;  // results.hpp

struct Stretch {
  Nanoseconds start{0};
  Nanoseconds end{0};
};

enum class CutAt : std::uint8_t {
  eds_view,      // changes that may begin a row of a table
  every_change,  // every change of the timeline
};

// Returns the ends of periods, ascending: at such changes, at `cuts`, at every sample, at both ends of every window,
// and at the scenario's end.
[[nodiscard]] std::vector<Nanoseconds> period_ends(const scenario::Scenario& scenario,
                                                   std::optional<Nanoseconds> sample, CutAt changes,
                                                   std::span<const Nanoseconds> cuts = {});

// Returns the periods [first, second) that make up a stretch.
[[nodiscard]] std::pair<std::size_t, std::size_t> periods_of(const Stretch& stretch,
                                                             const std::vector<Nanoseconds>& ends);

// Returns the stretches between consecutive ends, starting at 0.
[[nodiscard]] std::vector<Stretch> stretches_between(const std::vector<Nanoseconds>& ends);
// Returns the stretches between consecutive ends of any table's epochs. Precondition: all epochs are in `results`.
[[nodiscard]] std::vector<Stretch> epoch_stretches(const Results& results);
[[nodiscard]] std::vector<Stretch> sample_stretches(Nanoseconds interval, Nanoseconds duration);
// Returns the stretches of scenario::utilisation_windows, in their order.
[[nodiscard]] std::vector<Stretch> window_stretches(const scenario::Scenario& scenario);

// The number of equal parts of a window. The differences between parts show how much chance affects the whole.
// parts_of() returns no parts for a window that is too short.
inline constexpr std::int64_t parts_of_window = 20;
[[nodiscard]] std::vector<Stretch> parts_of(const Stretch& window);

// Returns by endpoint the service under whose name it is known; nullopt for a zone proxy.
[[nodiscard]] std::vector<std::optional<config::ServiceIndex>> services_of_endpoints(
    const scenario::Scenario& scenario);

}  // namespace spillway::run
