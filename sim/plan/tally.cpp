// Converts the rows of a run into loads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "models/config/seconds.hpp"
#include "sim/plan/cause_of_failure.hpp"
#include "sim/plan/connections.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/stability.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/zone_proxies.hpp"

namespace spillway::plan {
namespace {

constexpr double bytes_of_price = 1e9;

// Rounding error of summed shares: smaller remainders count as zero.
constexpr double rounding_of_sums = 1e-12;

// Relative rounding error of the bytes of a pair of zones: smaller differences count as zero.
constexpr double rounding_of_bytes = 1e-9;

// The fate of a request that reaches an endpoint.
struct Condition {
  bool out = false;     // refuses every request
  double failed = 0.0;  // fraction of the other requests
  double served = 1.0;  // fraction that keeps a core busy
  // Fractions that are never sent, and that get no response.
  double unsent = 0.0;
  double unanswered = 0.0;
};

// Returns one condition per endpoint, by EndpointIndex.
std::vector<Condition> conditions_of(const scenario::Scenario& still, const scenario::ActualState& state) {
  std::vector<Condition> conditions;
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    const scenario::Failing& failing = state.of(config::EndpointIndex{index}).failing;
    const bool unserved =
        failing.failure == scenario::Failure::connect_failure || failing.failure == scenario::Failure::no_answer;
    const bool unsent = failing.failure == scenario::Failure::connect_failure;
    conditions.push_back({!state.answers(config::EndpointIndex{index}), failing.fraction,
                          unserved ? 1.0 - failing.fraction : 1.0, unsent ? failing.fraction : 0.0,
                          unserved ? failing.fraction : 0.0});
  }
  return conditions;
}

double price_between(const scenario::Scenario& still, config::ZoneIndex from, config::ZoneIndex to) {
  const auto link = scenario::link_between(still, from, to);
  return link ? still.links[link->value].price : 0.0;
}

// Adds up flows, one client's requests for a service at a time.
class Tally {
 public:
  Tally(const scenario::Scenario& still, const run::Results& results, std::chrono::nanoseconds measured_from)
      : still_(&still),
        results_(&results),
        seconds_(config::seconds(still.duration - measured_from)),
        flow_rates_(rates_of_flows(still)),
        state_(scenario::actual_at(still, still.duration)),
        forwards_(scenario::forwarding(still)),
        conditions_(conditions_of(still, state_)) {
    for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
      index_of_.emplace(still.endpoints[index].id, index);
    }
    loads_.utilisation.resize(still.endpoints.size());
    loads_.endless = endless_queues(still, seconds_);
    loads_.rates.resize(still.endpoints.size(), 0.0);
    loads_.answered.resize(still.endpoints.size(), 0.0);
    loads_.rates_by_service.resize(still.services.size());
    loads_.services.resize(still.services.size());
    loads_.exact = results.mode == scenario::Mode::exact;
  }

  Loads take() {
    begin_flows();
    std::vector<double> on_connections;
    if (loads_.exact) {
      const Connections connections(*still_, *results_, flow_rates_);
      on_connections = connections.shares();
      loads_.connections_even = connections.even();
      loads_.connections_held = connections.any_held();
    }
    on_connections.empty() && loads_.exact ? add_classes() : add_blocks(on_connections);
    loads_.exact ? finish_by_shares() : finish_by_outcomes();
    add_crossings();
    add_utilisation();
    add_machine_costs();
    set_connection_utilisation(*still_, seconds_, loads_);
    return std::move(loads_);
  }

 private:
  // Fractions of one client's requests for a service.
  struct Flow {
    double rate = 0.0;
    double arrived = 0.0;  // at endpoints that answer or fail
    double refused = 0.0;  // by lost endpoints
    double cut_off = 0.0;  // part of `refused`: by links
    double failed = 0.0;   // by failing endpoints
    std::uint64_t sent = 0;
    bool panics = false;
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;                     // client, service
  using Crossing = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // service, zones from and to
  struct Bytes {                                                             // per second
    double of_requests = 0.0;
    double of_answers = 0.0;
  };

