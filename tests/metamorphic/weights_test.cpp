// Weights mean their ratios.
#include <catch2/catch.hpp>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;

namespace {

// The rules of 1.6 ask whether any weight is above 1, and rings of it have no weights.
bool knows_ratios_only(const Json& base) {
  return !base.contains("policies") && !base.contains("resources") && !has_profile(base, "seed");
}

void double_weight(Json& of, const char* key) {
  of[key] = 2 * of.value(key, std::uint64_t{1});
}

}  // namespace

TEST_CASE("twice the weight of every endpoint changes no share") {
  // Schedules may begin with another host: an amount that is not by weight tells equal deadlines apart there.
  check_relation(Promise::shares, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!knows_ratios_only(base)) {
      return std::nullopt;
    }
    Variant variant{base};
    for_each_group(variant.scenario, [](const Json&, Json& group) { double_weight(group, "weight"); });
    for (Json& event : timeline_of(variant.scenario)) {
      if (event.contains("weight")) {
        double_weight(event, "weight");
      }
      if (event.contains("add") && event["add"].is_array()) {
        return std::nullopt;
      }
    }
    return variant;
  });
}

TEST_CASE("twice the weight of every locality changes no share") {
  check_relation(
      Promise::shares,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!knows_ratios_only(base) || !base.contains("load_assignments") ||
            !mentions(base["load_assignments"], "load_balancing_weight")) {
          return std::nullopt;
        }
        Variant variant{base};
        for (Json& assignment : variant.scenario["load_assignments"]) {
          if (!assignment.contains("endpoints")) {
            continue;
          }
          for (Json& locality : assignment["endpoints"]) {
            double_weight(locality, "load_balancing_weight");
          }
        }
        for (Json& event : timeline_of(variant.scenario)) {
          if (event.contains("locality_weight")) {
            double_weight(event, "locality_weight");
          }
        }
        return variant;
      },
      [](std::uint64_t number) { return native_world_with("locality_weighted", number); });
}

TEST_CASE("twice the weight of every part of a split changes no share") {
  check_relation(
      Promise::shares,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!base.contains("routes") || !mentions(base["routes"], "weighted_clusters")) {
          return std::nullopt;
        }
        Variant variant{base};
        for (Json& route : variant.scenario["routes"]) {
          if (route["route"].contains("weighted_clusters")) {
            for (Json& part : route["route"]["weighted_clusters"]["clusters"]) {
              double_weight(part, "weight");
            }
          }
        }
        return variant;
      },
      [](std::uint64_t number) { return native_world_with("weighted_clusters", number); });
}

TEST_CASE("twice the weight of every kind of request changes no share") {
  check_relation(
      Promise::shares,
      [](Json& base, Dice& dice) -> std::optional<Variant> {
        if (!base.contains("routes") || base.contains("resources") || mentions(base["clients"], "\"requests\"")) {
          return std::nullopt;
        }
        for (Json& client : base["clients"]) {
          Json& workload = client["workload"];
          if (workload.contains("service") || workload.contains("keys") || workload.contains("users")) {
            return std::nullopt;
          }
          Json kinds = Json::array();
          for (const std::string user : {"ann", "bob", "cem"}) {
            kinds.push_back({{"weight", 1 + dice.below(4)}, {"name", user}, {"headers", {{"x-user", user}}}});
          }
          workload["requests"] = std::move(kinds);
        }
        Variant variant{base};
        for (Json& client : variant.scenario["clients"]) {
          for (Json& kind : client["workload"]["requests"]) {
            double_weight(kind, "weight");
          }
        }
        return variant;
      },
      [](std::uint64_t number) { return native_world(Dice(number)); });
}
