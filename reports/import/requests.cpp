#include "reports/import/requests.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "models/documents/node_edit.hpp"
#include "reports/envoy/routes.hpp"
#include "reports/import/import.hpp"
#include "reports/import/yaml_text.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::importing {
namespace {

using documents::Kind;
using documents::make_node;
using documents::make_object;
using documents::Node;

constexpr const char* mark_header = "x-listener";

// Adds a condition on a header to a route.
void match_header(Node& route, const std::string& name, const std::string& value) {
  push_back(member(member(route, "match"), "headers"),
            make_object({{"name", make_node(name)}, {"string_match", make_object({{"exact", make_node(value)}})}}));
}

std::string block_of(const Node& node) {
  std::string block = yaml_block(node, 4);
  block.replace(0, 4, "  - ");
  return block;
}

// Returns the comment above a route that matches more requests than that of the documents.
std::string loosened_comment(const scenario::Route& route) {
  std::string text;
  for (const std::string& key : route.loosened) {
    text += text.empty() ? "  # Takes more requests than in the documents: " : ", ";
    text += key == "path_separated_prefix" ? "`path_separated_prefix` is `prefix` here" : "without `" + key + "`";
  }
  return text.empty() ? "" : text + "\n";
}

}  // namespace

std::string duration_text(std::chrono::nanoseconds time) {
  using namespace std::chrono;
  if (time % seconds{1} == nanoseconds{0}) {
    return fmt::format("{}s", duration_cast<seconds>(time).count());
  }
  if (time % milliseconds{1} == nanoseconds{0}) {
    return fmt::format("{}ms", duration_cast<milliseconds>(time).count());
  }
  return fmt::format("{}ns", time.count());
}

RequestTexts::RequestTexts(const Input& input, const Names& names) : input_(&input), names_(&names) {
  for (std::size_t proxy = 0; proxy < input.proxies.size(); ++proxy) {
    for (const scenario::Scenario* const world : input.proxies[proxy].clusters) {
      add(proxy, *world);
    }
  }
  std::vector<CountedClient> clients;
  for (const Asked& asked : asked_) {
    clients.push_back({asked.proxy, asked.world});
  }
  RatesOfClients rates = rates_of(input, clients);
  reported_ = std::move(rates.of);
  findings_ = std::move(rates.findings);
}

void RequestTexts::add(std::size_t proxy, const scenario::Scenario& world) {
  Asked asked{.proxy = proxy, .world = &world};
  const scenario::RequestKind* const kind = described_in(world);
  if (kind == nullptr) {
    asked_.push_back(std::move(asked));
    return;
  }
  asked.match = world.routes[kind->route].route.match;
  if (const std::string* const host = first_value(kind->request, ":authority"); host != nullptr && !host->empty()) {
    asked.match.headers.push_back(
        {.name = ":authority", .kind = envoy::routes::HeaderMatcher::Kind::exact, .value = *host});
  }
  asked.route = route_of(asked);
  std::size_t marks = 0;
  for (const Asked& before : asked_) {
    if (before.route.kind == Kind::null || !matches(before.match, kind->request)) {
      continue;
    }
    if (same_json(before.route, asked.route)) {
      if (before.proxy == proxy && same_json(request_of(before), request_of(asked))) {
        return;  // from another listener
      }
      asked.mark = before.mark;
      asked_.push_back(std::move(asked));
      return;
    }
    marks = std::max(marks, before.mark + 1);
  }
  asked.mark = marks;
  asked_.push_back(std::move(asked));
}

Node RequestTexts::route_of(const Asked& asked) const {
  const scenario::RequestKind& kind = *described_in(*asked.world);
  Node route = envoy_export::route_message(*asked.world, asked.world->routes[kind.route]);
  Node& action = member(route, "route");
  const auto rename = [&](Node& name) { name = make_node(names_->service(asked.proxy, name.text)); };
  if (action.find("cluster") != nullptr) {
    rename(member(action, "cluster"));
  }
  if (action.find("weighted_clusters") != nullptr) {
    for (Node& cluster : member(member(action, "weighted_clusters"), "clusters").items) {
      rename(member(cluster, "name"));
    }
  }
  if (const std::string* const host = first_value(kind.request, ":authority"); host != nullptr && !host->empty()) {
    match_header(route, ":authority", *host);
  }
  return route;
}

std::string RequestTexts::routes() const {
  std::string text;
  std::set<std::string> written;
  // Marked routes come first: they match no other requests.
  for (const bool marked : {true, false}) {
    for (const Asked& asked : asked_) {
      if (asked.route.kind == Kind::null || (asked.mark > 0) != marked) {
        continue;
      }
      Node route = asked.route;
      if (marked) {
        match_header(route, mark_header, std::to_string(asked.mark + 1));
      }
      std::string block = block_of(route);
      if (written.insert(block).second) {
        text += loosened_comment(asked.world->routes[described_in(*asked.world)->route]) + block;
      }
    }
  }
  return text.empty() ? "" : "routes:\n" + text;
}

