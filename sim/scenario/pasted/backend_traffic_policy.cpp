#include "sim/scenario/pasted/backend_traffic_policy.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "models/documents/grammar/scalars.hpp"
#include "models/documents/grammar/shapes.hpp"
#include "models/documents/node_json.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"
#include "sim/scenario/pasted/policy_fields.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

template <class Shape>
typename Shape::Value value_of(const Shape& shape, const Node& node, std::string_view key, Diagnostics& problems) {
  typename Shape::Value value{};
  static_cast<void>(shape.read(node, value, key, problems));
  return value;
}

// Ranges of Envoy, [start, end), for statuses such as [200, 201, 404].
Json ranges_of(const Node& list, Diagnostics& problems) {
  std::vector<std::uint64_t> statuses;
  for (const Node& item : list.items) {
    statuses.push_back(value_of(grammar::Whole{.minimum = 100, .maximum = 599}, item, "status", problems));
  }
  std::sort(statuses.begin(), statuses.end());
  Json ranges = Json::array();
  for (const std::uint64_t status : statuses) {
    if (!ranges.empty() && ranges.back()["end"] == status) {
      ranges.back()["end"] = status + 1;
    } else {
      ranges.push_back({{"start", status}, {"end", status + 1}});
    }
  }
  return ranges;
}

class Translation {
 public:
  Translation(std::uint64_t of_service, Diagnostics& problems) : of_service_(of_service), problems_(problems) {
    // Absent `maxParallelRetries` means 1024, where Envoy's own default is 3.
    into_["cluster"] = {{"ignore_health_on_host_removal", true},
                        {"circuit_breakers", {{"thresholds", {{{"max_retries", 1024}}}}}}};
    into_["action"] = Json::object();
    into_["policy"] = Json::object();
    into_["raw"] = Json::object();
  }

  GatewaySettings translate(const Node* spec) {
    if (spec != nullptr) {
      add_defaults(*spec);
      walk(*spec, "");
    }
    const Json raw = into_["raw"];
    finish_checks(raw);
    finish_retries(raw, spec != nullptr && spec->find("retry") != nullptr);
    finish_zones(raw, spec);
    finish_balancer(raw);
    finish_delay(child(raw, "delay"));
    if (text_of(raw, "routing") == "Service") {
      found_.left_out.emplace_back("`routingType: Service`: the kube-proxy picks the pod, not the gateway");
    }
    found_.cluster = std::move(into_["cluster"]);
    found_.action = std::move(into_["action"]);
    return std::move(found_);
  }

 private:
  // The defaults that the CRD writes into every policy with these parts.
  void add_defaults(const Node& spec) {
    Json& cluster = into_["cluster"];
    if (value_below(spec, {"healthCheck", "active"}) != nullptr) {
      cluster["health_checks"] = {
          {{"timeout", "1s"}, {"interval", "3s"}, {"unhealthy_threshold", 3}, {"healthy_threshold", 1}}};
    }
    if (value_below(spec, {"healthCheck", "passive"}) != nullptr) {
      cluster["outlier_detection"] = {{"interval", "3s"},
                                      {"base_ejection_time", "30s"},
                                      {"consecutive_5xx", 5},
                                      {"consecutive_local_origin_failure", 5},
                                      {"max_ejection_percent", 10}};
    }
  }

  void walk(const Node& object, const std::string& path) {
    if (object.kind != documents::Kind::object) {
      grammar::wrong_kind(object, path, "an object", problems_);
      return;
    }
    for (const documents::Member& member : object.members) {
      const auto rows = policy_fields();
      const std::string key = path.empty() ? member.key : path + "." + member.key;
      const auto exact = std::find_if(rows.begin(), rows.end(), [&](const PolicyField& row) { return row.key == key; });
      const bool deeper =
          std::any_of(rows.begin(), rows.end(), [&](const PolicyField& row) { return row.key.starts_with(key + "."); });
      const bool idle_parent = std::any_of(rows.begin(), rows.end(), [&](const PolicyField& row) {
        return row.key == path && row.as == PolicyValue::idle;
      });
      if (deeper) {
        walk(member.value, key);
      } else if (exact != rows.end()) {
        add(*exact, member);
      } else if (!idle_parent) {
        problems_.error("SP020", member.key_span, "unknown key `{}`", "no key of a BackendTrafficPolicy", {key});
      }
    }
  }

