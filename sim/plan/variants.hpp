// A scenario's variants: with other numbers of endpoints, other settings, and what fails.
//
//   Variants variants(base, at, growth);
//   auto variant = variants.with({});                      // the file's own numbers of endpoints
//   scenario::Scenario still = variants.still(*variant, variant->failures[1]);
//   Loads loads = variants.loads(*variant, variant->failures[1], still);
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/plan/failures.hpp"
#include "sim/plan/loads.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::run {
struct Options;  // run.hpp
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::plan {

using Counts = std::map<scenario::GroupPlace, std::uint32_t>;

// What somebody may set otherwise, in all services at once.
struct Settings {
  std::optional<std::uint32_t> overprovisioning_factor = {};
  std::optional<double> healthy_panic_threshold = {};  // percent
};
void apply(const Settings& settings, scenario::Scenario& scenario);

// The scenario with some numbers of endpoints, and what may fail in it.
struct Variant {
  Counts counts;
  scenario::Scenario scenario;  // nothing fails
  std::vector<Failure> failures;
};

// A failure to be simulated by requests.
struct Simulated {
  scenario::Scenario scenario;
  std::chrono::nanoseconds measured_from{0};  // run::Options::measured_from
};

// The same with the failure at another moment of what proxies do at intervals: of active checks and of outlier
// detection's sweeps. How long they take to notice depends on it, and nobody chooses when something fails: moments of
// successive replications are spread evenly over the longest interval, whatever the scenario's duration is.
[[nodiscard]] Simulated in_phase(Simulated simulated, std::size_t replication);
// The same with moments that are spread over that interval, for two that are to fail at the same ones.
[[nodiscard]] Simulated in_phase(Simulated simulated, std::size_t replication, std::chrono::nanoseconds interval);

// Of what proxies do at intervals while there is traffic: active checks and outlier detection's sweeps; 0: nothing.
[[nodiscard]] std::chrono::nanoseconds longest_interval(const scenario::Scenario& scenario);

// What that replication of it is played with, beside what else is asked of the run: mode, seed, warm-up.
[[nodiscard]] run::Options simulated_with(run::Options options, const Simulated& simulated, std::size_t replication);

// How often what has no closed form is simulated, and how many processes share the work.
struct Effort {
  std::uint32_t replications = 5;
  std::size_t jobs = 1;
  std::uint32_t first = 0;  // of the replications that are simulated: others draw independently of those before
  // That one replication may send; more throw TooManyRequests before anything is simulated.
  double most_requests = std::numeric_limits<double>::infinity();
};

struct TooManyRequests : std::runtime_error {
  explicit TooManyRequests(double of_one) : std::runtime_error("too many requests to simulate"), requests(of_one) {}
  double requests;
};

// That one replication sends, retries left out.
[[nodiscard]] double requests_of(const Simulated& simulated);

// Its replications in mode requests, the same for any number of jobs. Throws std::runtime_error if one ends by itself.
[[nodiscard]] std::vector<run::Results> replications_of(
    const Simulated& simulated, const Effort& effort, const std::vector<std::chrono::nanoseconds>& latency_limits = {});

// The same, two at a time and told as they come, until `enough` says so. Which are played together depends on nothing
// else, so that what is decided does not hang on the number of jobs.
void each_batch(const Simulated& simulated, const Effort& effort,
                const std::vector<std::chrono::nanoseconds>& latency_limits,
                const std::function<bool(const std::vector<run::Results>&)>& enough);

class Variants {
 public:
  using Effort = plan::Effort;
  // Whether the replications so far say enough.
  using Decides = std::function<bool(const Loads& so_far)>;

  // `base` must outlive this and have been read without an error.
  Variants(const scenario::ScenarioTemplate& base, std::chrono::nanoseconds at, double growth)
      : Variants(base, at, growth, Effort{}) {}
  Variants(const scenario::ScenarioTemplate& base, std::chrono::nanoseconds at, double growth, Effort effort)
      : base_(&base), at_(at), growth_(growth), effort_(effort) {}

  // The same variants, simulated more or less often.
  [[nodiscard]] Variants with_effort(Effort effort) const { return {*base_, at_, growth_, effort}; }

  // Nothing if the file does not allow these numbers.
  [[nodiscard]] std::optional<Variant> with(const Counts& counts) const;

  // The moment with this failure, held still (moment.hpp). `growth`: times that of all requests.
  [[nodiscard]] scenario::Scenario still(const Variant& variant, const Failure& failure, double growth = 1.0) const;

  // The same to be simulated: the failure begins after a warm-up as long as the scenario, of which nothing
  // is reported, so that sessions, connections and queues are those of an outage in the midst of traffic.
  [[nodiscard]] Simulated simulated(const Variant& variant, const Failure& failure, double growth = 1.0) const;

  // What the failure asks of endpoints. Exact where shares of first attempts have closed forms and say what becomes of
  // all requests; else counted, with `effort`'s replications. `still` is still(variant, failure), with these settings.
  // `decides`: as counted() has it.
  [[nodiscard]] Loads loads(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                            const Settings& settings = {}, const Decides& decides = {}) const;
  [[nodiscard]] Loads loads(const Variant& variant, const Failure& failure) const {
    return loads(variant, failure, still(variant, failure));
  }
  // Counted in any case. With `decides` no more replications than it asks for, as each_batch has them.
  [[nodiscard]] Loads counted(const Simulated& simulated, const Decides& decides = {}) const;
  // Puts each client's causes in the order in which requests first failed for them, in the first replication; those
  // that it does not have stay last.
  static void order_in_time(const Simulated& simulated, std::vector<FailedRequests>& failing);

 private:
  [[nodiscard]] bool reopens(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                             const run::Results& exact, const Settings& settings) const;

  const scenario::ScenarioTemplate* base_;
  std::chrono::nanoseconds at_;
  double growth_;
  Effort effort_;
};

}  // namespace spillway::plan