  void begin_flows() {
    for (const auto& [place, rate] : flow_rates_) {
      if (!still_->clients[place.first].zone_proxy) {
        flows_[place].rate = rate;
        loads_.services[place.second].rate += rate;
        loads_.rates_by_service[place.second].request();
      }
    }
    for (const run::Outcomes& outcomes : results_->outcomes) {
      flows_[{outcomes.client.value, outcomes.service.value}].sent += outcomes.sent;
    }
    for (const run::Epoch& epoch : results_->epochs) {
      const scenario::ClientEntry& client = still_->clients[epoch.client.value];
      for (const run::PriorityHealth& priority : epoch.health->priorities) {
        if (priority.panic && !client.zone_proxy && priority.load > 0) {
          flows_[{epoch.client.value, epoch.service.value}].panics = true;
          loads_.panics.push_back(fmt::format("{} -> {} {}{}P{}", client.name,
                                              still_->services[epoch.service.value].name, priority.cluster,
                                              priority.cluster.empty() ? "" : " ", priority.priority.value));
        }
      }
    }
  }

  void add_blocks(const std::vector<double>& on_connections) {
    std::size_t row = 0;
    for (const run::ShareBlock& block : results_->shares.blocks()) {
      const auto place = flows_.find({block.client.value, block.service.value});
      const std::vector<std::uint32_t>& endpoints = endpoints_of(*block.exact->places);
      block.for_each([&](const run::ShareCell& cell) {
        const std::size_t own = row++;
        const run::SharePlace& of = block.place(cell);
        const std::uint32_t endpoint = endpoints[static_cast<std::size_t>(&of - block.exact->places->places.data())];
        if (place != flows_.end() && endpoint != no_endpoint) {
          add(block, of, cell, endpoint, place->second, loads_.exact ? on_connections[own] : 0.0);
        }
      });
    }
  }

  // Blocks of clients that share their rows and are alike otherwise. They are added up as one.
  struct Class {
    const run::ShareBlock* first = nullptr;
    Flow together = {};
    std::vector<Flow*> flows = {};
  };

  void add_classes() {
    std::vector<Class> classes;
    std::map<std::tuple<const run::ExactRows*, std::uint32_t, std::uint32_t, double, std::optional<std::uint64_t>,
                        std::optional<std::uint64_t>, bool>,
             std::size_t>
        known;
    for (const run::ShareBlock& block : results_->shares.blocks()) {
      const auto place = flows_.find({block.client.value, block.service.value});
      if (place == flows_.end()) {
        continue;
      }
      const scenario::ClientEntry& client = still_->clients[block.client.value];
      const std::uint32_t from = still_->nodes[client.node.value].zone.value;
      const auto [found, is_new] =
          known.try_emplace({block.exact.get(), block.service.value, from, block.part, client.workload.request_bytes,
                             client.workload.response_bytes, client.zone_proxy.has_value()},
                            classes.size());
      if (is_new) {
        classes.push_back({.first = &block});
      }
      classes[found->second].together.rate += place->second.rate;
      classes[found->second].flows.push_back(&place->second);
    }
    for (Class& of : classes) {
      const run::ShareBlock& block = *of.first;
      const std::vector<std::uint32_t>& endpoints = endpoints_of(*block.exact->places);
      block.for_each([&](const run::ShareCell& cell) {
        const run::SharePlace& target = block.place(cell);
        const std::uint32_t endpoint =
            endpoints[static_cast<std::size_t>(&target - block.exact->places->places.data())];
        if (endpoint != no_endpoint) {
          add(block, target, cell, endpoint, of.together, cell.at_rest);
        }
      });
      for (Flow* const flow : of.flows) {
        flow->arrived += of.together.arrived;
        flow->refused += of.together.refused;
        flow->cut_off += of.together.cut_off;
        flow->failed += of.together.failed;
      }
    }
  }

  static constexpr std::uint32_t no_endpoint = UINT32_MAX;

