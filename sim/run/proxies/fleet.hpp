// The proxies of all clients: a balancer per flow, and each proxy's state of each cluster. All changes of the hosts
// that a balancer picks from happen here: pushes, ejections, check results, update merge windows.
//
//   Fleet fleet(scenario, seed, flows, upstreams, truth, world, book, agenda);
//   fleet.start();                                       // proxies have been up for long when the run begins
//   Proxy& proxy = fleet.proxy(fleet.first_proxy(flow) + client);
//   Worker& worker = fleet.worker(proxy.next_worker());
//   ProxyCluster& cluster = fleet.cluster(fleet.cluster_of(proxy_index, pick.child));
//
// Flows of a client share a cluster with its ejections, checks and breakers, also through aggregates, as in Envoy.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/envoy/stateful_session/stateful_session.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/eds/own_states.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/event.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/proxies/worker.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class CheckRound;  // checks.hpp
class EpochBook;   // epoch_book.hpp
class Truth;       // truth.hpp

class Fleet {
 public:
  // Lifetime: all arguments must outlive this object.
  Fleet(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Upstreams& upstreams,
        Truth& truth, const world::World& world, EpochBook& book, Agenda<Event>& agenda);

  // Lets proxies observe their hosts: ejections, active checks, load reports. Call it before start(), unless the whole
  // run has nothing to observe.
  void watch_hosts();

  // Sets the log of the proxies' actions and detections; may be null. Call it before start().
  void set_log(EventLog* log) noexcept { log_ = log; }
  // Returns a record about a cluster to log. `host`: nullopt if it concerns no host.
  [[nodiscard]] EventRecord event_record(EventKind kind, std::uint32_t cluster, std::optional<config::HostIndex> host,
                                         Nanoseconds now) const;
  [[nodiscard]] EventLog* log() const noexcept { return log_; }

  // turned_away(): a breaker rejects a request, a connection or a retry. let_in(): it admits one again.
  void turned_away(std::uint32_t cluster, health::Resource resource, std::uint64_t limit, Nanoseconds now);
  void let_in(std::uint32_t cluster, health::Resource resource, Nanoseconds now);
  // True if any breaker is rejecting; only known if there is a log.
  [[nodiscard]] bool turns_any_away() const noexcept { return !turned_away_.empty(); }

  // Starts the proxies, after all events of time 0: every active check has had its first result, and continues.
  void start();

  // Returns the first proxy of the flow; proxies of one flow are contiguous, by client.
  [[nodiscard]] std::uint32_t first_proxy(FlowIndex flow) const noexcept { return first_proxy_[flow.value]; }
  [[nodiscard]] std::uint32_t proxies() const noexcept { return static_cast<std::uint32_t>(proxies_.size()); }
  [[nodiscard]] Proxy& proxy(std::uint32_t index) noexcept { return proxies_[index]; }
  // Returns a worker; workers of one proxy are contiguous.
  [[nodiscard]] Worker& worker(std::uint32_t index) noexcept { return workers_[index]; }
  [[nodiscard]] std::size_t workers() const noexcept { return workers_.size(); }
  [[nodiscard]] std::uint32_t client_of(std::uint32_t proxy) const noexcept {
    return proxy - first_proxy_[proxies_[proxy].flow.value];
  }

  // Returns the cluster that a pick of this proxy went to; `child` as in Pick.
  [[nodiscard]] std::uint32_t cluster_of(std::uint32_t proxy, std::uint32_t child) const noexcept {
    if (child == 0 && proxy < first_cluster_.size()) {
      return first_cluster_[proxy];
    }
    const FlowIndex flow = proxies_[proxy].flow;
    return cluster_at(flows_->at(flow).client, client_of(proxy), places_of_flow_[flow.value][child]);
  }
  [[nodiscard]] ProxyCluster& cluster(std::uint32_t index) noexcept { return clusters_[index]; }
  // Returns cluster_of(proxy, 0) without reading the proxy.
  [[nodiscard]] std::uint32_t first_cluster_of(std::uint32_t proxy) const noexcept { return first_cluster_[proxy]; }

