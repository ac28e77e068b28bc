#include "sim/diff/simulated.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/config/seconds.hpp"
#include "sim/diff/contexts.hpp"
#include "sim/diff/paired.hpp"
#include "sim/diff/places.hpp"
#include "sim/diff/simulation_tally.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/plan/variants.hpp"
#include "sim/run/fork_results.hpp"
#include "sim/run/records/byte_archive.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::diff {
namespace {

constexpr double rule_of_three = 3.0;

// Both sides in one context.
struct Pair {
  std::size_t context = 0;
  plan::Simulated before;
  plan::Simulated after;
  Nanoseconds interval{0};  // the failure's phases are spread over it, equal on both sides
};

scenario::Scenario until(scenario::Scenario scenario, Nanoseconds end) {
  scenario.duration = end;
  std::erase_if(scenario.changes, [&](const scenario::Change& change) { return change.at >= end; });
  scenario.expectations.clear();
  return scenario;
}

// Both sides in one replication.
struct Row {
  Tally before = {};
  Tally after = {};
};

struct RowMembers {
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<Row> auto& row) {
    archive(row.before.numbers, row.before.sent, row.after.numbers, row.after.sent);
  }
};

bool is_part_of_requests(Figure figure) {
  return figure < Figure::p50 || figure == Figure::attempts;
}

// Returns the change. Latencies are rounded to whole nanoseconds so that equal changes are equal doubles.
double change_of(Figure figure, double before, double after) {
  constexpr double nanoseconds = 1e9;
  const bool is_latency = figure >= Figure::p50 && figure <= Figure::p99;
  return is_latency ? std::round((after - before) * nanoseconds) / nanoseconds : after - before;
}

// One slot over the replications.
struct Series {
  SimulatedFigure figure = {};
  std::vector<double> changes = {};
  double sent = 0.0;
};

// Returns nullopt if a replication lacks the number, or if the figure is a kind of failure that never happened.
std::optional<Series> series_of(const std::vector<Row>& rows, const Subjects& subjects, std::size_t slot) {
  Series series{.figure = subjects.at(slot)};
  std::vector<double> before;
  std::vector<double> after;
  for (const Row& row : rows) {
    before.push_back(row.before.numbers[slot]);
    after.push_back(row.after.numbers[slot]);
    if (std::isnan(before.back()) || std::isnan(after.back())) {
      return std::nullopt;
    }
    series.changes.push_back(change_of(series.figure.figure, before.back(), after.back()));
    if (is_part_of_requests(series.figure.figure)) {
      const std::size_t subject = slot / Subjects::figures;
      series.sent += static_cast<double>(std::min(row.before.sent[subject], row.after.sent[subject]));
    }
  }
  series.figure.before = mean(before);
  series.figure.after = mean(after);
  series.figure.identical =
      std::all_of(series.changes.begin(), series.changes.end(), [](double change) { return change == 0.0; });
  const bool is_kind = series.figure.figure > Figure::failed && series.figure.figure < Figure::p50;
  const bool never = series.figure.identical && series.figure.before == 0.0;
  return is_kind && never ? std::nullopt : std::optional(std::move(series));
}

class Judge {
 public:
  Judge(const Subjects& subjects, std::size_t run_context, Simulated& simulated)
      : subjects_(subjects), run_context_(run_context), simulated_(simulated) {}

  void add(std::size_t context, const std::vector<Row>& rows) {
    for (std::size_t slot = 0; slot < subjects_.slots(); ++slot) {
      if (auto series = series_of(rows, subjects_, slot)) {
        series->figure.context = context;
        all_.push_back(*std::move(series));
      }
    }
  }

  // Widens intervals for the number of figures that may differ by chance (Bonferroni).
  void finish() {
    const auto tested = std::count_if(all_.begin(), all_.end(), [](const Series& of) { return !of.figure.identical; });
    const double outside = (1.0 - simulated_.confidence) / static_cast<double>(std::max<std::ptrdiff_t>(tested, 1));
    for (Series& series : all_) {
      SimulatedFigure& figure = series.figure;
      figure.half_width = figure.identical ? 0.0 : half_width(series.changes, outside);
      if (is_part_of_requests(figure.figure) && series.sent > 0.0) {
        // A failure with no hit in n requests may still exist (rule of three).
        figure.half_width = std::max(figure.half_width, rule_of_three / series.sent);
      }
      if (is_latency(figure.figure) && !figure.identical) {
        // Quantiles of a histogram are within this part of the true ones.
        constexpr double precision = 0.008;
        figure.half_width = std::max(figure.half_width, precision * std::max(figure.before, figure.after));
      }
      if (!figure.differs()) {
        note(figure);
      }
      if (figure.context == run_context_ || figure.differs()) {
        simulated_.figures.push_back(std::move(figure));
      }
    }
  }

