// The request engine once more, in plain code: one ordered list of everything that happens, closures, a line of people
// at each endpoint. For services that are asked for straight, without retries, failures and changes.
//
// It shares with the engine what has tests of its own: arrivals, laws of service times, random streams and balancers.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/entity.hpp"
#include "sim/engine/service_time.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/proxies/worker.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/world/world.hpp"

namespace spillway::test {

// Of the first client entry.
struct TwinResult {
  std::uint64_t sent = 0;
  std::uint64_t ok = 0;
  std::uint64_t timeout = 0;
  std::uint64_t queue_full = 0;
  std::vector<std::uint64_t> by_endpoint;
  std::vector<std::int64_t> latencies;  // of ok requests, nanoseconds
};

class SlowTwin {
 public:
  explicit SlowTwin(const scenario::Scenario& scenario)
      : scenario_(scenario), flows_(scenario), upstreams_(scenario, flows_), world_(scenario) {
    for (const scenario::Endpoint& endpoint : scenario.endpoints) {
      server_queues_.push_back(
          {engine::ServiceTime(endpoint.service_time, *endpoint.variation),
           engine::RandomStream({scenario.seed, engine::Purpose::service, engine::entity(endpoint.id)}),
           *endpoint.servers});
    }
    for (const run::FlowIndex flow : flows_.all()) {
      const scenario::ClientEntry& client = scenario.clients[flows_.at(flow).client.value];
      arrivals_.emplace_back(
          client.workload.arrivals, client.workload.rate, client.count,
          engine::RandomStream({scenario.seed, engine::Purpose::arrivals, engine::entity(client.name)}));
      for (std::uint32_t number = 0; number < client.count; ++number) {
        const std::uint64_t id = engine::entity(client.name, number, scenario.services[0].name);
        Proxy& proxy =
            proxies_[flow.value].emplace_back(engine::RandomStream({scenario.seed, engine::Purpose::connections, id}));
        for (std::uint32_t worker = 0; worker < client.concurrency; ++worker) {
          proxy.workers.emplace_back(
              upstreams_.state(flow),
              engine::RandomStream({scenario.seed, engine::Purpose::balancing, engine::worker_of(id, worker)}));
        }
        proxy.active_requests.resize(scenario.endpoints.size(), 0);
      }
      const scenario::ServiceVariation constant;
      thinking_.push_back(
          {engine::ServiceTime(client.workload.think_time, client.workload.think_variation != nullptr
                                                               ? *client.workload.think_variation
                                                               : constant),
           engine::RandomStream({scenario.seed, engine::Purpose::thinking, engine::entity(client.name)}),
           {}});
      for (std::uint32_t user = 0; user < client.workload.users * client.count; ++user) {
        think(flow.value, user / client.workload.users);
      }
    }
    result_.by_endpoint.resize(scenario.endpoints.size(), 0);
  }

  TwinResult simulate() {
    while (true) {
      const std::uint32_t entry = next_entry();
      const auto arrival = arrivals_[entry].next().at;
      if (!agenda_.empty() && std::get<0>(agenda_.begin()->first) <= arrival) {
        take_first();
      } else if (arrival < scenario_.duration) {
        now_ = arrival;
        const std::uint32_t client = arrivals_[entry].next().client;
        arrivals_[entry].advance();
        arrive(entry, client);
      } else if (agenda_.empty()) {
        return result_;
      } else {
        take_first();
      }
    }
  }

 private:
  using Nanoseconds = std::chrono::nanoseconds;
  enum Order { departs, reaches, is_back, gives_up, sends };
  struct Proxy {
    explicit Proxy(const engine::RandomStream& stream) : connections(stream) {}
    engine::RandomStream connections;
    std::deque<run::Worker> workers = {};
    std::vector<std::uint32_t> active_requests = {};
  };
  struct Request {
    std::uint32_t entry = 0;
    Proxy* proxy = nullptr;
    std::uint32_t client = 0;
    std::uint32_t endpoint = 0;
    Nanoseconds sent{0};
    Nanoseconds latency{0};
    Nanoseconds service_time{0};
    std::uint64_t number = 0;
    bool over = false;  // for its sender
  };
  using Pointer = std::shared_ptr<Request>;
  struct ServerQueue {
    engine::ServiceTime distribution;
    engine::RandomStream draws;
    scenario::Servers servers;
    std::uint32_t busy = 0;
    std::deque<Pointer> line = {};
  };

