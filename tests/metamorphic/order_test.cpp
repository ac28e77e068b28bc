// The order in which a scenario lists what has no order.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;

namespace {

// The variant whose list stands in another order; nullopt if there is no other.
std::optional<Variant> reordered(const Json& base, const std::string& list, Dice& dice) {
  if (!base.contains(list) || base[list].size() < 2) {
    return std::nullopt;
  }
  Variant variant{base};
  dice.shuffle(variant.scenario[list]);
  if (variant.scenario[list] == base[list]) {
    std::ranges::reverse(variant.scenario[list]);
  }
  return variant;
}

Json with_keys_reversed(const Json& tree) {
  Json result = tree;
  if (tree.is_array()) {
    for (Json& item : result) {
      item = with_keys_reversed(item);
    }
  } else if (tree.is_object()) {
    result = Json::object();
    std::vector<std::string> keys;
    for (const auto& [key, value] : tree.items()) {
      keys.push_back(key);
    }
    std::ranges::reverse(keys);
    for (const std::string& key : keys) {
      result[key] = with_keys_reversed(tree[key]);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("the order of clients changes nothing") {
  // But where two of them send at the same nanosecond.
  check_relation(Promise::everything, [](Json& base, Dice& dice) -> std::optional<Variant> {
    for (Json& client : base["clients"]) {
      client["workload"].erase("arrivals");
    }
    if (base.value("cla_cache", "") == "shared_object") {
      return std::nullopt;  // a fault, in which the order counts
    }
    return reordered(base, "clients", dice);
  });
}

TEST_CASE("the order of zones changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice& dice) { return reordered(base, "zones", dice); });
}

TEST_CASE("the order of services changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice& dice) { return reordered(base, "services", dice); });
}

TEST_CASE("the order of clusters and of load assignments changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice& dice) -> std::optional<Variant> {
    if (!base.contains("clusters")) {
      return std::nullopt;
    }
    // Of those without one, the default is written, so that there are several.
    for (const std::string& name : names_of(base, "services")) {
      const auto clusters = names_of(base, "clusters");
      if (std::ranges::find(clusters, name) == clusters.end()) {
        base["clusters"].push_back({{"name", name}});
      }
    }
    std::optional<Variant> variant = reordered(base, "clusters", dice);
    if (variant && base.contains("load_assignments")) {
      std::ranges::reverse(variant->scenario["load_assignments"]);
    }
    return variant;
  });
}

TEST_CASE("the order of keys changes nothing") {
  check_relation(Promise::everything,
                 [](Json& base, Dice&) -> std::optional<Variant> { return Variant{with_keys_reversed(base)}; });
}

TEST_CASE("endpoints in another order get the same shares") {
  check_relation(Promise::shares, [](Json& base, Dice& dice) -> std::optional<Variant> {
    // What is selected by an amount are the first ones.
    if (!write_one_by_one(base) || mentions(base.value("timeline", Json::array()), "healthy") ||
        mentions(base.value("timeline", Json::array()), "degraded") ||
        mentions_any(base, {"\"remove\"", "single_host_per_subset"})) {
      return std::nullopt;
    }
    Variant variant{base};
    for (Json& service : variant.scenario["services"]) {
      if (service.contains("endpoints")) {
        dice.shuffle(service["endpoints"]);
      }
    }
    return variant;
  });
}

TEST_CASE("events of one time that concern different endpoints may stand in any order") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    std::string service;
    std::size_t endpoints = 0;
    for_each_group(base, [&](const Json& of, Json& group) {
      if (service.empty() || of["name"] == Json(service)) {
        service = of["name"].get<std::string>();
        endpoints += group.value("count", std::size_t{1});
      }
    });
    if (endpoints < 3 || !write_one_by_one(base) || mentions(base, "\"aggregate\"")) {
      return std::nullopt;
    }
    const Json& first = base["services"][0]["endpoints"];
    if (first.size() < 3) {
      return std::nullopt;
    }
    Json events = Json::array();
    events.push_back({{"at", "500ms"}, {"service", service}, {"endpoints", only(first[0]["id"])}, {"outage", true}});
    events.push_back({{"at", "500ms"}, {"service", service}, {"endpoints", only(first[1]["id"])}, {"fails", "50%"}});
    events.push_back({{"at", "500ms"}, {"service", service}, {"endpoints", only(first[2]["id"])}, {"slow", 3}});
    Variant variant{base};
    for (const Json& event : events) {
      timeline_of(base).push_back(event);
    }
    std::ranges::reverse(events);
    for (const Json& event : events) {
      timeline_of(variant.scenario).push_back(event);
    }
    return variant;
  });
}
