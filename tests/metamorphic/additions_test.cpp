// What nobody asks for changes nothing.
#include <catch2/catch.hpp>
#include <string>

#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway::metamorphic;

namespace {

Json drawn_kuma_world(std::uint64_t number) {
  return kuma_world(Dice(number));
}

Json drawn_istio_world(std::uint64_t number) {
  return istio_world(Dice(number));
}

}  // namespace

TEST_CASE("a service that no client asks for changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (has_profile(base, "document")) {
      return std::nullopt;  // a known fault: rows of a client may be cut where nothing changes for it
    }
    Variant variant{base};
    return add_unused_service(variant.scenario, "unused") ? std::optional(variant) : std::nullopt;
  });
}

TEST_CASE("a zone without endpoints and clients changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!base.contains("zones")) {
      return std::nullopt;
    }
    Variant variant{base};
    variant.scenario["zones"].push_back({{"name", "nowhere"}});
    return variant;
  });
}

TEST_CASE("an event about a service that no client asks for changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (mentions_any(base, {"zoneEgress", "ZoneIngress"}) || !add_unused_service(base, "unused")) {
      return std::nullopt;
    }
    for (Json& event : timeline_of(base)) {
      if (event.contains("zone") || event.contains("node")) {
        return std::nullopt;  // which may select endpoints of any service
      }
    }
    Variant variant{base};
    timeline_of(variant.scenario).push_back({{"at", "500ms"}, {"service", "unused"}, {"healthy", 1}});
    timeline_of(variant.scenario).push_back({{"at", "700ms"}, {"service", "unused"}, {"outage", true}});
    return variant;
  });
}

TEST_CASE("a route that no request matches changes nothing") {
  check_relation(Promise::everything, [](Json& base, Dice&) -> std::optional<Variant> {
    if (!base.contains("routes")) {
      return std::nullopt;
    }
    Variant variant{base};
    Json& routes = variant.scenario["routes"];
    Json never = {{"match", {{"prefix", "/"}, {"headers", only({{"name", "x-never"}, {"present_match", true}})}}},
                  {"route", {{"cluster", base["services"][0]["name"]}, {"timeout", "0.001s"}}}};
    routes.insert(routes.begin(), std::move(never));
    return variant;
  });
}

TEST_CASE("Kuma's policies for another service change nothing") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice& dice) -> std::optional<Variant> {
        if (!base.contains("policies") || !add_unused_service(base, "elsewhere")) {
          return std::nullopt;
        }
        Json conf = {{"localityAwareness", {{"crossZone", {{"failover", only({{"to", {{"type", "None"}}}})}}}}},
                     {"loadBalancer", {{"type", "Random"}}}};
        Json reference = {{"kind", "MeshService"}, {"name", "elsewhere"}};
        if (has_profile(base, "head")) {
          reference = {{"kind", "MeshMultiZoneService"}, {"labels", {{"kuma.io/display-name", "elsewhere"}}}};
        }
        Json policy = {{"type", "MeshLoadBalancingStrategy"},
                       {"name", dice.one_of<std::string>({"a-first", "z-last"})},
                       {"mesh", "default"},
                       {"spec",
                        {{"targetRef", {{"kind", "Mesh"}}},
                         {"to", only({{"targetRef", std::move(reference)}, {"default", std::move(conf)}})}}}};
        Variant variant{base};
        variant.scenario["policies"].push_back(std::move(policy));
        return variant;
      },
      drawn_kuma_world);
}

TEST_CASE("the order of Kuma's policies changes nothing") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice& dice) -> std::optional<Variant> {
        if (!base.contains("policies") || base["policies"].size() < 2) {
          return std::nullopt;
        }
        Variant variant{base};
        dice.shuffle(variant.scenario["policies"]);
        return variant;
      },
      drawn_kuma_world);
}

TEST_CASE("a DestinationRule for another host changes nothing") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!base.contains("resources") || !mentions(base, "networking.istio.io")) {
          return std::nullopt;
        }
        Variant variant{base};
        variant.scenario["resources"].push_back({{"apiVersion", "networking.istio.io/v1"},
                                                 {"kind", "DestinationRule"},
                                                 {"metadata", {{"name", "another"}, {"namespace", "shop"}}},
                                                 {"spec",
                                                  {{"host", "another.shop.svc.cluster.local"},
                                                   {"trafficPolicy", {{"loadBalancer", {{"simple", "RANDOM"}}}}}}}});
        return variant;
      },
      drawn_istio_world);
}

TEST_CASE("the order of Istio's documents changes nothing where no two concern one host") {
  check_relation(
      Promise::counts,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!base.contains("resources") || !mentions(base, "networking.istio.io")) {
          return std::nullopt;
        }
        // Rules first: services, pods and slices keep their order, and with them endpoints theirs.
        Variant variant{base};
        Json rules = Json::array();
        Json others = Json::array();
        for (const Json& document : base["resources"]) {
          (mentions(document, "networking.istio.io") ? rules : others).push_back(document);
        }
        for (const Json& document : others) {
          rules.push_back(document);
        }
        variant.scenario["resources"] = std::move(rules);
        return variant;
      },
      drawn_istio_world);
}

TEST_CASE("a short name of a host in Istio's rules is the whole one") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!base.contains("resources") || !mentions(base, "\"host\":\"cart\"")) {
          return std::nullopt;
        }
        Variant variant{base};
        for (Json& document : variant.scenario["resources"]) {
          if (mentions(document, "networking.istio.io")) {
            document["spec"] = with_texts(document["spec"], [](const std::string& text) {
              return text == "cart" ? "cart.shop.svc.cluster.local" : text;
            });
          }
        }
        return variant;
      },
      drawn_istio_world);
}

TEST_CASE("Istio's documents in a Kubernetes List are those without it") {
  check_relation(
      Promise::everything,
      [](Json& base, Dice&) -> std::optional<Variant> {
        if (!base.contains("resources") || !mentions(base, "networking.istio.io")) {
          return std::nullopt;
        }
        Variant variant{base};
        variant.scenario["resources"] = only({{"apiVersion", "v1"}, {"kind", "List"}, {"items", base["resources"]}});
        return variant;
      },
      drawn_istio_world);
}
