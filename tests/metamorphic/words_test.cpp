// Two ways of writing the same scenario.
#include <catch2/catch.hpp>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;

namespace {

bool is_by_hand(const Json& base) {
  return base.contains("services") && !base.contains("policies") && !base.contains("resources");
}

// Adds what the key is by default, where it is not written.
void write_default(Json& message, const char* key, Json value) {
  if (!message.contains(key)) {
    message[key] = std::move(value);
  }
}

Json& inner(Json& message, const char* key, Json empty = Json::object()) {
  write_default(message, key, std::move(empty));
  return message[key];
}

// YAML in blocks, with every text in quotes.
std::string yaml_of(const Json& tree, std::size_t depth) {
  const std::string margin(2 * depth, ' ');
  if (tree.is_structured() && tree.empty()) {
    return tree.is_array() ? " []\n" : " {}\n";
  }
  if (!tree.is_structured()) {
    return " " + tree.dump() + "\n";
  }
  std::string text = "\n";
  for (const auto& [key, value] : tree.items()) {
    text += margin + (tree.is_array() ? std::string("-") : Json(key).dump() + ":") + yaml_of(value, depth + 1);
  }
  return text;
}

// As protobuf's JSON has field names by default; keys of maps stay.
Json in_camel_case(const Json& message) {
  Json result = message;
  if (message.is_array()) {
    for (Json& item : result) {
      item = in_camel_case(item);
    }
  } else if (message.is_object()) {
    result = Json::object();
    for (const auto& [key, value] : message.items()) {
      const bool is_map = key == "filter_metadata" || key == "default_subset" || key == "typed_per_filter_config";
      std::string name;
      for (std::size_t letter = 0; letter < key.size(); ++letter) {
        const bool joins = key[letter] == '_' && letter + 1 < key.size();
        letter += joins ? 1 : 0;
        name += joins ? static_cast<char>(std::toupper(static_cast<unsigned char>(key[letter]))) : key[letter];
      }
      result[name] = is_map ? value : in_camel_case(value);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a group of endpoints is its endpoints one by one") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    return write_one_by_one(variant.scenario) ? std::optional(variant) : std::nullopt;
  });
}

TEST_CASE("a number of healthy endpoints is the same in percent") {
  check_relation(Promise::everything, [](Json& base, Dice& dice) -> std::optional<Variant> {
    Variant variant{base};
    bool any = false;
    for_each_group(base, [&](const Json&, Json& group) {
      const auto count = group.value("count", std::uint64_t{1});
      if (!group.contains("healthy") && !group.contains("degraded") && 100 % count == 0) {
        group["healthy"] = dice.below(count + 1);
      }
    });
    variant.scenario = base;
    for_each_group(variant.scenario, [&](const Json&, Json& group) {
      const auto count = group.value("count", std::uint64_t{1});
      if (group.contains("healthy") && group["healthy"].is_number_integer() && 100 % count == 0) {
        group["healthy"] = std::to_string(group["healthy"].get<std::uint64_t>() * 100 / count) + "%";
        any = true;
      }
    });
    return any ? std::optional(variant) : std::nullopt;
  });
}

TEST_CASE("health told as an amount of endpoints is health told by their names") {
  check_relation(Promise::everything, [](Json& base, Dice& dice) -> std::optional<Variant> {
    if (!is_by_hand(base) || !write_one_by_one(base)) {
      return std::nullopt;
    }
    const Json& service = base["services"][0];
    const std::size_t count = service.value("endpoints", Json::array()).size();
    if (count < 2) {
      return std::nullopt;
    }
    const std::size_t healthy = dice.below(count + 1);
    Variant variant{base};
    const Json head = {{"at", "700ms"}, {"service", service["name"]}};
    Json amount = head;
    amount["healthy"] = healthy;
    Json well = Json::array();
    Json ill = Json::array();
    for (std::size_t number = 0; number < count; ++number) {
      (number < healthy ? well : ill).push_back(service["endpoints"][number]["id"]);
    }
    for (const auto& [ids, part] : {std::pair(well, "100%"), std::pair(ill, "0%")}) {
      if (!ids.empty()) {
        Json named = head;
        named["endpoints"] = ids;
        named["healthy"] = part;
        timeline_of(variant.scenario).push_back(std::move(named));
      }
    }
    timeline_of(base).push_back(std::move(amount));
    return variant;
  });
}

TEST_CASE("an outage of two endpoints is two outages at one time") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!is_by_hand(base) || !write_one_by_one(base)) {
      return std::nullopt;
    }
    const Json& service = base["services"][0];
    if (service.value("endpoints", Json::array()).size() < 2) {
      return std::nullopt;
    }
    const Json head = {{"at", "600ms"}, {"service", service["name"]}, {"outage", true}};
    const Json first = service["endpoints"][0]["id"];
    const Json second = service["endpoints"][1]["id"];
    Variant variant{base};
    for (const Json& id : {first, second}) {
      Json one = head;
      one["endpoints"] = only(id);
      timeline_of(variant.scenario).push_back(std::move(one));
    }
    Json both = head;
    both["endpoints"] = {first, second};
    timeline_of(base).push_back(std::move(both));
    return variant;
  });
}

TEST_CASE("no degraded endpoints written is none written") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    bool any = false;
    for_each_group(variant.scenario, [&](const Json&, Json& group) {
      any = any || !group.contains("degraded");
      write_default(group, "degraded", 0);
    });
    return any ? std::optional(variant) : std::nullopt;
  });
}

