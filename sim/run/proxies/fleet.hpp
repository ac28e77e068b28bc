// The proxies of all clients: a balancer for each flow, and what each proxy knows of each cluster. Whatever changes
// the hosts that a balancer picks from happens here: pushes, ejections, results of checks, update merge windows.
//
//   Fleet fleet(scenario, seed, flows, upstreams, truth, world, book, agenda);
//   fleet.start();                                       // proxies have been up for long when the run begins
//   Proxy& proxy = fleet.proxy(fleet.first_proxy(flow) + client);
//   Worker& worker = fleet.worker(proxy.next_worker());
//   ProxyCluster& cluster = fleet.cluster(fleet.cluster_of(proxy_index, pick.child));
//
// A cluster that several flows of a client use, straight or through an aggregate, is one: they share its ejections,
// checks and breakers, as in Envoy.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/envoy/stateful_session/stateful_session.hpp"
#include "sim/run/eds/own_states.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/event.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::world {
class World;  // world.hpp
}  // namespace spillway::world

namespace spillway::run {

class CheckRound;  // checks.hpp
class EpochBook;   // epoch_book.hpp
class Truth;       // truth.hpp

class Fleet {
 public:
  // All must outlive this.
  Fleet(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Upstreams& upstreams,
        Truth& truth, const world::World& world, EpochBook& book, Agenda<Event>& agenda);

  // Proxies find out what their hosts do: ejections, active checks, load reports. To be called before the start, unless
  // there is nothing to be found out all through the run.
  void watch_hosts();

  // Is told of what proxies do and find out; may be null. To be set before the start.
  void set_log(EventLog* log) noexcept { log_ = log; }
  // For those who have something to tell of a cluster; `host`: none, if it is about none.
  [[nodiscard]] EventRecord logged_event(EventKind kind, std::uint32_t cluster, std::optional<config::HostIndex> host,
                                         Nanoseconds now) const;
  [[nodiscard]] EventLog* log() const noexcept { return log_; }

  // A breaker turns a request, a connection or a retry away; or lets one in again.
  void turned_away(std::uint32_t cluster, health::Resource resource, std::uint64_t limit, Nanoseconds now);
  void let_in(std::uint32_t cluster, health::Resource resource, Nanoseconds now);
  // Whether any breaker has, as far as a log is kept.
  [[nodiscard]] bool turns_any_away() const noexcept { return !turned_away_.empty(); }

  // At the beginning, after everything of time 0: every active check has brought its first result, and goes on.
  void start();

  // Proxies of one flow stand together, by client.
  [[nodiscard]] std::uint32_t first_proxy(FlowIndex flow) const noexcept { return first_proxy_[flow.value]; }
  [[nodiscard]] std::uint32_t proxies() const noexcept { return static_cast<std::uint32_t>(proxies_.size()); }
  [[nodiscard]] Proxy& proxy(std::uint32_t index) noexcept { return proxies_[index]; }
  // Those of one proxy stand together.
  [[nodiscard]] Worker& worker(std::uint32_t index) noexcept { return workers_[index]; }
  [[nodiscard]] std::size_t workers() const noexcept { return workers_.size(); }
  [[nodiscard]] std::uint32_t client_of(std::uint32_t proxy) const noexcept {
    return proxy - first_proxy_[proxies_[proxy].flow.value];
  }

  // The cluster that a pick of this proxy went to; `child` as in Pick.
  [[nodiscard]] std::uint32_t cluster_of(std::uint32_t proxy, std::uint32_t child) const noexcept {
    if (child == 0 && proxy < first_cluster_.size()) {
      return first_cluster_[proxy];
    }
    const FlowIndex flow = proxies_[proxy].flow;
    return cluster_at(flows_->at(flow).client, client_of(proxy), places_of_flow_[flow.value][child]);
  }
  [[nodiscard]] ProxyCluster& cluster(std::uint32_t index) noexcept { return clusters_[index]; }
  // cluster_of(proxy, 0), at hand without looking at the proxy.
  [[nodiscard]] std::uint32_t first_cluster_of(std::uint32_t proxy) const noexcept { return first_cluster_[proxy]; }

  // What the cluster's watch and its pool know a picked host as: the one that it is one with, at whatever priority.
  [[nodiscard]] config::HostIndex known_as(std::uint32_t cluster, config::HostIndex host) const noexcept {
    return scenario::same_host(scenario_->services[clusters_[cluster].service.value], host);
  }