  void take_first() {
    const auto first = agenda_.begin();
    now_ = std::get<0>(first->first);
    const std::function<void()> what = std::move(first->second);
    agenda_.erase(first);
    what();
  }
  std::uint32_t next_entry() const {
    std::uint32_t first = 0;
    for (std::uint32_t entry = 1; entry < arrivals_.size(); ++entry) {
      first = arrivals_[entry].next().at < arrivals_[first].next().at ? entry : first;
    }
    return first;
  }
  void at(Nanoseconds when, Order order, const Pointer& request, std::function<void()> what) {
    agenda_.emplace(std::tuple(when, order, request->number), std::move(what));
  }

  // A user does, and sends then.
  void think(std::uint32_t entry, std::uint32_t client) {
    const auto nothing = std::make_shared<Request>(Request{.number = number_++});
    const Nanoseconds until = now_ + thinking_[entry].distribution(thinking_[entry].draws);
    if (until < scenario_.duration) {
      at(until, sends, nothing, [this, entry, client] { arrive(entry, client); });
    }
  }

  void arrive(std::uint32_t entry, std::uint32_t client) {
    Proxy& proxy = proxies_[entry][client];
    run::Worker& worker = proxy.workers[proxy.workers.size() == 1 ? 0 : proxy.connections() % proxy.workers.size()];
    result_.sent += entry == 0 ? 1 : 0;
    const auto pick = worker.balancer.choose(worker.draws, {.active_requests = proxy.active_requests, .now = now_});
    const std::uint32_t endpoint = scenario_.services[0].hosts[pick->host.value].endpoint.value;
    ++proxy.active_requests[pick->host.value];
    result_.by_endpoint[endpoint] += entry == 0 ? 1 : 0;
    const auto latency = world_.latency(scenario_.clients[entry].node, scenario_.endpoints[endpoint].node);
    const auto request =
        std::make_shared<Request>(Request{entry, &proxy, client, endpoint, now_, latency, {}, number_++, false});
    at(now_ + latency, reaches, request, [this, request] { reach(request); });
    at(now_ + std::chrono::seconds{15}, gives_up, request, [this, request] { end(request, result_.timeout, false); });
  }

  void reach(const Pointer& request) {
    ServerQueue& server = server_queues_[request->endpoint];
    request->service_time = server.distribution(server.draws);
    if (server.busy < server.servers.cores) {
      serve(server, request);
    } else if (server.line.size() < server.servers.queue.value_or(UINT32_MAX)) {
      server.line.push_back(request);
    } else {
      at(now_ + request->latency, is_back, request, [this, request] { end(request, result_.queue_full, false); });
    }
  }

  void serve(ServerQueue& server, const Pointer& request) {
    ++server.busy;
    at(now_ + request->service_time, departs, request, [this, &server, request] {
      at(now_ + request->latency, is_back, request, [this, request] { end(request, result_.ok, true); });
      --server.busy;
      if (!server.line.empty()) {
        const Pointer next = server.line.front();
        server.line.pop_front();
        serve(server, next);
      }
    });
  }

  void end(const Pointer& request, std::uint64_t& count, bool measured) {
    if (std::exchange(request->over, true)) {
      return;
    }
    --request->proxy->active_requests[request->endpoint];
    if (scenario_.clients[request->entry].workload.users > 0) {
      think(request->entry, request->client);
    }
    if (request->entry == 0) {
      ++count;
      if (measured) {
        result_.latencies.push_back((now_ - request->sent).count());
      }
    }
  }

  const scenario::Scenario& scenario_;
  run::Flows flows_;
  run::Upstreams upstreams_;
  world::World world_;
  std::vector<ServerQueue> server_queues_;
  std::vector<engine::Arrivals> arrivals_;
  std::vector<ServerQueue> thinking_;  // by entry: its law and draws
  std::map<std::uint32_t, std::deque<Proxy>> proxies_;
  std::multimap<std::tuple<Nanoseconds, Order, std::uint64_t>, std::function<void()>> agenda_;
  Nanoseconds now_{0};
  std::uint64_t number_ = 0;
  TwinResult result_;
};

inline TwinResult simulate_slowly(const scenario::Scenario& scenario) {
  return SlowTwin(scenario).simulate();
}

}  // namespace spillway::test