 private:
  void note(const SimulatedFigure& figure) {
    auto place = std::lower_bound(simulated_.no_difference.begin(), simulated_.no_difference.end(), figure.figure,
                                  [](const NoDifference& of, Figure kind) { return of.figure < kind; });
    if (place == simulated_.no_difference.end() || place->figure != figure.figure) {
      place = simulated_.no_difference.insert(place, {figure.figure, 0, 0.0});
    }
    place->add(figure.half_width);
  }

  const Subjects& subjects_;
  std::size_t run_context_;
  Simulated& simulated_;
  std::vector<Series> all_;
};

bool same_traces(const scenario::Scenario& before, const scenario::Scenario& after) {
  const auto traces = [](const scenario::Scenario& scenario) {
    std::vector<std::pair<Nanoseconds, std::uint32_t>> all;
    for (const scenario::ClientEntry& client : scenario.clients) {
      if (client.workload.trace) {
        for (const scenario::TracedArrival& arrival : *client.workload.trace) {
          all.emplace_back(arrival.at, arrival.client);
        }
      }
    }
    return all;
  };
  return traces(before) == traces(after);
}

// Returns for example "12.3 million".
std::string millions(double count) {
  return fmt::format("{:.3g} million", count / 1e6);
}

class Simulator {
 public:
  Simulator(const Side& before, const Side& after, const Stages& stages, const Effort& effort)
      : before_(before),
        after_(after),
        stages_(stages),
        effort_(effort),
        end_(std::min(before.scenario().duration, after.scenario().duration)),
        interval_(std::max(plan::longest_interval(before.scenario()), plan::longest_interval(after.scenario()))),
        subjects_(before.scenario(), after.scenario()) {}

  Simulating simulate(const std::function<void(double done)>& progress) {
    if (!before_.has_workload() || !after_.has_workload()) {
      leave_out("documents of Envoy have no workload, which they depend on");
      return std::move(simulating_);
    }
    const Pair run{stages_.all.size(), {until(before_.scenario(), end_)}, {until(after_.scenario(), end_)}};
    if (!choose_replications(expected_requests(run.before.scenario) + expected_requests(run.after.scenario))) {
      return std::move(simulating_);
    }
    choose_failures();
    Simulated& simulated = simulating_.simulated;
    simulated.replications = replications_;
    simulated.seed = after_.scenario().seed;
    simulated.failures = failures_.size();
    simulated.failure_seconds = config::seconds(failure_end_);
    simulated.by_client = subjects_.by_client();
    Judge judge(subjects_, run.context, simulated);
    const auto add = [&](const Pair& pair) {
      judge.add(pair.context, simulate(pair));
      progress_ += 1.0;
      if (progress) {
        progress(progress_ / static_cast<double>(failures_.size() + 1));
      }
    };
    add(run);
    for (const std::size_t index : failures_) {
      add(failing(index));
    }
    judge.finish();
    return std::move(simulating_);
  }

 private:
  // Returns both sides with the failure. Active checks and outlier detection take time that depends on when the failure
  // starts. If EDS is the only source of health, the failure applies from the beginning.
  [[nodiscard]] Pair failing(std::size_t index) const {
    const Stage& stage = stages_.all[index];
    if (interval_ > Nanoseconds{0}) {
      return {index, before_.simulated(stage.at, *stage.before, failure_end_),
              after_.simulated(stage.at, *stage.after, failure_end_), interval_};
    }
    return {index,
            {until(before_.still(stage.at, stage.before), failure_end_)},
            {until(after_.still(stage.at, stage.after), failure_end_)}};
  }

  void leave_out(const std::string& reason, const std::string& where = "") {
    simulating_.not_compared.push_back("simulated failed requests, latency, attempts and utilisation" + where + ": " +
                                       reason);
  }

