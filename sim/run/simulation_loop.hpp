// The loop of a Simulation: simulates the agenda's events and, between them, the requests.
//
// The main thread repeats: simulate requests strictly before the agenda's next time (it is read again after each
// request); advance SimGrid's clock to that time; apply all entries of that time in order. In platform mode a SimGrid
// actor runs this loop, and the clock advances whenever the actor waits (world/activities.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/run/eds/upstreams.hpp"
#include "sim/run/event.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/exact/expected_loads.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/endpoint_book.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/plain/plain_simulator.hpp"
#include "sim/run/requests/request_simulator.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/run.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/world/activities.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

class SimulationLoop {
 public:
  // The public members are those of Simulation.
  SimulationLoop(const scenario::Scenario& scenario, const Options& options, std::optional<PlainSimulator::Way> plain);

  void cut_loads_at(std::vector<Nanoseconds> ends) { load_epochs_ = std::move(ends); }

  [[nodiscard]] std::optional<Results> try_to_simulate();
  [[nodiscard]] bool simulates_plainly() const noexcept { return plain_.has_value(); }
  [[nodiscard]] bool met_failure() const noexcept { return plain_ && plain_->met_failure(); }

 private:
  [[nodiscard]] std::optional<Results> simulate_through();
  [[nodiscard]] bool simulate_requests();
  void simulate_trips();
  [[nodiscard]] Nanoseconds limit() const;
  void report(Nanoseconds reached) const;
  void apply_entries_of(Nanoseconds now);
  void apply(const AuthoredChange& event, Nanoseconds now);
  void apply(const PeriodEnd& event, Nanoseconds now);
  void apply(const RowsEnd& event, Nanoseconds now);
  void apply(const LookDue& event, Nanoseconds now);
  template <class OfTheFleet>
  void apply(const OfTheFleet& event, Nanoseconds now) {
    fleet_->apply(event, now);
  }

  void change(const scenario::EdsHealth& effect, Nanoseconds now) { tell(effect, now); }
  void change(const scenario::EdsMembership& effect, Nanoseconds now) { tell(effect, now); }
  void change(const scenario::EdsWeights& effect, Nanoseconds now) { tell(effect, now); }
  void change(const scenario::EdsPriority& effect, Nanoseconds now) { tell(effect, now); }
  void change(const config::RuntimeChange& effect, Nanoseconds now);
  template <class Push>
  void tell(const Push& push, Nanoseconds now);
  // Changes actual state, which only Truth has.
  template <class Effect>
  void change(const Effect& effect, Nanoseconds now) {
    truth_.set(effect, now);
  }
  void change(const scenario::RateChange& effect, Nanoseconds now);
  void change(const scenario::NodeOutage& effect, Nanoseconds now);
  void change(const scenario::LinkChange& effect, Nanoseconds now);
  void change(const scenario::Slow& effect, Nanoseconds now);

  void expect_period_end();
  void end_expected_period(Nanoseconds now);
  [[nodiscard]] double mean_rate(FlowIndex flow, Nanoseconds from, Nanoseconds to) const;
  void end_row(FlowIndex flow, Nanoseconds now);
  void begin_missing_rows(Nanoseconds now);
  void count_time(FlowIndex flow, Nanoseconds now);
  [[nodiscard]] std::string result_fingerprint() const;

  const scenario::Scenario* scenario_;
  Options options_;
  scenario::Mode mode_;
  std::uint64_t seed_;
  world::World world_;
  std::optional<world::Activities> activities_;  // set in platform mode
  Flows flows_;
  Traffic traffic_;
  Truth truth_;
  Upstreams upstreams_;
  ClosedForms closed_forms_;
  EpochBook book_;
  Agenda<Event> agenda_;
  std::map<std::size_t, scenario::Effect> last_of_moment_;  // changes whose pushes later ones replace
  std::optional<EventLog> log_;                             // set if requested
  std::optional<Fleet> fleet_;                              // set in mode requests
  std::optional<RequestSimulator> simulator_;               // set in mode requests, unless plain_ is
  std::optional<PlainSimulator> plain_;                     // set if simulates_plainly()
  std::optional<EndpointBook> loads_;                       // set if requested
  std::optional<ExpectedLoads> expected_;                   // set in mode exact
  std::vector<Nanoseconds> load_epochs_;                    // set by cut_loads_at()
  std::size_t periods_ended_ = 0;
  std::optional<ProxyMoment> moment_;  // set if requested
};

}  // namespace spillway::run
