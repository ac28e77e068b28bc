#include "sim/run/simulation_loop.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "models/config/seconds.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/parts/components.hpp"
#include "sim/run/proxies/proxy_look.hpp"
#include "sim/run/records/load_periods.hpp"
#include "sim/run/requests/plain/plain_scenario.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/sessions.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/last_of_moment.hpp"

namespace spillway::run {

namespace {

// Drops rows of tables that began before this time, the end of a warm-up. The remaining rows keep their epoch numbers.
// O(rows).
void drop_rows_before(Nanoseconds moment, Results& results) {
  if (moment <= Nanoseconds{0}) {
    return;
  }
  using Table = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // client, service, epoch
  std::set<Table> dropped;
  for (const Epoch& epoch : results.epochs) {
    if (epoch.start < moment) {
      dropped.emplace(epoch.client.value, epoch.service.value, epoch.index);
    }
  }
  std::erase_if(results.epochs, [&](const Epoch& epoch) { return epoch.start < moment; });
  const auto is_dropped = [&](const auto& row) {
    return dropped.contains({row.client.value, row.service.value, row.epoch});
  };
  std::erase_if(results.shares.blocks(), is_dropped);
  std::erase_if(results.outcomes, is_dropped);
  std::erase_if(results.latency, is_dropped);
  std::erase_if(results.within, is_dropped);
  std::erase_if(results.cross_zone.blocks(), is_dropped);
  std::erase_if(results.endpoints, [&](const EndpointLoad& row) { return row.start < moment; });
}

// The number of requests simulated between two progress reports.
constexpr std::uint64_t requests_per_report = 1U << 16U;

}  // namespace

SimulationLoop::SimulationLoop(const scenario::Scenario& scenario, const Options& options,
                               std::optional<PlainSimulator::Way> plain)
    : scenario_(&scenario),
      options_(options),
      mode_(options.mode.value_or(scenario.mode)),
      seed_(options.seed.value_or(scenario.seed)),
      world_(scenario, mode_ == scenario::Mode::platform ? world::World::Use::activities : world::World::Use::clock),
      flows_(scenario),
      traffic_(scenario, flows_),
      truth_(scenario, seed_),
      upstreams_(scenario, flows_),
      closed_forms_(scenario, flows_, traffic_, upstreams_, mode_),
      book_(scenario, flows_, traffic_, upstreams_, closed_forms_, mode_, options_.latency_limits,
            options_.counted_positions),
      last_of_moment_(scenario::last_of_moment(scenario)) {
  for (std::size_t change = 0; change < scenario.changes.size(); ++change) {
    agenda_.push(scenario.changes[change].at, event_class_of(scenario.changes[change].effect), AuthoredChange{change});
  }
  book_.measure_from(options_.measured_from);
  book_.keep_latency_cells(options_.latency_cells);
  if (options_.measured_from > Nanoseconds{0}) {
    agenda_.push(options_.measured_from, EventClass::resource, RowsEnd{});
  }
  for (const Nanoseconds cut : options_.cuts) {
    agenda_.push(cut, EventClass::resource, RowsEnd{});
  }
  if (options_.logged_events) {
    log_.emplace(scenario, *options_.logged_events);
  }
  const bool asks = options_.endpoint_loads || options_.sample || !window_stretches(scenario).empty();
  if (mode_ == scenario::Mode::exact) {
    if (asks) {
      expected_.emplace(scenario, flows_, book_, truth_, world_, options_.sample, options_.cuts);
      expect_period_end();
    }
    return;
  }
  fleet_.emplace(scenario, seed_, flows_, upstreams_, truth_, world_, book_, agenda_);
  if (log_) {
    fleet_->set_log(&*log_);
  }
  if (mode_ == scenario::Mode::platform) {
    activities_.emplace(scenario, world_);
  }
  simulator_.emplace(scenario, seed_, flows_, traffic_, *fleet_, truth_, world_, book_,
                     activities_ ? &*activities_ : nullptr);
  if (asks) {
    loads_.emplace(scenario, flows_, book_, options_.sample, options_.cuts);
    simulator_->parts().server_queues.measure(loads_->ends());
    expect_period_end();
  }
  simulator_->set_trace(options_.trace);
  if (options_.look && options_.look->at > Nanoseconds{0}) {
    agenda_.push(options_.look->at, EventClass::workload, LookDue{});
  }
  // A sink must get each event once: not from a run that is abandoned.
  const auto how =
      options_.logged_events && options_.logged_events->sink ? Plain::throughout : Plain::as_long_as_none_fails;
  if (plain && !activities_ && !options_.trace && !options_.look && is_plain(simulator_->parts(), how)) {
    plain_.emplace(simulator_->parts(), *plain);
  } else {
    fleet_->watch_hosts();
  }
}

std::optional<Results> SimulationLoop::try_to_simulate() {
  if (!activities_) {
    return simulate_through();
  }
  std::optional<Results> results;
  activities_->conduct([&] { results = simulate_through(); });
  return results;
}

std::optional<Results> SimulationLoop::simulate_through() {
  while (agenda_.next_time() <= Nanoseconds{0}) {
    apply_entries_of(Nanoseconds{0});
  }
  begin_missing_rows(Nanoseconds{0});
  if (fleet_) {
    fleet_->start();
    if (options_.look && options_.look->at <= Nanoseconds{0}) {
      apply(LookDue{}, Nanoseconds{0});
    }
  }
  while (true) {
    if (!simulate_requests()) {
      return std::nullopt;
    }
    const Nanoseconds now = agenda_.next_time();
    if (now >= scenario_->duration) {
      break;
    }
    if (!activities_) {
      world_.advance_to(now);
    }
    apply_entries_of(now);
    report(now);
  }
  if (simulator_) {
    simulator_->end_run();
  }
  if (!activities_) {
    world_.advance_to(scenario_->duration);
  }
  if (loads_) {
    loads_->end_period();
    simulator_->parts().server_queues.end_periods(scenario_->duration);
  }
  end_expected_period(scenario_->duration);
  for (const FlowIndex flow : flows_.all()) {
    end_row(flow, scenario_->duration);
  }

  Results results;
  results.mode = mode_;
  results.seed = seed_;
  book_.write(results);
  if (loads_) {
    const auto epochs = load_epochs_.empty() ? epoch_stretches(results) : stretches_between(load_epochs_);
    loads_->write(simulator_->parts().server_queues,
                  options_.endpoint_loads || options_.sample ? epochs : std::vector<Stretch>{}, results);
  }
  if (expected_) {
    expected_->write(options_.endpoint_loads || options_.sample, results);
  }
  drop_rows_before(options_.measured_from, results);
  if (simulator_) {
    results.events = fleet_->events();
    results.ejections = fleet_->ejections();
    results.checked = fleet_->checked();
    results.moment = std::move(moment_);
    results.result_fingerprint = result_fingerprint();
    order_by_component(*scenario_, results.ejections);
    order_by_component(*scenario_, results.checked);
  }
  if (log_) {
    results.logged_events = log_->take(scenario_->duration);
  }
  return results;
}

// Simulates requests strictly before the agenda's next time; past the end of the scenario only pending responses.
bool SimulationLoop::simulate_requests() {
  if (plain_) {
    return plain_->simulate_until(agenda_.next_time(), [&](Nanoseconds reached) { report(reached); });
  }
  if (!simulator_) {
    return true;
  }
  if (activities_) {
    simulate_trips();
    return true;
  }
  while (simulator_->simulate(agenda_, requests_per_report)) {
    report(simulator_->next_time());
  }
  return true;
}

// Simulates requests in platform mode: time passes only while this waits, and responses may arrive meanwhile.
void SimulationLoop::simulate_trips() {
  while (true) {
    const Nanoseconds next = std::min(simulator_->next_time(), limit());
    if (next == engine::Calendar::never && !simulator_->waits_for_trips()) {
      return;
    }
    if (!activities_->wait_until(next)) {
      continue;
    }
    if (simulator_->next_time() >= limit()) {
      return;
    }
    (void)simulator_->simulate_before(engine::Calendar::never);
    if (simulator_->simulated() % requests_per_report == 0) {
      report(next);
    }
  }
}

// Returns the time up to which requests are simulated.
Nanoseconds SimulationLoop::limit() const {
  return agenda_.next_time() < scenario_->duration ? agenda_.next_time() : engine::Calendar::never;
}

void SimulationLoop::report(Nanoseconds reached) const {
  if (options_.progress) {
    options_.progress(std::min(reached, scenario_->duration), scenario_->duration);
  }
}

void SimulationLoop::apply_entries_of(Nanoseconds now) {
  end_expected_period(now);
  while (agenda_.next_time() == now) {
    const Agenda<Event>::Entry entry = agenda_.pop();
    std::visit([&](const auto& event) { apply(event, now); }, entry.event);
  }
  begin_missing_rows(now);
}

void SimulationLoop::apply(const PeriodEnd& /*event*/, Nanoseconds /*now*/) {
  if (loads_) {
    loads_->end_period();
    ++periods_ended_;
    expect_period_end();
  }
}

void SimulationLoop::apply(const RowsEnd& /*event*/, Nanoseconds now) {
  for (const FlowIndex flow : flows_.all()) {
    if (book_.is_open(flow)) {
      end_row(flow, now);
    }
  }
}

void SimulationLoop::apply(const LookDue& /*event*/, Nanoseconds now) {
  moment_ = look_at(*fleet_, flows_, upstreams_, *options_.look);
  moment_->sessions = simulator_->sessions().count(options_.look->client, options_.look->instance, now);
}

// Ends a period of exact mode, before anything changes at its end.
void SimulationLoop::end_expected_period(Nanoseconds now) {
  if (!expected_ || expected_->ends()[periods_ended_] != now) {
    return;
  }
  const Nanoseconds start = periods_ended_ == 0 ? Nanoseconds{0} : expected_->ends()[periods_ended_ - 1];
  const double seconds = config::seconds(now - start);
  for (const FlowIndex flow : flows_.all()) {
    const std::uint32_t count = scenario_->clients[flows_.at(flow).client.value].count;
    expected_->expect(flow, mean_rate(flow, start, now) * seconds * count, start, now);
  }
  expected_->end_period();
  ++periods_ended_;
  if (now < scenario_->duration) {
    expect_period_end();
  }
}

// Puts the end of a period on the agenda, except the last one, which is the end of the run.
void SimulationLoop::expect_period_end() {
  const Nanoseconds end = loads_ ? loads_->ends()[periods_ended_] : expected_->ends()[periods_ended_];
  if (end < scenario_->duration) {
    agenda_.push(end, EventClass::resource, PeriodEnd{});
  }
}

void SimulationLoop::end_row(FlowIndex flow, Nanoseconds now) {
  count_time(flow, now);
  if (loads_) {
    loads_->close(flow);
  }
  if (fleet_) {
    fleet_->count_requests(flow, now);
  }
  book_.close(flow, now);
}

void SimulationLoop::begin_missing_rows(Nanoseconds now) {
  for (const FlowIndex flow : flows_.all()) {
    if (!book_.is_open(flow)) {
      book_.open(flow, now);
    }
  }
}

// Returns the mean rate of one client, including lost clients, over a time in which it changes only by its slope.
double SimulationLoop::mean_rate(FlowIndex flow, Nanoseconds from, Nanoseconds to) const {
  const config::ClientEntryIndex client = flows_.at(flow).client;
  const scenario::ClientEntry& entry = scenario_->clients[client.value];
  const std::uint32_t sending =
      scenario::clients_on(entry, [this](config::NodeIndex node) { return world_.is_on(node); });
  // The mean of a linear rate is its value half way.
  const double part = traffic_.part_of_client(flow) * (static_cast<double>(sending) / entry.count);
  return truth_.state().of(client).at((from + to) / 2) * part;
}

void SimulationLoop::count_time(FlowIndex flow, Nanoseconds now) {
  Nanoseconds until = book_.end_of_step(flow, now);
  for (; until < now; until = book_.end_of_step(flow, now)) {
    book_.count_time(flow, upstreams_.state(flow), until, mean_rate(flow, book_.time_counted(flow), until));
  }
  book_.count_time(flow, upstreams_.state(flow), now, mean_rate(flow, book_.time_counted(flow), now));
}

std::string SimulationLoop::result_fingerprint() const {
  return fmt::format("{:016x}", simulator_->fingerprint());
}

}  // namespace spillway::run