  // Returns the endpoints of a table's places. Many clients share a table, so names are looked up once.
  const std::vector<std::uint32_t>& endpoints_of(const run::SharePlaces& table) {
    const auto [known, is_new] = endpoints_.try_emplace(&table);
    if (is_new) {
      for (const run::SharePlace& place : table.places) {
        const auto endpoint = index_of_.find(place.endpoint);
        known->second.push_back(endpoint == index_of_.end() ? no_endpoint : endpoint->second);
      }
    }
    return known->second;
  }

  [[nodiscard]] bool is_cut_off(const run::SharePlace& place, std::uint32_t from, std::uint32_t to) const {
    const auto link = scenario::link_between(*still_, config::ZoneIndex{from}, config::ZoneIndex{to});
    return place.via.empty() && link && !state_.of(*link).on;
  }

  void add(const run::ShareBlock& block, const run::SharePlace& place, const run::ShareCell& cell,
           std::uint32_t endpoint, Flow& flow, double exact) {
    // Attempts per request: the sum exceeds 1 if requests are retried.
    const double part = loads_.exact ? exact
                        : flow.sent > 0
                            ? static_cast<double>(cell.attempts.value_or(0)) / static_cast<double>(flow.sent)
                            : 0.0;
    const std::uint32_t from = still_->nodes[still_->clients[block.client.value].node.value].zone.value;
    const std::uint32_t to = still_->nodes[still_->endpoints[endpoint].node.value].zone.value;
    const Condition& condition = conditions_[endpoint];
    // A request that ends at a zone proxy found no endpoint behind it.
    if (condition.out || forwards_[endpoint] || is_cut_off(place, from, to)) {
      flow.refused += part;
      flow.cut_off += condition.out || forwards_[endpoint] ? 0.0 : part;
      keep_back(block, place, endpoint, flow.rate * part, flow.rate * part);
      return;
    }
    keep_back(block, place, endpoint, flow.rate * part * condition.unsent, flow.rate * part * condition.unanswered);
    flow.arrived += part;
    flow.failed += part * condition.failed;
    const double answered = part * (1.0 - condition.failed);
    loads_.services[block.service.value].cross_zone += from == to ? 0.0 : flow.rate * answered;
    loads_.rates[endpoint] += flow.rate * part * condition.served;
    loads_.answered[endpoint] += flow.rate * answered;
    loads_.rates_by_service[block.service.value].add(endpoint, flow.rate * part * condition.served);
  }

  // Subtracts bytes that are not sent. Shares show intended targets: a refused request is never sent, and an unanswered
  // one has no response bytes. A run counts neither. Behind zone proxies, a refused request also crosses zones.
  void keep_back(const run::ShareBlock& block, const run::SharePlace& place, std::uint32_t endpoint, double unsent,
                 double unanswered) {
    const scenario::ClientEntry& client = still_->clients[block.client.value];
    const config::ZoneIndex from = still_->nodes[client.node.value].zone;
    const config::ZoneIndex to = still_->nodes[still_->endpoints[endpoint].node.value].zone;
    if (!loads_.exact || from == to || !place.via.empty() || client.zone_proxy) {
      return;
    }
    const auto of = [](const std::optional<std::uint64_t>& own, std::uint64_t of_endpoint) {
      return static_cast<double>(own.value_or(of_endpoint));
    };
    Bytes& kept = kept_back_[{block.service.value, from.value, to.value}];
    kept.of_requests += unsent * of(client.workload.request_bytes, still_->endpoints[endpoint].request_bytes);
    kept.of_answers += unanswered * of(client.workload.response_bytes, still_->endpoints[endpoint].response_bytes);
  }

  // `causes` are in the order of a request's steps; causes with a share of zero are dropped.
  void finish_flow(const Place& place, const Flow& flow, double failed, double no_host,
                   const std::vector<CausePart>& causes) {
    if (failed > rounding_of_sums && flow.rate > 0.0) {
      FailedRequests& failing = loads_.failing.emplace_back(FailedRequests{{place.first}, {place.second}, failed});
      std::copy_if(causes.begin(), causes.end(), std::back_inserter(failing.causes),
                   [](const CausePart& part) { return part.share > rounding_of_sums; });
      loads_.services[place.second].failed += flow.rate * failed;
    }
    loads_.services[place.second].no_host += no_host > rounding_of_sums ? flow.rate * no_host : 0.0;
  }