TEST_CASE("a panic threshold of 50 and a factor of 140 are what holds without them") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!is_by_hand(base) || mentions(base, "load_balancing_policy") || mentions(base, "runtime")) {
      return std::nullopt;
    }
    for (const char* list : {"clusters", "load_assignments"}) {
      base.erase(list);
    }
    Variant variant{base};
    for (const Json& service : base["services"]) {
      if (!service.contains("endpoints")) {
        return std::nullopt;
      }
      variant.scenario["clusters"].push_back(
          {{"name", service["name"]}, {"common_lb_config", {{"healthy_panic_threshold", {{"value", 50}}}}}});
      variant.scenario["load_assignments"].push_back(
          {{"cluster_name", service["name"]}, {"policy", {{"overprovisioning_factor", 140}}}});
    }
    return variant;
  });
}

TEST_CASE("defaults of Envoy's messages that are written change nothing") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!is_by_hand(base) || !base.contains("clusters") || has_profile(base, "seed") ||
            mentions(base, "load_balancing_policy")) {
          return std::nullopt;
        }
        Variant variant{base};
        for (Json& cluster : variant.scenario["clusters"]) {
          const std::string policy = cluster.value("lb_policy", "ROUND_ROBIN");
          if (policy == "LEAST_REQUEST") {
            write_default(inner(cluster, "least_request_lb_config"), "choice_count", 2);
          } else if (policy == "RING_HASH") {
            write_default(inner(cluster, "ring_hash_lb_config"), "minimum_ring_size", 1024);
            write_default(inner(cluster, "ring_hash_lb_config"), "hash_function", "XX_HASH");
          } else if (policy == "MAGLEV") {
            write_default(inner(cluster, "maglev_lb_config"), "table_size", 65537);
          }
          if (cluster.contains("outlier_detection")) {
            Json& detection = cluster["outlier_detection"];
            write_default(detection, "enforcing_consecutive_5xx", 100);
            write_default(detection, "max_ejection_time", "300s");
            write_default(detection, "split_external_local_origin_errors", false);
          }
        }
        if (variant.scenario.contains("routes")) {
          for (Json& route : variant.scenario["routes"]) {
            if (route.contains("route")) {
              write_default(route["route"], "timeout", "15s");
            }
          }
        }
        return variant;
      },
      [](std::uint64_t number) { return native_world(Dice(number)); });
}

TEST_CASE("defaults of a scenario's own keys that are written change nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    write_default(variant.scenario, "seed", 1);
    write_default(variant.scenario, "mode", "requests");
    write_default(variant.scenario, "timeline", Json::array());
    for (Json& client : variant.scenario["clients"]) {
      write_default(client, "count", 1);
      write_default(client, "concurrency", 1);
      if (!client["workload"].contains("users") && !client["workload"].contains("trace")) {
        write_default(client["workload"], "arrivals", "poisson");
      }
    }
    for_each_group(variant.scenario, [](const Json&, Json& group) {
      write_default(group, "priority", 0);
      write_default(group, "service_time", "0s");
      if (group.contains("capacity")) {
        group.erase("service_time");
      }
    });
    return variant;
  });
}

TEST_CASE("a zone with a node of its own name is a zone without nodes") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!base.contains("zones")) {
      return std::nullopt;
    }
    Variant variant{base};
    for (Json& zone : variant.scenario["zones"]) {
      write_default(zone, "nodes", only({{"name", zone["name"]}}));
    }
    return variant;
  });
}

TEST_CASE("a priority that is left out changes no share") {
  // A balancer by localities draws once for each priority, empty ones too.
  check_relation(
      Promise::shares,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!is_by_hand(base) || !mentions(base["services"], "\"priority\":1") ||
            mentions_any(base, {"\"priority\":2", "to_priority"})) {
          return std::nullopt;
        }
        for (Json& event : timeline_of(base)) {
          if (event.value("priority", 0) > 0) {
            return std::nullopt;
          }
        }
        Variant variant{base};
        for_each_group(variant.scenario, [](const Json&, Json& group) {
          if (group.value("priority", 0) == 1) {
            group["priority"] = 2;
          }
        });
        for (Json& assignment : inner(variant.scenario, "load_assignments", Json::array())) {
          for (Json& locality : inner(assignment, "endpoints", Json::array())) {
            locality["priority"] = 2 * locality.value("priority", 0);
          }
        }
        variant.translation.priorities[2] = 1;
        return variant;
      },
      [](std::uint64_t number) { return native_world(Dice(number)); });
}

TEST_CASE("JSON and YAML of one scenario have the same answers") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    variant.text = yaml_of(base, 0);
    return variant;
  });
}

TEST_CASE("fields of Envoy's messages have the same meaning in lowerCamelCase") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    bool any = false;
    for (const char* messages : {"clusters", "load_assignments", "routes"}) {
      if (base.contains(messages)) {
        variant.scenario[messages] = in_camel_case(base[messages]);
        any = any || variant.scenario[messages] != base[messages];
      }
    }
    return any ? std::optional(variant) : std::nullopt;
  });
}

TEST_CASE("durations and rates have the same meaning in any unit") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    variant.scenario["duration"] = text_of(duration_of(base["duration"].get<std::string>()).value());
    for (Json& event : timeline_of(variant.scenario)) {
      event["at"] = text_of(duration_of(event["at"].get<std::string>()).value());
    }
    for (Json& client : variant.scenario["clients"]) {
      if (const auto rate = rate_of(client["workload"])) {
        client["workload"]["rate"] = *rate;
      }
    }
    return variant;
  });
}

TEST_CASE("words that describe a scenario change nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    Variant variant{base};
    variant.scenario["name"] = "another name";
    variant.scenario["description"] = "what it is about";
    variant.scenario["source"] = "nowhere";
    return variant;
  });
}
