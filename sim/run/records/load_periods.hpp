// How time is cut to say what endpoints had to do: into periods, of which epochs, samples and the windows of
// expectations are made.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct Results;  // results.hpp

struct Stretch {
  Nanoseconds start{0};
  Nanoseconds end{0};
};

enum class CutAt : std::uint8_t {
  eds_view,      // what may begin a row of a table
  every_change,  // of the scenario's author
};

// Where periods end, ascending: at such changes, at `cuts`, at every sample, at both ends of every window, and with the
// scenario.
[[nodiscard]] std::vector<Nanoseconds> period_ends(const scenario::Scenario& scenario,
                                                   std::optional<Nanoseconds> sample, CutAt changes,
                                                   std::span<const Nanoseconds> cuts = {});

// The periods [first, second) that a stretch is made of.
[[nodiscard]] std::pair<std::size_t, std::size_t> periods_of(const Stretch& stretch,
                                                             const std::vector<Nanoseconds>& ends);

// From 0 to the first one, and so on.
[[nodiscard]] std::vector<Stretch> stretches_between(const std::vector<Nanoseconds>& ends);
// From one end of any table's epoch to the next; all epochs must be in `results`.
[[nodiscard]] std::vector<Stretch> epoch_stretches(const Results& results);
[[nodiscard]] std::vector<Stretch> sample_stretches(Nanoseconds interval, Nanoseconds duration);
// Those of scenario::utilisation_windows, in their order.
[[nodiscard]] std::vector<Stretch> window_stretches(const scenario::Scenario& scenario);

// Equal parts of a window: how its parts differ says how far chance alone moves the whole. None of a window that is
// too short for them.
inline constexpr std::int64_t parts_of_window = 20;
[[nodiscard]] std::vector<Stretch> parts_of(const Stretch& window);

// Of each endpoint the service by whose name it is known; none: it is a zone proxy.
[[nodiscard]] std::vector<std::optional<config::ServiceIndex>> services_of_endpoints(
    const scenario::Scenario& scenario);

}  // namespace spillway::run