  bool choose_replications(double requests) {
    if (subjects_.empty() || requests <= 0.0) {
      leave_out("no client of both sends anything");
      return false;
    }
    const auto room = static_cast<double>(effort_.most_requests);
    const std::uint32_t fewest = std::min(effort_.replications, fewest_replications);
    replications_ = static_cast<std::uint32_t>(std::min<double>(effort_.replications, room / requests));
    if (replications_ < fewest) {
      leave_out(fmt::format("{} replications of both would send {} requests, and at most {} are simulated", fewest,
                            millions(requests * fewest), millions(room)));
      return false;
    }
    return true;
  }

  // Shortens the failures' simulations if all would be too much, at the rates without the failure; then drops some.
  void choose_failures() {
    for (std::size_t index = 0; index < stages_.all.size(); ++index) {
      if (stages_.all[index].context.kind == Context::Kind::failure) {
        failures_.push_back(index);
      }
    }
    const double with_warm_up = interval_ > Nanoseconds{0} ? 2.0 : 1.0;
    const double rate = with_warm_up * replications_ *
                        (plan::rate_at(before_.scenario(), stages_.failures_at) +
                         plan::rate_at(after_.scenario(), stages_.failures_at));
    const auto room = static_cast<double>(effort_.most_requests_of_failures);
    const auto all = static_cast<double>(failures_.size());
    failure_end_ = end_;
    if (rate * all * config::seconds(end_) > room) {
      const double fitting = std::floor(room / (rate * all));
      failure_end_ = std::min(
          end_, std::max(shortest_failure, Nanoseconds{std::chrono::seconds{static_cast<std::int64_t>(fitting)}}));
    }
    const auto most = static_cast<std::size_t>(
        rate > 0.0 ? std::min(all, std::floor(room / (rate * config::seconds(failure_end_)))) : all);
    if (most < failures_.size()) {
      leave_out(fmt::format("at most {} requests are simulated under failures", millions(room)),
                fmt::format(" under {} of the {} failures", failures_.size() - most, failures_.size()));
      failures_.resize(most);
    }
  }

  std::vector<Row> simulate(const Pair& pair) {
    const auto simulate_one = [&](std::size_t replication) {
      const std::uint64_t seed =
          run::seed_of_replication(after_.scenario().seed, static_cast<std::uint32_t>(replication));
      const auto of = [&](const plan::Simulated& side) {
        const plan::Simulated own = plan::in_phase(side, replication, pair.interval);
        return tally(own.scenario, subjects_, seed, own.measured_from);
      };
      return run::to_bytes<RowMembers>(Row{of(pair.before), of(pair.after)});
    };
    std::vector<Row> rows = run::fork_results(replications_, effort_.jobs, simulate_one,
                                              run::from_bytes<RowMembers, Row>, "a replication of the comparison");
    for (const Row& row : rows) {
      for (const Tally* const side : {&row.before, &row.after}) {
        simulating_.simulated.requests += std::accumulate(side->sent.begin(), side->sent.end(), std::uint64_t{0});
      }
    }
    return rows;
  }

  const Side& before_;
  const Side& after_;
  const Stages& stages_;
  const Effort& effort_;
  Nanoseconds end_;
  Nanoseconds interval_;  // plan::longest_interval of both
  Subjects subjects_;
  Simulating simulating_ = {};
  std::uint32_t replications_ = 0;
  Nanoseconds failure_end_{0};
  std::vector<std::size_t> failures_ = {};  // indices of stages
  double progress_ = 0.0;
};

}  // namespace

bool SimulatedFigure::differs() const noexcept {
  return !identical && std::abs(change()) > half_width;
}

bool Simulated::differs() const noexcept {
  return std::any_of(figures.begin(), figures.end(), [](const SimulatedFigure& figure) { return figure.differs(); });
}

bool may_differ(const Side& before, const Side& after) {
  constexpr std::array without_effect = {"seed", "mode", "expect", "objectives", "failures"};
  const std::vector<Edit> edits = edits_of(before.tree(), after.tree(), std::numeric_limits<std::size_t>::max());
  return !same_traces(before.scenario(), after.scenario()) ||
         std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
           const std::string key = edit.place.substr(0, edit.place.find_first_of(".["));
           return !is_words(edit) &&
                  std::find(without_effect.begin(), without_effect.end(), key) == without_effect.end();
         });
}

Simulating simulate(const Side& before, const Side& after, const Stages& stages, const Effort& effort,
                    const std::function<void(double done)>& progress) {
  return Simulator(before, after, stages, effort).simulate(progress);
}

}  // namespace spillway::diff