  // Returns the host under which the cluster's watch and pool know a picked host: the same host at any priority.
  [[nodiscard]] config::HostIndex known_as(std::uint32_t cluster, config::HostIndex host) const noexcept {
    return scenario::same_host(scenario_->services[clusters_[cluster].service.value], host);
  }

  // Returns the breaker that counts a proxy's retries: that of its flow's cluster.
  [[nodiscard]] health::CircuitBreaker& retry_breaker(std::uint32_t proxy, std::size_t routing_priority) noexcept {
    auto& own = proxies_[proxy].own_breakers;
    return own.empty() ? clusters_[cluster_of(proxy, 0)].breakers[routing_priority] : own[routing_priority];
  }

  // Returns where a request goes whose session names a host; `host` is nullopt if the cluster has no such host. Envoy
  // looks for it among the cluster's own hosts, of which an aggregate has none.
  struct SessionPick {
    envoy::stateful_session::SessionChoice choice;
    std::optional<envoy::Pick> pick = {};
  };
  [[nodiscard]] SessionPick pick_of_session(std::uint32_t proxy, std::optional<config::HostIndex> host,
                                            bool strict) const;

  // Returns the endpoint metadata of a pick, in envoy.lb.
  [[nodiscard]] const config::Struct* metadata_of(std::uint32_t proxy, const envoy::Pick& pick) const;

  // Reports the result of an attempt, for ejections. `status`: of a response.
  void report(std::uint32_t cluster, config::HostIndex host, health::OutlierResult result,
              std::optional<std::uint32_t> status, Nanoseconds now);
  // Reports a request's connection, new or pooled (docs/behaviour/envoy-host-pick.md 17). The cluster has a watch.
  void connected(std::uint32_t cluster, config::HostIndex host);
  // Handles a response, with a load report if the endpoint sends one.
  void take_report(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);
  // Handles a response that requests an immediate check failure.
  void fail_immediately(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);

  // Applies agenda entries.
  void apply(const EjectionDecision& event, Nanoseconds now);
  void apply(const MergedUpdate& event, Nanoseconds now);
  void apply(const OutlierSweep& event, Nanoseconds now);
  void apply(const CheckDue& event, Nanoseconds now);
  void apply(const CheckDone& event, Nanoseconds now);
  void apply(const WeightUpdate& event, Nanoseconds now);
  void apply(const StatesSettled& event, Nanoseconds now);

  // Updates the state of the flow's class after a push about `service`. The push includes what waits in the merge
  // windows of that cluster.
  void take_pushed_states(FlowIndex flow, config::ServiceIndex service, Nanoseconds now);
  // Updates the state of the flow's class after a change of runtime values.
  void take_runtime(FlowIndex flow, Nanoseconds now);
  // Adds or removes hosts of the cluster of the flow's clients. Call it before take_pushed_states().
  void take_membership(FlowIndex flow, const scenario::EdsMembership& push, Nanoseconds now);
  // Moves hosts to other priorities. Call it before take_pushed_states().
  void take_priorities(FlowIndex flow, const scenario::EdsPriority& push);

  // Adds what every proxy of the flow has sent under its state to the book.
  void count_requests(FlowIndex flow, Nanoseconds now);

  [[nodiscard]] const RareEvents& events() const noexcept { return events_; }
  [[nodiscard]] const std::vector<Ejection>& ejections() const noexcept { return ejections_; }
  [[nodiscard]] const std::vector<CheckedHealth>& checked() const noexcept { return checked_; }

