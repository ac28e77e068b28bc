#include "reports/import/requests.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "reports/envoy/routes.hpp"
#include "reports/import/yaml_text.hpp"
#include "sim/observed/stats.hpp"

namespace spillway::reports::importing {
namespace {

using envoy_export::Json;

constexpr const char* mark_header = "x-listener";

const scenario::RequestKind* described_in(const scenario::Scenario& world) {
  const auto& requests = world.clients.front().workload.requests;
  return requests.empty() ? nullptr : &requests.front();
}

Json exact_header(const std::string& name, const std::string& value) {
  return {{"name", name}, {"string_match", {{"exact", value}}}};
}

bool leads_to(const scenario::Scenario& world, const std::string& cluster) {
  const scenario::RequestKind* const kind = described_in(world);
  if (kind == nullptr) {
    return world.services[world.clients.front().workload.service.value].name == cluster;
  }
  const scenario::Route& route = world.routes[kind->route];
  return std::any_of(route.clusters.begin(), route.clusters.end(),
                     [&](config::ServiceIndex index) { return world.services[index.value].name == cluster; });
}

std::string block_of(const Json& json) {
  std::string block = yaml_block(json, 4);
  block.replace(0, 4, "  - ");
  return block;
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
        return;  // the same by another listener
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
  // Marked ones first: they take no request of others.
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
        text += block;
      }
    }
  }
  return text.empty() ? "" : "routes:\n" + text;
}

// A described request as a workload has it.
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

bool RequestTexts::is_counted(const std::string& cluster) const {
  const auto& phases = input_->phases.of;
  return input_->rates.contains(cluster) || phases.contains(cluster) ||
         phases.contains(observed::statistics_name(cluster));
}

RequestTexts::Part RequestTexts::part_of(const Asked& asked) const {
  const scenario::Scenario& world = *asked.world;
  Part part{.cluster = world.services[world.clients.front().workload.service.value].name};
  if (!asked.route.is_null()) {
    const scenario::Route& route = world.routes[described_in(world)->route];
    const auto& clusters = route.route.action.clusters;
    double all = 0.0;
    std::size_t counted = 0;  // the first one that is counted and gets requests, else the first that gets any
    const auto suits = [&](std::size_t i) {
      const bool told = is_counted(world.services[route.clusters[i].value].name);
      return clusters[i].weight == 0 ? 0 : told ? 2 : 1;
    };
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      all += clusters[i].weight;
      counted = suits(i) > suits(counted) ? i : counted;
    }
    part.cluster = world.services[route.clusters[counted].value].name;
    part.factor = clusters[counted].weight == 0 ? 1.0 : all / clusters[counted].weight;
  }
  const auto ways = std::count_if(asked_.begin(), asked_.end(), [&](const Asked& other) {
    return other.proxy == asked.proxy && leads_to(*other.world, part.cluster);
  });
  part.factor /= static_cast<double>(std::max<std::ptrdiff_t>(1, ways));
  return part;
}

// "120rps 30s, 95.5rps 30s"; empty: no times are told of this cluster's requests.
std::string RequestTexts::phases_of(const Part& part) const {
  const auto& all = input_->phases.of;
  auto found = all.find(part.cluster);
  found = found != all.end() ? found : all.find(observed::statistics_name(part.cluster));
  std::string text;
  for (std::size_t phase = 0; found != all.end() && phase < found->second.size(); ++phase) {
    text += fmt::format("{}{:.6g}rps {}", text.empty() ? "" : ", ", found->second[phase].rate * part.factor,
                        duration_text(found->second[phase].length));
  }
  return text;
}

std::string RequestTexts::client(const Asked& asked, const std::string& name) const {
  const scenario::Scenario& world = *asked.world;
  const scenario::ClientEntry& client = world.clients.front();
  const std::string& cluster = world.services[client.workload.service.value].name;
  Json json = {{"name", name}};
  names_->add_place(json, scenario::locality_of(world, client.node));
  if (const std::uint32_t workers = input_->proxies[asked.proxy].concurrency; workers > 1) {
    json["concurrency"] = workers;
  }
  const Part part = part_of(asked);
  const std::string phases = phases_of(part);
  const auto counted = input_->rates.find(part.cluster);
  const auto trace = input_->traces.find(cluster);
  const bool traced = asked.route.is_null() && trace != input_->traces.end();
  const bool known = traced || !phases.empty() || counted != input_->rates.end();
  json["workload"] =
      asked.route.is_null() ? Json{{"service", names_->service(asked.proxy, cluster)}} : request_of(asked);
  if (traced) {
    json["workload"]["trace"] = trace->second;
  } else if (!phases.empty()) {
    json["workload"]["phases"] = phases;
  } else {
    const double rate = known ? counted->second * part.factor : input_->rate.value_or(1.0);
    json["workload"]["rate"] = fmt::format("{:.6g}rps", rate);
  }
  const char* const divided = part.factor < 1.0 ? ", its part a guess" : "";
  return "  - " + yaml_flow(json) +
         (known ? fmt::format("  # as counted{}", divided) : std::string(input_->rate ? "" : "  # guess")) + "\n";
}

std::string RequestTexts::clients() const {
  std::string text = "clients:\n";
  std::set<std::string> taken;
  for (const Asked& asked : asked_) {
    const scenario::Scenario& world = *asked.world;
    const scenario::ClientEntry& client_of = world.clients.front();
    const bool alone = input_->proxies[asked.proxy].clusters.size() == 1;
    const std::string what = asked.route.is_null() ? world.services[client_of.workload.service.value].name : world.name;
    const std::string base = alone ? client_of.name : client_of.name + " to " + what;
    std::string name = base;
    for (std::size_t number = 2; !taken.insert(name).second; ++number) {
      name = fmt::format("{} ({})", base, number);
    }
    text += client(asked, name);
  }
  return text;
}

}  // namespace spillway::reports::importing
