// Variants of a scenario: other endpoint counts, other settings, and failures.
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
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/plan/failures.hpp"
#include "sim/plan/loads.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::plan {

using Counts = std::map<scenario::GroupPlace, std::uint32_t>;

// Settings that can be changed, in all services at once.
struct Settings {
  std::optional<std::uint32_t> overprovisioning_factor = {};
  std::optional<double> healthy_panic_threshold = {};  // percent
  std::optional<std::uint32_t> max_ejection_percent = {};
  bool one_priority = false;  // no locality is preferred
};
void apply(const Settings& settings, scenario::Scenario& scenario);

// By failure of a variant: the changes that it makes, with those of the views that a mesh makes of services. nullopt if
// the scenario must be read again to know them.
using ChangesOfFailures = std::vector<std::optional<std::vector<scenario::Change>>>;

// The scenario with given endpoint counts, and its failures.
struct Variant {
  Counts counts;
  scenario::Scenario scenario;  // without a failure
  std::vector<Failure> failures;
  std::shared_ptr<ChangesOfFailures> changes = {};  // empty until Variants needs them
};

// A failure to be simulated with requests.
struct Simulated {
  scenario::Scenario scenario;
  std::chrono::nanoseconds measured_from{0};  // run::Options::measured_from
};

// Shifts the failure relative to periodic work of proxies: active checks and outlier detection sweeps. The time to
// notice depends on that phase, and real failures happen at any phase. The phases of successive replications are spread
// evenly over the longest interval, independent of the scenario's duration.
[[nodiscard]] Simulated in_phase(Simulated simulated, std::size_t replication);
// Like in_phase() above, but spread over `interval`, for two variants that must fail at the same phases.
[[nodiscard]] Simulated in_phase(Simulated simulated, std::size_t replication, std::chrono::nanoseconds interval);

// Returns the longest interval of active checks and outlier detection sweeps while there is traffic; 0 if there are
// none.
[[nodiscard]] std::chrono::nanoseconds longest_interval(const scenario::Scenario& scenario);

// Returns `options` (mode, seed, warm-up) with the settings that this replication of `simulated` needs.
[[nodiscard]] run::Options simulated_with(run::Options options, const Simulated& simulated, std::size_t replication);

// Number of replications for results without a closed form, and number of parallel processes.
struct Effort {
  std::uint32_t replications = 5;
  std::size_t jobs = 1;
  std::uint32_t first = 0;  // index of the first replication; replications are independent of earlier ones
  // Limit of the requests per replication, beyond which TooManyRequests is thrown before anything is simulated.
  double most_requests = std::numeric_limits<double>::infinity();
  double enough_requests = std::numeric_limits<double>::infinity();  // loads of more are counted for a shorter time
};

struct TooManyRequests : std::runtime_error {
  explicit TooManyRequests(double of_one) : std::runtime_error("too many requests to simulate"), requests(of_one) {}
  double requests;
};

// Thrown once run::stop_requested(): what is left of a plan is not computed.
struct Stopped {};

// Returns the number of requests that one replication sends, without retries.
[[nodiscard]] double requests_of(const Simulated& simulated);

// Runs the replications in mode requests; the results are independent of the number of jobs. Throws std::runtime_error
// if a replication terminates early.
[[nodiscard]] std::vector<run::Results> replications_of(
    const Simulated& simulated, const Effort& effort, const std::vector<std::chrono::nanoseconds>& latency_limits = {});

// Like replications_of(), but runs two at a time and passes them to `enough` until it returns true. The batches are
// independent of the number of jobs, and so are decisions based on them.
void each_batch(const Simulated& simulated, const Effort& effort,
                const std::vector<std::chrono::nanoseconds>& latency_limits,
                const std::function<bool(const std::vector<run::Results>&)>& enough);

class Variants {
 public:
  using Effort = plan::Effort;
  // True if the replications so far are enough.
  using Decides = std::function<bool(const Loads& so_far)>;