  // The breaker that counts a proxy's retries: that of its flow's cluster.
  [[nodiscard]] health::CircuitBreaker& retry_breaker(std::uint32_t proxy, std::size_t routing_priority) noexcept {
    auto& own = proxies_[proxy].own_breakers;
    return own.empty() ? clusters_[cluster_of(proxy, 0)].breakers[routing_priority] : own[routing_priority];
  }

  // Where a request goes whose session names a host; none: one that the cluster does not have. Envoy looks for it
  // among the cluster's own hosts, of which an aggregate has none.
  struct SessionPick {
    envoy::stateful_session::SessionChoice choice;
    std::optional<envoy::Pick> pick = {};
  };
  [[nodiscard]] SessionPick pick_of_session(std::uint32_t proxy, std::optional<config::HostIndex> host,
                                            bool strict) const;

  // The endpoint metadata of a pick, of envoy.lb.
  [[nodiscard]] const config::Struct* metadata_of(std::uint32_t proxy, const envoy::Pick& pick) const;

  // What an attempt met, for ejections. `status`: of an answer.
  void report(std::uint32_t cluster, config::HostIndex host, health::OutlierResult result,
              std::optional<std::uint32_t> status, Nanoseconds now);
  // A request is given a connection, a new one or one from the pool (docs/behaviour/envoy-host-pick.md 17). For
  // clusters that have a watch.
  void connected(std::uint32_t cluster, config::HostIndex host);
  // An answer came, with a load report if the endpoint sends any.
  void take_report(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);
  // An answer to a request asked for it.
  void fail_immediately(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);

  // Agenda entries.
  void apply(const EjectionDecision& event, Nanoseconds now);
  void apply(const MergedUpdate& event, Nanoseconds now);
  void apply(const OutlierSweep& event, Nanoseconds now);
  void apply(const CheckDue& event, Nanoseconds now);
  void apply(const CheckDone& event, Nanoseconds now);
  void apply(const WeightUpdate& event, Nanoseconds now);
  void apply(const StatesSettled& event, Nanoseconds now);

  // The state of the flow's class has changed by a push about `service`, which takes along what waits in the merge
  // windows of that cluster.
  void take_pushed_states(FlowIndex flow, config::ServiceIndex service, Nanoseconds now);
  // Runtime values have changed, and the state of the flow's class with them.
  void take_runtime(FlowIndex flow, Nanoseconds now);
  // Hosts join or leave the cluster of the flow's clients; to be called before take_pushed_states.
  void take_membership(FlowIndex flow, const scenario::EdsMembership& push, Nanoseconds now);
  // Hosts stand at another priority: likewise.
  void take_priorities(FlowIndex flow, const scenario::EdsPriority& push);

  // Adds what every proxy of the flow has sent under its state to the book.
  void count_requests(FlowIndex flow, Nanoseconds now);

  [[nodiscard]] const RareEvents& events() const noexcept { return events_; }
  [[nodiscard]] const std::vector<Ejection>& ejections() const noexcept { return ejections_; }
  [[nodiscard]] const std::vector<CheckedHealth>& checked() const noexcept { return checked_; }

  // Visits every stream that may have had an effect on requests: when checks that find nothing new are made has none.
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
  // The plain clusters of one client entry, each once; clusters_ holds them client after client.
  struct ClientClusters {
    std::vector<config::ServiceIndex> services = {};
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  // Of a client of this entry, by the place in ClientClusters.
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
  // Whether there is something to watch, whether or not it is.
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
  std::vector<Worker> workers_;             // of all of them
  std::vector<std::uint32_t> first_proxy_;  // by flow
  std::vector<ProxyCluster> clusters_;
  std::vector<std::uint32_t> first_cluster_;                // by proxy
  std::vector<ClientClusters> clusters_of_client_;          // by client entry
  std::vector<std::vector<std::uint32_t>> places_of_flow_;  // by flow, by child: the place in ClientClusters
  // By service, by check: what it finds at endpoints that are well.
  std::vector<std::vector<health::CheckResult>> results_of_well_;
  RareEvents events_;
  std::vector<Ejection> ejections_;
  std::vector<CheckedHealth> checked_;
  EventLog* log_ = nullptr;
  bool started_ = false;
  // By proxy whose state has changed at this moment: its state before the first change, as the log knows it.
  std::map<std::uint32_t, Upstreams::State> unsettled_;
  // By open breaker: how many it has turned away.
  std::map<std::pair<std::uint32_t, health::Resource>, std::uint64_t> turned_away_;
};

}  // namespace spillway::run
