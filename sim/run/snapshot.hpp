// One moment of a scenario in mode exact: what every class of clients has been told by then, and the exact shares that
// follow.
//
//   Snapshot snapshot(scenario, 25s);
//   snapshot.flow_group(client, service);   // the flows of one table
//   snapshot.shares(flow);                  // rows as an exact run has them for the epoch that holds the moment
//
// Changes up to and including the moment count, in the order in which a run applies them. Checks, ejections and load
// reports are the doings of requests and not known here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::run {

class Shares;  // shares.hpp

class Snapshot {
 public:
  // The scenario must outlive this and stay where it is.
  Snapshot(const scenario::Scenario& scenario, Nanoseconds at);

  [[nodiscard]] const scenario::Scenario& scenario() const noexcept { return *scenario_; }
  [[nodiscard]] const Flows& flows() const noexcept { return flows_; }
  [[nodiscard]] const Traffic& traffic() const noexcept { return traffic_; }
  [[nodiscard]] const Upstreams& upstreams() const noexcept { return upstreams_; }
  [[nodiscard]] const envoy::ClusterState& state(FlowIndex flow) const noexcept { return *upstreams_.state(flow); }

  // The flows of a client to the views of one service that is asked for; empty if it does not ask for it.
  [[nodiscard]] std::vector<FlowIndex> flow_group(config::ClientEntryIndex client, config::ServiceIndex service) const;

  // The part of what the client asks of the service that goes this way.
  [[nodiscard]] double part_of_group(FlowIndex flow) const;

  // A row for each target of the flow and list that gets something, in the order of a run's rows; as parts of what the
  // client asks of the service, and so the very doubles of the run. As in Share: rows with the same `joint` have an
  // exact share together only, and their own is that at rest. `of`: these shares instead of those of the flow's own
  // requests.
  struct Row {
    std::uint32_t target = 0;
    envoy::Availability availability = envoy::Availability::healthy;
    double share = 0.0;
    std::uint32_t joint = 0;
    std::uint32_t joint_rows = 0;
  };
  struct Shares {
    std::vector<Row> rows = {};
    std::string basis = {};
    std::string why_joint = {};  // empty: no row has a joint share
  };
  [[nodiscard]] Shares shares(FlowIndex flow) const;
  [[nodiscard]] Shares shares(FlowIndex flow, const envoy::ExactShares& of) const;

  // What those come of. `traced`: null, or gets the way there.
  [[nodiscard]] envoy::ExactShares exact_shares(FlowIndex flow,
                                                std::vector<Traffic::TracedPart>* traced = nullptr) const;

 private:
  void note_connections(Nanoseconds since);
  template <class Push>
  void apply(const Push& push, Nanoseconds now);

  const scenario::Scenario* scenario_;
  Nanoseconds at_;
  Flows flows_;
  Traffic traffic_;
  Upstreams upstreams_;
  OpenedConnections opened_;
  mutable ClosedForms closed_forms_;           // remembers what it has found
  std::vector<Nanoseconds> slow_start_until_;  // by flow
  std::vector<Nanoseconds> reported_last_;     // likewise
};

}  // namespace spillway::run
