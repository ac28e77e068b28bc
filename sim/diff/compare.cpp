#include "sim/diff/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "models/config/lower_ascii.hpp"
#include "models/config/seconds.hpp"
#include "models/envoy/newcomers.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/diff/changes.hpp"
#include "sim/diff/contexts.hpp"
#include "sim/diff/look.hpp"
#include "sim/diff/places.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::diff {
namespace {

constexpr std::size_t most_edits = 1'000;

template <class T>
void append(std::vector<T>& to, std::vector<T> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Merges rows of one context and name that were found at two times; keeps the one with the larger amount.
template <class Row, class IsSame, class Amount>
void merge(std::vector<Row>& rows, std::vector<Row> more, IsSame is_same, Amount amount) {
  for (Row& row : more) {
    const auto known = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return other.context == row.context && is_same(other, row);
    });
    if (known == rows.end()) {
      rows.push_back(std::move(row));
    } else if (amount(row) > amount(*known)) {
      *known = std::move(row);
    }
  }
}

bool waits_for_answers(const scenario::Scenario& scenario) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(), [](const scenario::ClientEntry& client) {
    return client.workload.arrivals == scenario::Arrivals::closed;
  });
}

bool knows_utilisation(const Look& look) {
  return std::any_of(look.loads().utilisation.begin(), look.loads().utilisation.end(),
                     [](const auto& utilisation) { return utilisation.has_value(); });
}

bool has_slow_start(const Look& look) {
  const auto flows = look.snapshot().flows().all();
  return std::any_of(flows.begin(), flows.end(), [&](run::FlowIndex flow) {
    return envoy::slow_start_window(look.snapshot().state(flow)) > std::chrono::nanoseconds{0};
  });
}

// True if no endpoint takes time to answer.
bool answers_at_once(const scenario::Scenario& scenario) {
  return std::all_of(scenario.endpoints.begin(), scenario.endpoints.end(), [](const scenario::Endpoint& endpoint) {
    return endpoint.service_time == Nanoseconds{0} && endpoint.variation == nullptr;
  });
}

// True if the edit may be one of a limit, a timeout or a retry, by the names of its keys.
bool needs_time(const Edit& edit) {
  const std::string place = config::to_lower_ascii(edit.place);
  constexpr std::array words = {"timeout", "max", "limit", "retr", "attempts", "connection", "circuit"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return place.find(word) != std::string::npos; });
}

class Comparer {
 public:
  Comparer(const Side& before, const Side& after, const Request& request)
      : before_(before), after_(after), request_(request) {}

  Difference compare() {
    difference_.name_before = before_.name();
    difference_.name_after = after_.name();
    const Stages stages = stages_of(before_, after_, request_.failures_at);
    difference_.failures_at = std::chrono::duration<double>(stages.failures_at).count();
    loads_ = !waits_for_answers(before_.scenario()) && !waits_for_answers(after_.scenario());
    for (std::size_t index = 0; index < stages.all.size(); ++index) {
      look_at(stages.all[index], index);
      show(static_cast<double>(index + 1) / static_cast<double>(stages.all.size()) / 2.0);
    }
    say_other_busiest(stages);
    if (stages.moments_left_out > 0) {
      difference_.not_compared.push_back(
          fmt::format("shares, loads and keys at {} of {} moments: they are compared at {} of them, evenly",
                      stages.moments_left_out, stages.moments_left_out + stages.moments, stages.moments));
    }
    if (loads_ && may_differ(before_, after_)) {
      difference_.onsets = onset_changes(before_, after_, stages.failures_at);
    }
    simulate(stages);
    difference_.presences = presences_of(before_.scenario(), after_.scenario());
    append(difference_.presences, stages.presences);
    difference_.lints = lints_of(before_, after_);
    difference_.edits = edits_of(before_.tree(), after_.tree(), most_edits);
    add_notes();
    sort();
    return std::move(difference_);
  }

 private:
  void say_other_busiest(const Stages& stages) {
    const bool any = std::any_of(stages.all.begin(), stages.all.end(),
                                 [](const Stage& stage) { return stage.before != nullptr || stage.after != nullptr; });
    if (!any || stages.also_busiest.empty() || !may_differ(before_, after_)) {
      return;
    }
    difference_.not_compared.push_back(fmt::format(
        "failures at {}{}, when clients send as much: they are compared at {} s, and with --at at another moment",
        config::seconds(stages.also_busiest.front()),
        stages.also_busiest.size() > 1 ? fmt::format(" s and {} later moments", stages.also_busiest.size() - 1) : " s",
        difference_.failures_at));
  }