// Returns a described request as in a workload.
Node RequestTexts::request_of(const Asked& asked) const {
  Node request = make_object();
  for (const auto& [name, value] : described_in(*asked.world)->request.headers) {
    if (name == ":path") {
      member(request, "path") = make_node(value);
    } else if (name == ":authority") {
      if (!value.empty()) {
        member(member(request, "headers"), "host") = make_node(value);
      }
    } else if (name != ":method" || value != "GET") {
      member(member(request, "headers"), name) = make_node(value);
    }
  }
  if (asked.mark > 0) {
    member(member(request, "headers"), mark_header) = make_node(std::to_string(asked.mark + 1));
  }
  return request;
}

// Returns "120rps 30s, 95.5rps 30s". Neighbours with the same text are merged.
std::string RequestTexts::phases_text(const std::vector<observed::RatePhase>& phases) {
  std::string text;
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    const std::string rate = fmt::format("{:.6g}rps", phases[phase].rate);
    std::chrono::nanoseconds length = phases[phase].length;
    while (phase + 1 < phases.size() && fmt::format("{:.6g}rps", phases[phase + 1].rate) == rate) {
      length += phases[++phase].length;
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rate, duration_text(length));
  }
  return text;
}

// True if the count is zero.
bool RequestTexts::sends_nothing(const ClientRate& reported) {
  const bool in_time = !reported.phases.empty();
  return in_time ? std::all_of(reported.phases.begin(), reported.phases.end(),
                               [](const observed::RatePhase& phase) { return phase.rate == 0.0; })
                 : reported.rate == 0.0;
}

std::string RequestTexts::client(std::size_t number, const std::string& name) const {
  const Asked& asked = asked_[number];
  const ClientRate& reported = reported_[number];
  const scenario::Scenario& world = *asked.world;
  const scenario::ClientEntry& client = world.clients.front();
  const std::string& cluster = world.services[client.workload.service.value].name;
  Node entry = make_object({{"name", make_node(name)}});
  names_->add_place(entry, scenario::locality_of(world, client.node));
  if (const std::uint32_t workers = input_->proxies[asked.proxy].concurrency; workers > 1) {
    member(entry, "concurrency") = make_node(std::uint64_t{workers});
  }
  const auto trace = input_->traces.find(cluster);
  const bool traced = asked.route.kind == Kind::null && trace != input_->traces.end();
  const bool known = traced || !reported.phases.empty() || reported.rate;
  Node workload = asked.route.kind == Kind::null
                      ? make_object({{"service", make_node(names_->service(asked.proxy, cluster))}})
                      : request_of(asked);
  if (traced) {
    member(workload, "trace") = make_node(trace->second);
  } else if (!reported.phases.empty()) {
    member(workload, "phases") = make_node(phases_text(reported.phases));
  } else {
    member(workload, "rate") =
        make_node(fmt::format("{:.6g}rps", reported.rate ? *reported.rate : input_->rate.value_or(1.0)));
  }
  member(entry, "workload") = std::move(workload);
  const char* const divided = reported.is_guess ? ", its part a guess" : "";
  return yaml_flow(entry) +
         (known
              ? fmt::format("  # as counted{}{}",
                            reported.is_at_least && reported.phases.empty() ? " since a reset, at least" : "", divided)
              : std::string(input_->rate ? "" : "  # guess")) +
         "\n";
}

std::string RequestTexts::clients() const {
  std::string text = "clients:\n";
  std::set<std::string> taken;
  const bool anybody_sends = !std::all_of(reported_.begin(), reported_.end(), sends_nothing);
  for (std::size_t number = 0; number < asked_.size(); ++number) {
    const Asked& asked = asked_[number];
    const scenario::Scenario& world = *asked.world;
    const scenario::ClientEntry& client_of = world.clients.front();
    const bool alone = input_->proxies[asked.proxy].clusters.size() == 1;
    const std::string what =
        asked.route.kind == Kind::null ? world.services[client_of.workload.service.value].name : world.name;
    const std::string base = alone ? client_of.name : client_of.name + " to " + what;
    std::string name = base;
    for (std::size_t alike = 2; !taken.insert(name).second; ++alike) {
      name = fmt::format("{} ({})", base, alike);
    }
    // A client of a scenario must have requests, so a client without any becomes a comment, unless all are.
    text += (anybody_sends && sends_nothing(reported_[number]) ? "  # - " : "  - ") + client(number, name);
  }
  return text;
}

}  // namespace spillway::reports::importing