  static Cause refusal_of(const Flow& flow) { return flow.panics ? Cause::panic : Cause::lost; }

  void finish_by_shares() {
    for (const auto& [place, flow] : flows_) {
      const double dropped = still_->services[place.second].load_assignment.drop_overload.ratio();
      const double no_host = 1.0 - flow.arrived - flow.refused - dropped;
      finish_flow(place, flow, no_host + flow.refused + flow.failed + dropped, no_host,
                  {{Cause::drop_overload, dropped},
                   {Cause::no_host, no_host},
                   {refusal_of(flow), flow.refused - flow.cut_off},
                   {Cause::link, flow.cut_off},
                   {Cause::failing, flow.failed}});
    }
    finish_services();
  }

  void finish_by_outcomes() {
    std::map<Place, run::Outcomes> sums;
    for (const run::Outcomes& row : results_->outcomes) {
      run::add(sums[{row.client.value, row.service.value}], row);
    }
    for (const auto& [place, flow] : flows_) {
      const run::Outcomes& of = sums[place];
      loads_.services[place.second].requests += of.sent;
      const double sent = std::max(static_cast<double>(of.sent), 1.0);
      const auto part = [&](std::uint64_t count) { return static_cast<double>(count) / sent; };
      // Refusals without a lost endpoint come from failing endpoints.
      const bool refused = flow.refused > 0.0;
      const double refusals = refused ? part(of[scenario::Outcome::connect_failure]) : 0.0;
      const double cut_off = refused ? refusals * flow.cut_off / flow.refused : 0.0;
      std::map<Cause, std::uint64_t> counts;
      for (const scenario::Outcome failure : scenario::failures) {
        counts[cause_of_failure(failure)] += refused && failure == scenario::Outcome::connect_failure ? 0 : of[failure];
      }
      std::map<Cause, double> shares{{refusal_of(flow), refusals - cut_off}, {Cause::link, cut_off}};
      for (const auto& [cause, count] : counts) {
        shares[cause] = part(count);
      }
      std::vector<CausePart> causes;
      for (const auto& [cause, share] : shares) {
        causes.push_back({cause, share});
      }
      finish_flow(place, flow, part(of.failed()),
                  part(of[scenario::Outcome::no_healthy_upstream] + of[scenario::Outcome::fault]), causes);
    }
    finish_services();
  }

  void finish_services() {
    for (ServiceLoad& service : loads_.services) {
      service.failed = service.rate > 0.0 ? service.failed / service.rate : 0.0;
      service.no_host = service.rate > 0.0 ? service.no_host / service.rate : 0.0;
      service.cross_zone = service.rate > 0.0 ? service.cross_zone / service.rate : 0.0;
    }
  }

  void add_crossings() {
    const double seconds = seconds_ * static_cast<double>(results_->replications);
    std::map<Crossing, Bytes> sums;
    for (const run::CrossZone& crossing : results_->cross_zone) {
      if (loads_.services[crossing.service.value].rate <= 0.0) {
        continue;  // nothing is unknown without requests
      }
      Bytes& sum = sums[{crossing.service.value, crossing.from.value, crossing.to.value}];
      sum.of_requests += crossing.request_bytes / seconds;
      sum.of_answers += crossing.response_bytes / seconds;
    }
    for (auto& [crossing, sum] : sums) {
      const auto& [of, from, to] = crossing;
      const auto kept = kept_back_.find(crossing);
      if (kept != kept_back_.end()) {
        sum = {left_of(sum.of_requests, kept->second.of_requests), left_of(sum.of_answers, kept->second.of_answers)};
      }
      ServiceLoad& service = loads_.services[of];
      const double bytes = sum.of_requests + sum.of_answers;
      add(service.bytes, bytes);
      add(service.cost, bytes / bytes_of_price * seconds_of_month *
                            price_between(*still_, config::ZoneIndex{from}, config::ZoneIndex{to}));
    }
    add_link_utilisation(sums);
  }

