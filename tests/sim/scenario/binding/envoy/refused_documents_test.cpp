// What Envoy refuses of a cluster is refused when it is read, in Envoy's words: the excerpts of the conformance cases
// made whole, and whole configurations that a real Envoy was given.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using nlohmann::json;

namespace {

json cases_of(const std::string& file, const std::string& kind) {
  std::ifstream in(std::string(SPILLWAY_SOURCE_DIR "/tests/conformance/cases/") + file);
  json found = json::array();
  const json whole = json::parse(in);
  for (const json& one : whole.at("cases")) {
    if (one.at("kind") == kind) {
      found.push_back(one);
    }
  }
  return found;
}

json typed_policy(const std::string& name, const std::string& message, json config) {
  config["@type"] = "type.googleapis.com/envoy.extensions.load_balancing_policies." + name + ".v3." + message;
  return {{"policies",
           {{{"typed_extension_config",
              {{"name", "envoy.load_balancing_policies." + name}, {"typed_config", std::move(config)}}}}}}};
}

json host_json(int number) {
  return {{"endpoint",
           {{"address", {{"socket_address", {{"address", "10.0.0." + std::to_string(number)}, {"port_value", 80}}}}}}}};
}

json whole_cluster() {
  return {{"name", "c"},
          {"load_assignment",
           {{"cluster_name", "c"},
            {"endpoints", {{{"lb_endpoints", {host_json(1), host_json(2)}}, {"locality", {{"zone", "a"}}}}}}}}};
}

json round_robin() {
  return typed_policy("round_robin", "RoundRobin", json::object());
}

json override_host(json config) {
  if (!config.contains("override_host_sources") && config.value("fallback_policy", json()) != "...") {
    config["override_host_sources"] = {{{"header", "x-host"}}};
  }
  if (!config.contains("fallback_policy") || config.at("fallback_policy") == "...") {
    config["fallback_policy"] = round_robin();
  }
  return typed_policy("override_host", "OverrideHost", config);
}

// "set" and lists of names stand for whole messages.
json cluster_with(const json& config) {
  json cluster = whole_cluster();
  cluster.update(config);
  const json policy = config.value("load_balancing_policy", json());
  if (policy == "set") {
    cluster["load_balancing_policy"] = round_robin();
  } else if (policy.is_array()) {
    cluster["load_balancing_policy"] = {{"policies", json::array()}};
    for (const json& name : policy) {
      cluster["load_balancing_policy"]["policies"].push_back(
          {{"typed_extension_config", {{"name", name}, {"typed_config", {{"@type", "x/y.Z"}}}}}});
    }
  }
  if (config.value("lb_subset_config", json()) == "set") {
    cluster["lb_subset_config"] = {{"subset_selectors", {{{"keys", {"a"}}}}}};
  }
  if (config.value("health_checks", json()).is_number()) {
    const json check = {{"timeout", "1s"},
                        {"interval", "1s"},
                        {"unhealthy_threshold", 1},
                        {"healthy_threshold", 1},
                        {"tcp_health_check", json::object()}};
    cluster["health_checks"] = json(config.at("health_checks").get<std::size_t>(), check);
    cluster.erase("names");
  }
  if (config.contains("common_lb_config") && config.at("common_lb_config").is_array()) {
    cluster["common_lb_config"] = {{"locality_weighted_lb_config", json::object()}};
  }
  return cluster;
}

json with_weights(const std::string& words) {
  json cluster = whole_cluster();
  cluster["lb_policy"] = "MAGLEV";
  json& localities = cluster["load_assignment"]["endpoints"];
  if (words.starts_with("sum of host weights")) {
    localities[0]["lb_endpoints"][0]["load_balancing_weight"] = 4294967295;
  } else {
    localities.push_back(
        {{"lb_endpoints", {host_json(3)}}, {"locality", {{"zone", "b"}}}, {"load_balancing_weight", 1}});
    localities[0]["load_balancing_weight"] = 4294967295;
  }
  return cluster;
}

json with_endpoints(const json& config) {
  json cluster = whole_cluster();
  json& assignment = cluster["load_assignment"];
  if (config.contains("priority")) {
    assignment["endpoints"][0]["priority"] = config.at("priority");
  } else {
    assignment["policy"] = config;
  }
  return cluster;
}

json original_dst(json config) {
  json cluster = {{"name", "c"}, {"lb_policy", "CLUSTER_PROVIDED"}};
  if (config.contains("load_assignment")) {
    config["load_assignment"] = whole_cluster().at("load_assignment");
  }
  cluster.update(config);
  return cluster;
}

// The cluster that an excerpt is about; none: it is about something else.
std::optional<json> refused_cluster(const json& input) {
  const auto policy = input.at("policy").get<std::string>();
  const json& config = input.at("config");
  json cluster = whole_cluster();
  if (config.is_string()) {
    return with_weights(config.get<std::string>());
  }
  if (policy == "ring_hash") {
    cluster["load_balancing_policy"] = typed_policy("ring_hash", "RingHash", config);
  } else if (policy == "client_side_weighted_round_robin") {
    cluster["load_balancing_policy"] = typed_policy(policy, "ClientSideWeightedRoundRobin", config);
  } else if (policy == "override_host") {
    cluster["load_balancing_policy"] = override_host(config);
  } else if (policy == "subset") {
    cluster["lb_subset_config"] = {{"subset_selectors", {config.value("selector", json{{"keys", {"a"}}})}}};
    cluster["lb_policy"] = config.value("lb_policy", std::string("ROUND_ROBIN"));
  } else if (policy == "endpoint") {
    return with_endpoints(config);
  } else if (policy == "outlier_detection") {
    cluster["outlier_detection"] = config;
  } else if (policy == "original_dst") {
    return original_dst(config);
  } else if (policy == "cluster") {
    return cluster_with(config);
  } else {
    return std::nullopt;
  }
  return cluster;
}

// Whether a refusal says these words at its place or in a note.
bool says(const Diagnostics& diagnostics, const std::string& words) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
    const auto holds = [&](const std::string& text) { return text.find(words) != std::string::npos; };
    return diagnostic.severity == Severity::error && diagnostic.where.line > 0 &&
           (holds(diagnostic.label) || std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(), holds));
  });
}

