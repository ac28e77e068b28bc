#include "reports/import/requests.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

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

using envoy_export::Json;

constexpr const char* mark_header = "x-listener";

Json exact_header(const std::string& name, const std::string& value) {
  return {{"name", name}, {"string_match", {{"exact", value}}}};
}

std::string block_of(const Json& json) {
  std::string block = yaml_block(json, 4);
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
    if (before.route.is_null() || !matches(before.match, kind->request)) {
      continue;
    }
    if (before.route == asked.route) {
      if (before.proxy == proxy && request_of(before) == request_of(asked)) {
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

Json RequestTexts::route_of(const Asked& asked) const {
  const scenario::RequestKind& kind = *described_in(*asked.world);
  Json route = envoy_export::route_json(*asked.world, asked.world->routes[kind.route]);
  Json& action = route["route"];
  if (action.contains("cluster")) {
    action["cluster"] = names_->service(asked.proxy, action["cluster"].get<std::string>());
  }
  if (action.contains("weighted_clusters")) {
    for (Json& cluster : action["weighted_clusters"]["clusters"]) {
      cluster["name"] = names_->service(asked.proxy, cluster["name"].get<std::string>());
    }
  }
  if (const std::string* const host = first_value(kind.request, ":authority"); host != nullptr && !host->empty()) {
    route["match"]["headers"].push_back(exact_header(":authority", *host));
  }
  return route;
}

std::string RequestTexts::routes() const {
  std::string text;
  std::set<std::string> written;
  // Marked routes come first: they match no other requests.
  for (const bool marked : {true, false}) {
    for (const Asked& asked : asked_) {
      if (asked.route.is_null() || (asked.mark > 0) != marked) {
        continue;
      }
      Json route = asked.route;
      if (marked) {
        route["match"]["headers"].push_back(exact_header(mark_header, std::to_string(asked.mark + 1)));
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
Json RequestTexts::request_of(const Asked& asked) const {
  Json json = Json::object();
  for (const auto& [name, value] : described_in(*asked.world)->request.headers) {
    if (name == ":path") {
      json["path"] = value;
    } else if (name == ":authority") {
      if (!value.empty()) {
        json["headers"]["host"] = value;
      }
    } else if (name != ":method" || value != "GET") {
      json["headers"][name] = value;
    }
  }
  if (asked.mark > 0) {
    json["headers"][mark_header] = std::to_string(asked.mark + 1);
  }
  return json;
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
  Json json = {{"name", name}};
  names_->add_place(json, scenario::locality_of(world, client.node));
  if (const std::uint32_t workers = input_->proxies[asked.proxy].concurrency; workers > 1) {
    json["concurrency"] = workers;
  }
  const auto trace = input_->traces.find(cluster);
  const bool traced = asked.route.is_null() && trace != input_->traces.end();
  const bool known = traced || !reported.phases.empty() || reported.rate;
  json["workload"] =
      asked.route.is_null() ? Json{{"service", names_->service(asked.proxy, cluster)}} : request_of(asked);
  if (traced) {
    json["workload"]["trace"] = trace->second;
  } else if (!reported.phases.empty()) {
    json["workload"]["phases"] = phases_text(reported.phases);
  } else {
    json["workload"]["rate"] = fmt::format("{:.6g}rps", reported.rate ? *reported.rate : input_->rate.value_or(1.0));
  }
  const char* const divided = reported.is_guess ? ", its part a guess" : "";
  return yaml_flow(json) +
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
    const std::string what = asked.route.is_null() ? world.services[client_of.workload.service.value].name : world.name;
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
