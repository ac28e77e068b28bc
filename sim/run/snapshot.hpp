// A scenario at one time in mode exact: what EDS has reported to every class of clients, and the resulting exact
// shares.
//
//   Snapshot snapshot(scenario, 25s);
//   snapshot.flow_group(client, service);   // the flows of one table
//   snapshot.shares(flow);                  // rows as an exact run has them for the epoch that holds the moment
//
// Applies changes up to and including that time, in the order of a run. Checks, ejections and load reports depend on
// requests and are not included.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/envoy/availability.hpp"
#include "models/envoy/forward.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::run {

class ClosedForms;  // closed_forms.hpp
class Shares;       // shares.hpp
struct TracedPart;  // traced_part.hpp
class Traffic;      // traffic.hpp
class Upstreams;    // upstreams.hpp

class Snapshot {
 public:
  // Lifetime: the scenario must outlive this object, and must not move.
  Snapshot(const scenario::Scenario& scenario, Nanoseconds at);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] const scenario::Scenario& scenario() const noexcept { return *scenario_; }
  [[nodiscard]] const Flows& flows() const noexcept { return flows_; }
  [[nodiscard]] const Traffic& traffic() const noexcept { return *traffic_; }
  [[nodiscard]] const Upstreams& upstreams() const noexcept { return *upstreams_; }
  [[nodiscard]] const envoy::ClusterState& state(FlowIndex flow) const noexcept;

  // Returns the flows of a client to the Views of one service; empty if the client does not use the service.
  [[nodiscard]] std::vector<FlowIndex> flow_group(config::ClientEntryIndex client, config::ServiceIndex service) const;

  // Returns the part of the client's requests to the service that takes this flow.
  [[nodiscard]] double part_of_group(FlowIndex flow) const;

  // Returns rows for each target of the flow and list with a share, in the order of a run's rows. Shares are parts of
  // the client's requests to the service, and so the exact doubles of the run. As in Share, rows with the same `joint`
  // have an exact share only together, and their own is that at rest. `of` replaces the shares of the flow's own
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
    std::string why_joint = {};  // empty if no row has a joint share
  };
  [[nodiscard]] Shares shares(FlowIndex flow) const;
  [[nodiscard]] Shares shares(FlowIndex flow, const envoy::ExactShares& of) const;

  // Returns the shares that shares() is derived from. `traced`: null, or gets the trace.
  [[nodiscard]] envoy::ExactShares exact_shares(FlowIndex flow, std::vector<TracedPart>* traced = nullptr) const;

 private:
  void note_connections(Nanoseconds since);
  template <class Push>
  void apply(const Push& push, Nanoseconds now);

  const scenario::Scenario* scenario_;
  Nanoseconds at_;
  Flows flows_;
  std::unique_ptr<Traffic> traffic_;
  std::unique_ptr<Upstreams> upstreams_;
  OpenedConnections opened_;
  std::unique_ptr<ClosedForms> closed_forms_;  // caches its results
  std::vector<Nanoseconds> slow_start_until_;  // by flow
  std::vector<Nanoseconds> reported_last_;     // by flow
};

}  // namespace spillway::run