// The same cluster in a scenario, which has its endpoints elsewhere.
Reading read_in_scenario(json cluster) {
  cluster.erase("load_assignment");
  const json scenario = {{"duration", "1s"},
                         {"zones", {{{"name", "a"}}}},
                         {"services", {{{"name", "c"}, {"endpoints", {{{"zone", "a"}}}}}}},
                         {"clusters", {cluster}},
                         {"clients", {{{"name", "f"}, {"zone", "a"}, {"workload", {{"service", "c"}, {"rate", 1}}}}}}};
  return read_scenario_text("scenario.json", scenario.dump(1));
}

void check_refusal(const json& documents, const json& expected) {
  const Reading reading = read_envoy_texts({{"envoy.json", documents.dump(1)}}, {.cluster = "c"});
  INFO(documents.dump(1));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  if (expected.is_null()) {
    CHECK(reading.scenario.has_value());
  } else {
    CHECK_FALSE(reading.scenario.has_value());
    CHECK(says(reading.diagnostics, expected.get<std::string>()));
  }
}

}  // namespace

TEST_CASE("Every excerpt of a cluster that Envoy refuses is refused in its words", "[envoy]") {
  int read = 0;
  for (const json& one : cases_of("envoy-host-pick.json", "config.reject")) {
    if (const auto cluster = refused_cluster(one.at("input"))) {
      INFO(one.at("name"));
      check_refusal(*cluster, one.at("expect"));
      ++read;
      const json& config = one.at("input").at("config");
      const bool of_endpoints =
          one.at("input").at("policy") == "endpoint" || config.is_string() || config.contains("load_assignment");
      if (!of_endpoints) {
        const Reading reading = read_in_scenario(*cluster);
        INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
        CHECK(reading.scenario.has_value() == one.at("expect").is_null());
        CHECK((one.at("expect").is_null() || says(reading.diagnostics, one.at("expect").get<std::string>())));
      }
    }
  }
  CHECK(read == 27);
}

TEST_CASE("Every whole cluster that a real Envoy refused is refused in its words", "[envoy]") {
  int read = 0;
  for (const json& one : cases_of("envoy-live-pick.json", "live.reject")) {
    INFO(one.at("name"));
    check_refusal({{"static_resources", {{"clusters", one.at("input").at("clusters")}}}},
                  one.at("expect").at("message"));
    ++read;
  }
  CHECK(read == 14);
}