  // Amounts that a run leaves undetermined are NaN.
  static void add(std::optional<double>& sum, double number) {
    sum = sum && !std::isnan(number) ? std::optional(*sum + number) : std::nullopt;
  }

  static double left_of(double all, double kept_back) {
    return all - kept_back > rounding_of_bytes * all ? all - kept_back : 0.0;
  }

  void add_link_utilisation(const std::map<Crossing, Bytes>& sums) {
    constexpr double bits_of_byte = 8.0;
    // Each direction separately: bytes from one zone to the other.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> one_way;
    for (const auto& [crossing, sum] : sums) {
      const auto& [of, from, to] = crossing;
      one_way[{from, to}] += sum.of_requests * bits_of_byte;
      one_way[{to, from}] += sum.of_answers * bits_of_byte;
    }
    for (const auto& [crossing, sum] : sums) {
      const auto& [of, from, to] = crossing;
      const auto link = scenario::link_between(*still_, config::ZoneIndex{from}, config::ZoneIndex{to});
      if (link && still_->links[link->value].bandwidth) {
        const double busier = std::max(one_way[{from, to}], one_way[{to, from}]);
        std::optional<double>& most = loads_.services[of].link_utilisation;
        most = most && !std::isnan(busier)
                   ? std::optional(std::max(*most, busier / *still_->links[link->value].bandwidth))
                   : std::nullopt;
      }
    }
  }

  void add_utilisation() {
    const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(*still_);
    std::unordered_map<std::uint32_t, double> busy;
    for (std::size_t index = 0; index < server_queues.size(); ++index) {
      if (server_queues[index]) {
        busy[server_queues[index]->number] += loads_.rates[index] * server_queues[index]->seconds;
      }
    }
    for (std::size_t index = 0; index < server_queues.size(); ++index) {
      if (server_queues[index]) {
        loads_.utilisation[index] = busy[server_queues[index]->number] / server_queues[index]->cores;
      }
    }
  }

  void add_machine_costs() {
    constexpr double hours_of_month = seconds_of_month / 3600.0;
    for (std::uint32_t service = 0; service < loads_.services.size(); ++service) {
      std::optional<double> sum = 0.0;
      for (const config::ServiceIndex member : scenario::members_of(*still_, {service})) {
        for (const scenario::Host& host : still_->services[member.value].hosts) {
          const std::optional<double>& price = still_->endpoints[host.endpoint.value].price;
          sum = sum && price ? std::optional(*sum + *price * hours_of_month) : std::nullopt;
        }
      }
      loads_.services[service].machine_cost = sum;
    }
  }

  const scenario::Scenario* still_;
  const run::Results* results_;
  double seconds_;
  std::map<Place, double> flow_rates_;
  scenario::ActualState state_;
  std::vector<bool> forwards_;  // by EndpointIndex
  std::vector<Condition> conditions_;
  std::unordered_map<std::string_view, std::uint32_t> index_of_;
  std::unordered_map<const run::SharePlaces*, std::vector<std::uint32_t>> endpoints_;
  std::map<Place, Flow> flows_;
  std::map<Crossing, Bytes> kept_back_;
  Loads loads_;
};

}  // namespace

std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates_of_flows(const scenario::Scenario& still) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates;
  const run::Flows flows(still);
  const run::Traffic traffic(still, flows);
  // Clients that a failure removes after a warm-up send nothing at the end.
  const scenario::ActualState at_end = scenario::actual_at(still, still.duration);
  for (const run::FlowIndex index : flows.all()) {
    const run::Flow& flow = flows.at(index);
    const scenario::ClientEntry& client = still.clients[flow.client.value];
    const double of_user = most_rate_of_user(still, client);
    rates[{flow.client.value, scenario::asked_for(still, flow.service).value}] +=
        std::max(0.0, at_end.of(flow.client).at(still.duration)) * client.count * traffic.part_of_client(index) *
        (std::isfinite(of_user) ? of_user : 1.0);
  }
  return rates;
}

Loads loads_of(const scenario::Scenario& still, const run::Results& results, std::chrono::nanoseconds measured_from) {
  return Tally(still, results, measured_from).take();
}

}  // namespace spillway::plan