  // Lifetime: `base` must outlive this object. Precondition: `base` was read without an error.
  Variants(const scenario::ScenarioTemplate& base, std::chrono::nanoseconds at, double growth)
      : Variants(base, at, growth, Effort{}) {}
  Variants(const scenario::ScenarioTemplate& base, std::chrono::nanoseconds at, double growth, Effort effort)
      : base_(&base), at_(at), growth_(growth), effort_(effort) {}

  // Returns the same variants with another number of replications.
  [[nodiscard]] Variants with_effort(Effort effort) const {
    Variants variants = *this;
    variants.effort_ = effort;
    return variants;
  }

  // Returns the same variants of another scenario: the same time, growth and effort. `base` must outlive them.
  [[nodiscard]] Variants of(const scenario::ScenarioTemplate& base) const {
    Variants variants = *this;
    variants.base_ = &base;
    return variants;
  }

  // Returns the same variants, with loads by the policies' own picks only, never by equal ones (equal_picks.hpp).
  [[nodiscard]] Variants with_own_picks() const;

  // Returns nullopt if the file does not allow these counts.
  [[nodiscard]] std::optional<Variant> with(const Counts& counts) const;

  // Returns the time with this failure, held still (moment.hpp). `growth` is a factor of all requests.
  [[nodiscard]] scenario::Scenario still(const Variant& variant, const Failure& failure, double growth = 1.0) const;

  // Returns the variant to be simulated. The failure begins after an unreported warm-up as long as the scenario.
  // Sessions, connections and queues are therefore those of an outage during traffic.
  [[nodiscard]] Simulated simulated(const Variant& variant, const Failure& failure, double growth = 1.0) const;

  // Returns the loads under the failure. Exact if shares of first attempts have closed forms and cover all requests, or
  // if shares of equal picks replace them (equal_picks.hpp); otherwise counted with `effort`'s replications.
  // Precondition: `still` is still(variant, failure) with these settings. `decides` is as in counted().
  [[nodiscard]] Loads loads(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                            const Settings& settings = {}, const Decides& decides = {}) const;
  // Returns the loads if they follow from shares. Throws Stopped.
  [[nodiscard]] std::optional<Loads> loads_by_shares(const Variant& variant, const Failure& failure,
                                                     const scenario::Scenario& still,
                                                     const Settings& settings = {}) const;
  [[nodiscard]] Loads loads(const Variant& variant, const Failure& failure) const {
    return loads(variant, failure, still(variant, failure));
  }
  // Returns counted loads in any case. With `decides`, runs only as many replications as each_batch() needs.
  [[nodiscard]] Loads counted(const Simulated& simulated, const Decides& decides = {}) const;
  // Sorts each client's causes by the time of their first failed request in the first replication. Causes missing there
  // stay last.
  static void order_in_time(const Simulated& simulated, std::vector<FailedRequests>& failing);

 private:
  // The scenario in which a failure happens, and its changes, which are not in `scenario`.
  struct Failing {
    scenario::Scenario scenario;
    std::vector<scenario::Change> changes;
  };
  [[nodiscard]] Failing failing(const Variant& variant, const Failure& failure) const;
  [[nodiscard]] std::optional<std::vector<scenario::Change>> known_changes(const Variant& variant,
                                                                           const Failure& failure) const;
  // Reads the scenario once for all failures: each happens and is undone, one after the other.
  [[nodiscard]] ChangesOfFailures read_changes(const Variant& variant) const;
  // Returns the loads of the baseline with the costs of the whole scenario, instead of those of its busiest time.
  void bill_whole_scenario(const Failure& failure, const scenario::Scenario& still, Loads& loads) const;
  [[nodiscard]] bool reopens(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                             const run::Results& exact, const Settings& settings) const;

  const scenario::ScenarioTemplate* base_;
  std::chrono::nanoseconds at_;
  double growth_;
  Effort effort_;
  bool own_picks_ = false;
};

}  // namespace spillway::plan
