#include "tests/metamorphic/tree.hpp"

#include <charconv>
#include <fmt/format.h>

namespace spillway::metamorphic {

namespace {

// The nodes of a zone, by the names that the program gives them; one of the zone's name if none are written.
std::vector<std::string> nodes_of(const Json& scenario, const std::string& zone) {
  std::vector<std::string> names;
  for (const Json& one : scenario.value("zones", Json::array())) {
    if (one.value("name", "") != zone || !one.contains("nodes")) {
      continue;
    }
    for (const Json& node : one["nodes"]) {
      const auto count = node.value("count", std::uint64_t{1});
      for (std::uint64_t number = 1; number <= count; ++number) {
        const auto name = node["name"].get<std::string>();
        names.push_back(node.contains("count") ? name + "-" + std::to_string(number) : name);
      }
    }
  }
  return names;
}

bool is_count(const Json& group, const char* key) {
  return !group.contains(key) || group[key].is_number_integer();
}

// One endpoint of a group: its health by its place, its node in turn.
Json single_of(const Json& group, std::uint64_t number, const std::vector<std::string>& nodes) {
  Json single = group;
  single.erase("count");
  if (nodes.size() > 1 && single.contains("zone")) {
    single.erase("zone");
    single["node"] = nodes[number % nodes.size()];
  }
  if (group.contains("healthy") || group.contains("degraded")) {
    const auto degraded = group.value("degraded", std::uint64_t{0});
    const auto count = group.value("count", std::uint64_t{1});
    const auto healthy = group.value("healthy", count - degraded);
    single["healthy"] = number < healthy ? 1 : 0;
    single["degraded"] = number >= healthy && number < healthy + degraded ? 1 : 0;
  }
  return single;
}

}  // namespace

Json with_texts(const Json& tree, const std::function<std::string(const std::string&)>& change) {
  if (tree.is_string()) {
    return change(tree.get<std::string>());
  }
  Json result = tree;
  if (tree.is_array()) {
    for (Json& item : result) {
      item = with_texts(item, change);
    }
  } else if (tree.is_object()) {
    result = Json::object();
    for (const auto& [key, value] : tree.items()) {
      result[change(key)] = with_texts(value, change);
    }
  }
  return result;
}

Json with_whole_texts(const Json& tree, const Replacements& replacements) {
  return with_texts(tree, [&](const std::string& text) {
    for (const auto& [from, to] : replacements) {
      if (text == from) {
        return to;
      }
    }
    return text;
  });
}

Json with_parts_of_texts(const Json& tree, const Replacements& replacements) {
  return with_texts(tree, [&](std::string text) {
    for (const auto& [from, to] : replacements) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
      }
    }
    return text;
  });
}

bool mentions(const Json& tree, const std::string& word) {
  return tree.dump().find(word) != std::string::npos;
}

bool mentions_any(const Json& tree, const std::vector<std::string>& words) {
  const std::string text = tree.dump();
  for (const std::string& word : words) {
    if (text.find(word) != std::string::npos) {
      return true;
    }
  }
  return false;
}

bool has_profile(const Json& scenario, const std::string& version) {
  return scenario.contains("profile") && mentions(scenario["profile"], "\"" + version + "\"");
}

void for_each_group(Json& scenario, const std::function<void(const Json& service, Json& group)>& visit) {
  if (!scenario.contains("services")) {
    return;
  }
  for (Json& service : scenario["services"]) {
    if (service.contains("endpoints")) {
      for (Json& group : service["endpoints"]) {
        visit(service, group);
      }
    }
  }
}

std::vector<std::string> names_of(const Json& scenario, const std::string& list) {
  std::vector<std::string> names;
  if (scenario.contains(list)) {
    for (const Json& item : scenario[list]) {
      names.push_back(item["name"].get<std::string>());
    }
  }
  return names;
}

bool add_unused_service(Json& scenario, const std::string& name) {
  const std::vector<std::string> zones = names_of(scenario, "zones");
  if (zones.empty() || !scenario.contains("services")) {
    return false;
  }
  Json& events = timeline_of(scenario);  // which may be new, and move what stands beside it
  Json& services = scenario["services"];
  for (Json& event : events) {
    if (services.size() == 1 && !event.contains("link") && !event.contains("runtime") && !event.contains("outage")) {
      event["service"] = services[0]["name"];
    }
  }
  services.push_back({{"name", name}, {"endpoints", only({{"count", 2}, {"zone", zones.front()}})}});
  return true;
}

bool write_one_by_one(Json& scenario) {
  if (!scenario.contains("services")) {
    return false;
  }
  for (Json& service : scenario["services"]) {
    Json singles = Json::array();
    for (const Json& group : service.value("endpoints", Json::array())) {
      if (!is_count(group, "healthy") || !is_count(group, "degraded") || !is_count(group, "count")) {
        return false;
      }
      const std::vector<std::string> nodes = nodes_of(scenario, group.value("zone", ""));
      const auto count = group.value("count", std::uint64_t{1});
      for (std::uint64_t number = 0; number < count; ++number) {
        Json single = single_of(group, number, nodes);
        if (!single.contains("id")) {
          single["id"] = fmt::format("{}-{}", service["name"].get<std::string>(), singles.size() + 1);
        }
        singles.push_back(std::move(single));
      }
    }
    if (service.contains("endpoints")) {
      service["endpoints"] = std::move(singles);
    }
  }
  return true;
}

std::optional<std::chrono::nanoseconds> duration_of(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  for (const auto& [name, factor] : std::initializer_list<std::pair<const char*, double>>{
           {"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}}) {
    if (error == std::errc{} && unit == name) {
      return std::chrono::nanoseconds(static_cast<std::int64_t>(number * factor + 0.5));
    }
  }
  return std::nullopt;
}

std::string text_of(std::chrono::nanoseconds duration) {
  return fmt::format("{}ns", duration.count());
}

std::optional<double> rate_of(const Json& workload) {
  if (!workload.contains("rate") || !workload["rate"].is_string()) {
    return std::nullopt;
  }
  const auto text = workload["rate"].get<std::string>();
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && std::string(end, text.data() + text.size()) == "rps" ? std::optional(number)
                                                                                      : std::nullopt;
}

std::string text_of_rate(double rate) {
  return fmt::format("{}rps", rate);
}

Json& timeline_of(Json& scenario) {
  if (!scenario.contains("timeline")) {
    scenario["timeline"] = Json::array();
  }
  return scenario["timeline"];
}

Json with_other_draws(Json scenario) {
  scenario["seed"] = scenario.value("seed", std::uint64_t{1}) + 1;
  return scenario;
}

Json with_other_shares(Json scenario) {
  if (scenario.contains("services")) {
    Json& group = scenario["services"][0]["endpoints"][0];
    // Kuma weighs endpoints by itself and refuses a weight.
    if (scenario.contains("policies")) {
      group["healthy"] = 0;
    } else {
      group["weight"] = 7 * group.value("weight", std::uint64_t{1});
    }
    return scenario;
  }
  for (Json& document : scenario["resources"]) {
    if (document.value("kind", "") == "EndpointSlice") {
      document["endpoints"][0]["conditions"]["ready"] = false;
    }
  }
  return scenario;
}

}  // namespace spillway::metamorphic