  void show(double done) const {
    if (request_.progress) {
      request_.progress(done);
    }
  }

  void simulate(const Stages& stages) {
    if (!may_differ(before_, after_)) {
      return;
    }
    Simulating simulating =
        diff::simulate(before_, after_, stages, request_.effort, [&](double done) { show((1.0 + done) / 2.0); });
    difference_.simulated = std::move(simulating.simulated);
    append(difference_.not_compared, std::move(simulating.not_compared));
    if (difference_.simulated.replications > 0) {
      const auto end = std::min(before_.scenario().duration, after_.scenario().duration);
      Context run{.kind = Context::Kind::run, .end = std::chrono::duration<double>(end).count(), .failure = {}};
      difference_.contexts.push_back(std::move(run));
    }
  }

  void look_at(const Stage& stage, std::size_t index) {
    scenario::Scenario still = before_.still(stage.at, stage.before);
    still.seed = after_.scenario().seed;  // counts use the same random streams on both sides
    const Look before(std::move(still));
    const Look after(after_.still(stage.at, stage.after));
    Context context = stage.context;
    context.health = health_of(after.still());
    context.health_old = health_of(before.still());
    context.nodes_out = nodes_out(after.still());
    difference_.contexts.push_back(std::move(context));
    slow_start_ = slow_start_ || has_slow_start(before) || has_slow_start(after);
    connections_ = connections_ || before.has_connections() || after.has_connections();
    counted_ = counted_ || !before.is_exact() || !after.is_exact();
    append(difference_.moves, moves_of(before, after, index, difference_.no_moves));
    append(difference_.keys, key_moves_of(before, after, index));
    append(difference_.splits, splits_of(before, after, index));
    if (!loads_) {
      return;
    }
    utilisation_known_ = utilisation_known_ && knows_utilisation(before) && knows_utilisation(after);
    append(difference_.overloads, overloads_of(before, after, index));
    append(difference_.zone_loads, zone_loads_of(before, after, index));
    append(difference_.crossings, crossings_of(before, after, index));
    append(difference_.rates, rate_changes_of(before, after, index));
    if (stage.end_of_ramp) {
      look_at_loads(*stage.end_of_ramp, index);
    }
  }

  // Shares stay the same within a stretch, but loads do not.
  void look_at_loads(Nanoseconds at, std::size_t index) {
    scenario::Scenario still = before_.still(at, nullptr);
    still.seed = after_.scenario().seed;
    const Look before(std::move(still));
    const Look after(after_.still(at, nullptr));
    merge(
        difference_.overloads, overloads_of(before, after, index),
        [](const Overload& left, const Overload& right) { return left.endpoint == right.endpoint; },
        [](const Overload& row) { return std::max(row.before.value_or(0.0), row.after.value_or(0.0)); });
    merge(
        difference_.zone_loads, zone_loads_of(before, after, index),
        [](const ZoneLoad& left, const ZoneLoad& right) { return left.zone == right.zone; },
        [](const ZoneLoad& row) { return std::abs(row.after.value_or(0.0) - row.before.value_or(0.0)); });
    merge(
        difference_.crossings, crossings_of(before, after, index),
        [](const Crossing& left, const Crossing& right) { return left.service == right.service; },
        [](const Crossing& row) { return std::abs(row.bytes.change()); });
    merge(
        difference_.rates, rate_changes_of(before, after, index),
        [](const RateChange& left, const RateChange& right) { return left.rate.name == right.rate.name; },
        [](const RateChange& row) { return std::abs(row.rate.change()); });
  }