  void add(const PolicyField& row, const documents::Member& member) {
    const Node& node = member.value;
    const auto put = [&](Json value) { into_[Json::json_pointer(row.into)] = std::move(value); };
    switch (row.as) {
      case PolicyValue::number:
        put(value_of(grammar::Whole{}, node, member.key, problems_));
        break;
      case PolicyValue::percent:
        put({{"value", value_of(grammar::Whole{.maximum = 100}, node, member.key, problems_)}});
        break;
      case PolicyValue::hundredth:
        put(static_cast<double>(value_of(grammar::Whole{}, node, member.key, problems_)) / 100.0);
        break;
      case PolicyValue::fraction:
        put({{"numerator",
              std::lround(10'000.0 * value_of(grammar::Number{0.0, 100.0, {}, true}, node, member.key, problems_))},
             {"denominator", "MILLION"}});
        break;
      case PolicyValue::duration:
        put(grammar::proto_duration_text(value_of(messages::GoDuration{}, node, member.key, problems_)));
        break;
      case PolicyValue::flag:
        put(value_of(grammar::Flag{}, node, member.key, problems_));
        break;
      case PolicyValue::text:
        put(value_of(grammar::Text{}, node, member.key, problems_));
        break;
      case PolicyValue::statuses:
        put(ranges_of(node, problems_));
        break;
      case PolicyValue::raw:
        if (node.kind == documents::Kind::array) {
          put(documents::json_of(node));
        } else {
          grammar::wrong_kind(node, member.key, "a list", problems_);
        }
        break;
      case PolicyValue::idle:
        break;
      case PolicyValue::left_out:
        found_.left_out.push_back("`" + std::string(row.key) + "` is not simulated: " + row.into);
        break;
      case PolicyValue::refused:
        problems_.error("SP301", member.key_span, "`{}` is not supported", "{}", {member.key, row.into});
        break;
    }
  }

  void finish_checks(const Json& raw) {
    Json& cluster = into_["cluster"];
    if (cluster.contains("health_checks")) {
      Json& check = cluster["health_checks"][0];
      const std::string type = text_of(raw, "check");
      if (type == "TCP") {
        check["tcp_health_check"] = Json::object();
      } else if (type == "GRPC") {
        check["grpc_health_check"] = Json::object();
      } else if (!check.contains("http_health_check")) {
        check["http_health_check"] = {{"path", "/"}};
      }
    }
    if (cluster.contains("outlier_detection")) {
      Json& detection = cluster["outlier_detection"];
      if (detection.contains("consecutive_gateway_failure")) {
        detection["enforcing_consecutive_gateway_failure"] = 100;
      }
      if (detection.contains("failure_percentage_threshold")) {
        detection["enforcing_failure_percentage"] = 100;
      }
      if (detection["max_ejection_percent"] == 0) {
        detection.erase("max_ejection_percent");  // Envoy's 10
      }
    }
    if (const Json& budget = child(raw, "budget"); child(budget, "numerator").is_number()) {
      const double of = child(budget, "denominator").is_number() ? child(budget, "denominator").get<double>() : 100.0;
      cluster["circuit_breakers"]["thresholds"][0]["retry_budget"]["budget_percent"] = {
          {"value", of > 0.0 ? 100.0 * child(budget, "numerator").get<double>() / of : 0.0}};
    }
  }

  // Without a percentage, every request waits: the default of the CRD.
  void finish_delay(const Json& delay) {
    if (delay.contains("fixed_delay")) {
      found_.delay = {{"percentage", {{"numerator", 100}}}};
      found_.delay.update(delay);
    }
  }

  void finish_retries(const Json& raw, bool retries) {
    if (!retries) {
      return;
    }
    Json& policy = into_["action"]["retry_policy"];
    if (!policy.contains("num_retries")) {
      policy["num_retries"] = 2;
    }
    const bool chooses = raw.contains("triggers") || policy.contains("retriable_status_codes");
    if (!chooses) {
      policy["retriable_status_codes"] = {503};
    }
    policy["retry_on"] = "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes";
    if (const Json& triggers = child(raw, "triggers"); !triggers.empty()) {
      std::string words;
      for (const Json& trigger : triggers) {
        words += (words.empty() ? "" : ",") + (trigger.is_string() ? trigger.get<std::string>() : "");
      }
      policy["retry_on"] = words;
    }
    avoid_previous_hosts(policy);
    if (child(raw, "attempts").is_number() && child(raw, "attempts") > 0) {
      policy["retry_priority"] = {
          {"name", "envoy.retry_priorities.previous_priorities"},
          {"typed_config",
           {{"@type",
             "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig"},
            {"update_frequency", child(raw, "attempts")}}}};
    }
  }

  void finish_zones(const Json& raw, const Node* spec) {
    const Node* const prefers =
        spec == nullptr ? nullptr : value_below(*spec, {"loadBalancer", "zoneAware", "preferLocal"});
    found_.prefers_zone = prefers != nullptr || of_service_ > 0;
    for (const Json& zone : child(raw, "weights")) {
      found_.zone_weights[text_of(zone, "zone")] =
          child(zone, "weight").is_number_unsigned() ? child(zone, "weight").get<std::uint64_t>() : 1;
    }
    Json& localities = into_["raw"]["localities"];
    localities = {{"locality_weighted_lb_config", Json::object()}};
    if (prefers != nullptr) {
      Json config = child(raw, "zone");
      if (!config.contains("min_cluster_size")) {
        config["min_cluster_size"] = 6;
      }
      if (value_below(*prefers, {"force"}) != nullptr && !config.contains("force_local_zone")) {
        config["force_local_zone"] = {{"min_size", 1}};
      }
      localities = {{"zone_aware_lb_config", config}};
    } else if (found_.prefers_zone) {
      localities = {{"zone_aware_lb_config",
                     {{"min_cluster_size", of_service_}, {"force_local_zone", {{"min_size", of_service_}}}}}};
    }
  }

  static Json extension(const std::string& name, const char* type, const Json& config) {
    Json typed{{"@type", "type.googleapis.com/envoy.extensions.load_balancing_policies." + name + ".v3." + type}};
    typed.update(config);
    return {{"policies",
             {{{"typed_extension_config",
                {{"name", "envoy.load_balancing_policies." + name}, {"typed_config", std::move(typed)}}}}}}};
  }

  void finish_balancer(const Json& raw) {
    const std::string type = text_of(raw, "type").empty() ? "LeastRequest" : text_of(raw, "type");
    Json config = into_["policy"];
    const Json localities{{"locality_lb_config", into_["raw"]["localities"]}};
    const bool weighted = !found_.zone_weights.empty();
    const bool overrides = !child(raw, "override").empty();
    Json policy;
    if (type == "ConsistentHash") {
      if (weighted) {
        config["locality_weighted_lb_config"] = Json::object();
      }
      policy = extension("maglev", "Maglev", overrides ? Json::object() : config);
      add_hash(child(raw, "hash"));
    } else if (type == "BackendUtilization") {
      policy = extension("client_side_weighted_round_robin", "ClientSideWeightedRoundRobin", config);
      if (weighted) {
        policy = extension("wrr_locality", "WrrLocality", {{"endpoint_picking_policy", policy}});
      }
    } else {
      config.update(localities);
      if (overrides) {
        config = Json::object();  // the balancer below `endpointOverride` has no settings, not even localities
      }
      policy = type == "RoundRobin" ? extension("round_robin", "RoundRobin", config)
               : type == "Random"   ? extension("random", "Random", config)
                                    : extension("least_request", "LeastRequest", config);
    }
    if (const Json& sources = child(raw, "override"); overrides) {
      Json headers = Json::array();
      for (const Json& source : sources) {
        headers.push_back({{"header", text_of(source, "header")}});
      }
      policy =
          extension("override_host", "OverrideHost", {{"override_host_sources", headers}, {"fallback_policy", policy}});
    }
    into_["cluster"]["load_balancing_policy"] = std::move(policy);
  }

  void add_hash(const Json& hash) {
    Json policies = Json::array();
    const std::string type = text_of(hash, "type");
    if (type == "SourceIP" || type.empty()) {
      policies.push_back({{"connection_properties", {{"source_ip", true}}}});
    } else if (type == "Cookie") {
      policies.push_back({{"cookie", child(hash, "cookie")}});
    }
    for (const Json& header : child(hash, type.starts_with("Header") ? "headers" : "")) {
      policies.push_back({{"header", {{"header_name", text_of(header, "name")}}}});
    }
    for (const Json& parameter : child(hash, type == "QueryParams" ? "parameters" : "")) {
      policies.push_back({{"query_parameter", {{"name", text_of(parameter, "name")}}}});
    }
    into_["action"]["hash_policy"] = std::move(policies);
    found_.hashes = true;
  }

  std::uint64_t of_service_;
  Diagnostics& problems_;
  GatewaySettings found_;
  Json into_;
};

}  // namespace

GatewaySettings gateway_settings(const Node* spec, std::uint64_t of_service, Diagnostics& problems) {
  return Translation(of_service, problems).translate(spec);
}

void avoid_previous_hosts(Json& retry_policy) {
  retry_policy["retry_host_predicate"] = {{{"name", "envoy.retry_host_predicates.previous_hosts"}}};
  retry_policy["host_selection_retry_max_attempts"] = 5;
}

Node merged_spec(Node parent, const Node& child_spec) {
  for (const documents::Member& member : child_spec.members) {
    const auto known = std::find_if(parent.members.begin(), parent.members.end(),
                                    [&](const documents::Member& one) { return one.key == member.key; });
    if (known == parent.members.end()) {
      parent.members.push_back(member);
    } else if (known->value.kind == documents::Kind::object && member.value.kind == documents::Kind::object) {
      known->value = merged_spec(std::move(known->value), member.value);
    } else {
      known->value = member.value;
    }
  }
  return parent;
}

}  // namespace spillway::scenario::pasted