  // Visits every stream that may have affected requests. The times of checks that find nothing new affect none.
  template <class Visit>
  void for_each_stream(Visit visit) const {
    for (const Proxy& proxy : proxies_) {
      for (std::uint32_t worker = 0; worker < proxy.workers; ++worker) {
        visit(workers_[proxy.first_worker + worker].draws);
      }
      if (proxy.workers > 1) {
        visit(proxy.connections);
      }
    }
    for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
      if (clusters_[index].watch) {
        visit(clusters_[index].watch->ejection_stream());
      }
    }
  }

 private:
  // The plain clusters of one client entry, each once; clusters_ holds them client by client.
  struct ClientClusters {
    std::vector<config::ServiceIndex> services = {};
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  // Returns the cluster of a client of this entry at this place in ClientClusters.
  [[nodiscard]] std::uint32_t cluster_at(config::ClientEntryIndex entry, std::uint32_t client,
                                         std::uint32_t place) const noexcept {
    const ClientClusters& of = clusters_of_client_[entry.value];
    return of.first + client * of.count + place;
  }

  void add_proxies(FlowIndex flow);
  void add_clusters(config::ClientEntryIndex entry);
  void record(std::uint32_t cluster, const health::OutlierEvent& event, bool by_check, Nanoseconds now);
  void log_outlier(std::uint32_t cluster, const health::OutlierEvent& event, bool by_check, Nanoseconds now);
  void log_check(const CheckDue& due, const health::CheckResult& result, const ClusterWatch::Checked& checked,
                 Nanoseconds now);
  void log_failed_by_answer(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);
  [[nodiscard]] bool is_budget(std::uint32_t cluster, health::Resource resource) const noexcept;
  void log_priorities(const Proxy& proxy, const envoy::ClusterState* before, Nanoseconds now);
  void record_health(std::uint32_t cluster, config::HostIndex host, envoy::Health health, Nanoseconds now);
  void push_checks(const CheckDue& due, Nanoseconds at) { agenda_->push(at, EventClass::check, due); }
  void warm_up(std::uint32_t cluster);
  // True if there is something to watch, watched or not.
  [[nodiscard]] bool has_watch(std::uint32_t cluster) const {
    return ClusterWatch::needed(scenario_->services[clusters_[cluster].service.value].cluster);
  }
  [[nodiscard]] engine::StreamIdentity identity_of(std::uint32_t cluster) const;
  [[nodiscard]] CheckRound round_of(const ProxyCluster& cluster, std::size_t check, Nanoseconds now) const;
  void follow(std::uint32_t cluster, ClusterWatch::Effect effect, Nanoseconds now);
  void take_own_state(std::uint32_t cluster, Nanoseconds now);
  [[nodiscard]] Upstreams::State own_state(const ProxyCluster& cluster, FlowIndex flow, std::size_t member);
  [[nodiscard]] std::uint32_t client_of_cluster(std::uint32_t cluster) const noexcept;
  [[nodiscard]] Upstreams::State state_of(FlowIndex flow, std::uint32_t client) const;
  void take_state(Proxy& proxy, Upstreams::State state, Nanoseconds now);
  [[nodiscard]] std::vector<Nanoseconds> last_hc_passes(FlowIndex flow, std::uint32_t client) const;

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  const Flows* flows_;
  const Upstreams* upstreams_;
  OwnStates own_states_;
  Truth* truth_;
  const world::World* world_;
  EpochBook* book_;
  Agenda<Event>* agenda_;

  std::vector<Proxy> proxies_;
  std::vector<Worker> workers_;             // of all proxies
  std::vector<std::uint32_t> first_proxy_;  // by flow
  std::vector<ProxyCluster> clusters_;
  std::vector<std::uint32_t> first_cluster_;                // by proxy
  std::vector<ClientClusters> clusters_of_client_;          // by client entry
  std::vector<std::vector<std::uint32_t>> places_of_flow_;  // by flow, by child: the place in ClientClusters
  // By service, by check: its result at healthy endpoints.
  std::vector<std::vector<health::CheckResult>> results_of_well_;
  RareEvents events_;
  std::vector<Ejection> ejections_;
  std::vector<CheckedHealth> checked_;
  EventLog* log_ = nullptr;
  bool started_ = false;
  // By proxy whose state has changed at this time: its state before the first change, as the log knows it.
  std::map<std::uint32_t, Upstreams::State> unsettled_;
  // By open breaker: the number of rejections.
  std::map<std::pair<std::uint32_t, health::Resource>, std::uint64_t> turned_away_;
};

}  // namespace spillway::run