  void add_notes() {
    const auto note = [&](std::string text) { difference_.notes.push_back(std::move(text)); };
    difference_.utilisation_known = loads_ && utilisation_known_;
    if (!loads_) {
      note("users wait for answers, so their rates depend on the answers: loads are not compared");
    } else if (!utilisation_known_) {
      note("utilisation is unknown: no endpoint has cores of a limited number");
    }
    if (counted_) {
      note(
          "some shares have no closed form: they are counted with the same draws on both sides, and are no change "
          "where "
          "a G-test of one run each, or the differences of 10 runs, allow chance");
    }
    if (const EndpointNames& names = after_.renamed_endpoints(); !names.empty()) {
      note(fmt::format("the change numbers endpoints anew; they are called as in OLD: {} of NEW is {}",
                       names.begin()->first, names.begin()->second));
    }
    if (connections_) {
      note("behind zone proxies endpoints are compared by their means over connections");
    }
    if (slow_start_) {
      note("shares are those once slow start is over");
    }
    const auto old_end = before_.scenario().duration;
    const auto new_end = after_.scenario().duration;
    const auto leave_out = [&](std::string text) { difference_.not_compared.push_back(std::move(text)); };
    if (old_end != new_end) {
      leave_out(fmt::format("what happens after {} s, when the {} one ends (the other goes on until {} s)",
                            config::seconds(std::min(old_end, new_end)), old_end < new_end ? "old" : "new",
                            config::seconds(std::max(old_end, new_end))));
    }
    const auto contends = [](const Side& side) { return side.scenario().mode == scenario::Mode::platform; };
    if (contends(before_) || contends(after_)) {
      leave_out("contention for links and cores as in mode platform: both are simulated in mode requests");
    }
    const auto is_asking = [](const Presence& presence) {
      return presence.kind == "client" || presence.kind == "request";
    };
    if (difference_.simulated.replications > 0 &&
        std::any_of(difference_.presences.begin(), difference_.presences.end(), is_asking)) {
      leave_out("failed requests and latency of clients, or of requests for services, that only one side has");
    }
    if (difference_.simulated.replications > 0 && answers_at_once(before_.scenario()) &&
        answers_at_once(after_.scenario()) &&
        std::any_of(difference_.edits.begin(), difference_.edits.end(), needs_time)) {
      difference_.simulated.instant = true;
      leave_out(
          "effects of limits, timeouts and waits: no endpoint takes time to answer (`service_time` or `capacity` of "
          "endpoints, `--capacity SERVICE=RATE` for documents)");
    }
    if (std::any_of(difference_.edits.begin(), difference_.edits.end(), [](const Edit& edit) {
          return edit.place.starts_with("services") && edit.place.ends_with(".price");
        })) {
      leave_out("what endpoints cost, which `spillway plan` names the cheapest place by");
    }
    if (std::any_of(difference_.edits.begin(), difference_.edits.end(),
                    [](const Edit& edit) { return edit.place.starts_with("expect"); })) {
      leave_out("what the files expect, which `spillway check` judges");
    }
    if (before_.scenario().profile.envoy != after_.scenario().profile.envoy ||
        before_.scenario().profile.kuma != after_.scenario().profile.kuma ||
        before_.scenario().profile.istio != after_.scenario().profile.istio) {
      note("the profiles differ: part of this is what another version of Envoy, Kuma or Istio does");
    }
  }

  // Sorts by size, largest first. Equal rows stay in the order of contexts, times before failures.
  void sort() {
    using numeric::stable_sort;
    stable_sort(difference_.moves, [](const Move& left, const Move& right) {
      const auto rank = [](const Move& move) { return std::pair(coarse(move.zone_points), coarse(move.points)); };
      return rank(left) > rank(right);
    });
    stable_sort(difference_.overloads, [](const Overload& left, const Overload& right) {
      const auto rank = [](const Overload& overload) {
        return std::pair(overload.over(), coarse(overload.over() ? *overload.after : overload.before.value_or(0.0)));
      };
      return rank(left) > rank(right);
    });
    stable_sort(difference_.keys,
                [](const KeyMove& left, const KeyMove& right) { return coarse(left.share) > coarse(right.share); });
    stable_sort(difference_.crossings, [](const Crossing& left, const Crossing& right) {
      const auto rank = [](const Crossing& crossing) {
        return std::tuple(coarse(std::abs(crossing.cost.change())), coarse(std::abs(crossing.bytes.change())),
                          coarse(std::abs(crossing.share.change())));
      };
      return rank(left) > rank(right);
    });
  }

  // Numbers that differ only by rounding count as equal.
  static double coarse(double number) {
    constexpr double digits = 1e9;
    return std::round(number * digits);
  }

  const Side& before_;
  const Side& after_;
  const Request& request_;
  Difference difference_;
  bool loads_ = true;
  bool utilisation_known_ = true;
  bool counted_ = false;
  bool connections_ = false;
  bool slow_start_ = false;
};

}  // namespace

double Split::points() const noexcept {
  double gained = 0.0;
  for (const Part& part : services) {
    gained += std::max(part.change(), 0.0);
  }
  return gained;
}

bool Difference::changed() const noexcept {
  return !moves.empty() || !overloads.empty() || !zone_loads.empty() || !keys.empty() || !crossings.empty() ||
         !splits.empty() || !rates.empty() || !onsets.empty() || !lints.empty() || !presences.empty() ||
         simulated.differs();
}

Difference compare(const Side& before, const Side& after, const Request& request) {
  return Comparer(before, after, request).compare();
}

}  // namespace spillway::diff
