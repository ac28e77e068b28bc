#include "sim/run/parts/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include "sim/run/fork_pool.hpp"
#include "sim/run/parts/part.hpp"
#include "sim/run/records/results_bytes.hpp"
#include "sim/run/run.hpp"

namespace spillway::run {

namespace {

// Number of parts per process. With several, a part that takes longer than predicted delays fewer others.
constexpr std::size_t parts_of_a_job = 2;

// The progress of each part, written by its process and read by the caller.
class Reached {
 public:
  explicit Reached(const std::vector<Part>& parts) : parts_(parts) {
    void* const memory =
        mmap(nullptr, parts.size() * sizeof(Time), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::bad_alloc();
    }
    times_ = new (memory) Time[parts.size()];
  }
  ~Reached() { munmap(times_, parts_.size() * sizeof(Time)); }
  Reached(const Reached&) = delete;
  Reached& operator=(const Reached&) = delete;

  void set(std::size_t part, Nanoseconds time) noexcept { times_[part].store(time.count(), std::memory_order_relaxed); }

  // Returns the mean, weighted by requests.
  [[nodiscard]] Nanoseconds of_all() const noexcept {
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      sum += parts_[part].requests * static_cast<double>(times_[part].load(std::memory_order_relaxed));
      weights += parts_[part].requests;
    }
    return Nanoseconds{static_cast<std::int64_t>(weights > 0.0 ? sum / weights : 0.0)};
  }

 private:
  using Time = std::atomic<std::int64_t>;
  static_assert(Time::is_always_lock_free, "shared between processes");
  const std::vector<Part>& parts_;
  Time* times_ = nullptr;
};

bool goes_apart(const scenario::Scenario& scenario, const Options& options) {
  return options.mode.value_or(scenario.mode) == scenario::Mode::requests && !options.trace && !options.look &&
         !(options.logged_events && options.logged_events->sink) && scenario.control_plane == nullptr;
}

// Simulates a part in its own process.
std::string simulate(const scenario::Scenario& scenario, const Part& part, Options options,
                     const std::vector<Nanoseconds>& load_epochs) {
  const PartScenario own = part_scenario(scenario, part);
  if (options.logged_events) {
    // Timeline changes may come before the events that are kept of the part.
    options.logged_events->most += own.changes.size();
    if (options.logged_events->keeps) {
      options.logged_events->keeps = [&part, &own, keeps = options.logged_events->keeps](const EventRecord& record) {
        return keeps(number_as_whole(part, own, record));
      };
    }
  }
  Results results = run_part(own.scenario, options, load_epochs);
  number_as_whole(part, own, results);
  return results_to_bytes(results);
}

}  // namespace

SideBySide run_side_by_side(const scenario::Scenario& scenario, const Options& options, const Jobs& jobs) {
  std::vector<Part> parts;
  if (jobs.jobs > 1 && goes_apart(scenario, options)) {
    parts = parts_of(scenario, parts_of_a_job * jobs.jobs);
  }
  double requests = 0.0;
  for (const Part& part : parts) {
    requests += part.requests;
  }
  if (parts.size() < 2 || requests < jobs.least_requests) {
    return {run(scenario, options)};
  }
  const std::vector<Nanoseconds> load_epochs = epoch_ends(scenario, options);
  Reached reached(parts);
  const auto work = [&](std::size_t number) {
    Options own = options;
    if (options.progress) {
      own.progress = [&reached, number](Nanoseconds now, Nanoseconds /*duration*/) { reached.set(number, now); };
    }
    return simulate(scenario, parts[number], std::move(own), load_epochs);
  };
  std::vector<ForkedAnswer> answers(parts.size(), ForkedAnswer{false, {}, true, {}});  // all unfinished
  std::size_t begun = 0;
  fork_each(jobs.jobs, {.next = [&] { return begun < parts.size() ? std::optional(begun++) : std::nullopt; },
                        .work = work,
                        .finished =
                            [&](std::size_t number, ForkedAnswer answer) {
                              answers[number] = std::move(answer);
                              reached.set(number, scenario.duration);
                            },
                        .waits =
                            [&] {
                              if (options.progress) {
                                options.progress(reached.of_all(), scenario.duration);
                              }
                            }});
  std::vector<Results> results;
  for (ForkedAnswer& answer : answers) {
    if (answer.stopped) {
      return {std::nullopt, "stopped before all parts of the run were complete", true};
    }
    if (!answer.succeeded) {
      return {std::nullopt, fmt::format("a part of the run: {}", answer.failure), false};
    }
    results.push_back(results_from_bytes(answer.bytes));
    answer.bytes = std::string();
  }
  return {merge_parts(scenario, std::move(results),
                      options.logged_events ? options.logged_events->most : EventLog::Options{}.most)};
}

}  // namespace spillway::run
