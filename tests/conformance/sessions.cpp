// override_host.*, stateful.*, original_dst.*, cswrr.*, peak_ewma.*.
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"
#include "models/envoy/policies/peak_ewma/peak_ewma.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "tests/conformance/case_hosts.hpp"

namespace spillway::conformance {

namespace {

namespace cswrr = envoy::policies::client_side_weighted_round_robin;
namespace original_dst = envoy::policies::original_dst;
namespace override_host = envoy::policies::override_host;
namespace session = envoy::stateful_session;

json or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json(nullptr);
}

// What the fallback policy picks counts as fallback_pick.
void replay_override_sequence(const json& input, Check& check) {
  CaseHosts hosts;
  hosts.ids = input.at("cluster_hosts").get<std::vector<std::string>>();
  auto& endpoints = hosts.assignment.endpoints.emplace_back().lb_endpoints;
  for (const std::string& id : hosts.ids) {
    endpoints.push_back({.address = id});
  }
  std::vector<override_host::OverrideHostSource> sources;
  for (const json& source : input.at("sources")) {
    override_host::OverrideHostSource& added = sources.emplace_back();
    added.header = source.value("header", std::string());
    if (source.contains("metadata")) {
      added.metadata = source.at("metadata").get<std::string>();
    }
  }
  const json& given = input.at("request");
  envoy::routes::Request request;
  request.headers = read_headers(given.value("headers", json::array()));
  request.dynamic_metadata = read_struct(given.value("metadata", json::object()));
  const envoy::HostMap map(envoy::make_priority_set(hosts.assignment, {}));
  override_host::OverrideHosts named(sources, request);
  json picks = json::array();
  for (int pick = 0; pick < input.at("picks").get<int>(); ++pick) {
    const auto host = named.next(map);
    picks.push_back(host ? json(hosts.ids[host->value]) : input.at("fallback_pick"));
  }
  check.equal_whole(picks);
}

void replay_cookie_value(const json& input, Check& check) {
  check.equal_whole(session::cookie_value(input.at("address").get<std::string>(), input.at("ttl_s").get<std::int64_t>(),
                                          input.at("now_s").get<std::int64_t>()));
}

void replay_cookie_parse(const json& input, Check& check) {
  check.equal_whole(
      or_null(session::parse_cookie(input.at("cookie").get<std::string>(), input.at("now_s").get<std::int64_t>())));
}

void replay_header_value(const json& input, Check& check) {
  const auto address = input.at("address").get<std::string>();
  const std::string value = session::header_value(address);
  if (session::parse_header(value) != address) {
    check.fail("the header does not read back");
  }
  check.equal_whole(value);
}

void replay_path_match(const json& input, Check& check) {
  check.equal_whole(
      session::path_matches(input.at("cookie_path").get<std::string>(), input.at("request_path").get<std::string>()));
}

const std::map<std::string, config::HealthStatus> session_statuses = {
    {"UNKNOWN", config::HealthStatus::unknown},     {"HEALTHY", config::HealthStatus::healthy},
    {"UNHEALTHY", config::HealthStatus::unhealthy}, {"DRAINING", config::HealthStatus::draining},
    {"TIMEOUT", config::HealthStatus::timeout},     {"DEGRADED", config::HealthStatus::degraded}};

void replay_select(const json& input, Check& check) {
  session::OverrideHostStatus accepted = session::default_override_host_status();
  const json& given = input.at("override_host_status");
  if (given.is_array()) {
    accepted = session::OverrideHostStatus({});
    for (const json& status : given) {
      accepted.add(session_statuses.at(status.get<std::string>()));
    }
  } else if (!given.get<std::string>().starts_with("default")) {
    throw std::invalid_argument("unknown override_host_status");
  }
  std::optional<config::HealthStatus> status;
  if (input.at("host_in_cluster").get<bool>()) {
    status = session_statuses.at(input.at("health_status").get<std::string>());
  }
  switch (session::select_host(status, input.at("strict").get<bool>(), accepted)) {
    case session::SessionChoice::override_host:
      return check.equal_whole("override");
    case session::SessionChoice::load_balancer:
      return check.equal_whole("load-balancer");
    case session::SessionChoice::no_host:
      return check.equal_whole("no host (503)");
  }
}

void replay_original_dst_pick(const json& input, Check& check) {
  const json& given = input.at("config");
  original_dst::Config config;
  for (const auto& [field, value] : given.items()) {
    if (field == "use_http_header") {
      config.use_http_header = value.get<bool>();
    } else if (field == "http_header_name") {
      config.http_header_name = value.get<std::string>();
    } else if (field == "metadata_key") {
      config.use_metadata_key = true;
    } else if (field == "upstream_port_override") {
      config.upstream_port_override = value.get<std::uint16_t>();
    } else {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  const json& object = input.at("request");
  envoy::routes::Request request;
  original_dst::Sources sources{.request = &request};
  std::optional<config::Value> request_metadata;
  std::optional<config::Value> connection_metadata;
  for (const auto& [field, value] : object.items()) {
    if (field == "headers") {
      request.headers = read_headers(value);
    } else if (field == "filter_state") {
      sources.request_filter_state = value.get<std::string>();
    } else if (field == "connection_filter_state") {
      sources.connection_filter_state = value.get<std::string>();
    } else if (field == "metadata") {
      request_metadata = read_value(value);
    } else if (field == "connection_metadata") {
      connection_metadata = read_value(value);
    } else if (field == "local_address") {
      if (object.value("local_restored", false)) {
        sources.restored_local_address = value.get<std::string>();
      }
    } else if (field != "local_restored") {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  sources.request_metadata = request_metadata ? &*request_metadata : nullptr;
  sources.connection_metadata = connection_metadata ? &*connection_metadata : nullptr;
  check.equal_whole(or_null(original_dst::destination(config, sources).address));
}

// Sweeps at every multiple of the interval until all hosts are gone.
void replay_original_dst_cleanup(const json& input, Check& check) {
  if (input.at("pool_usage") != "none") {
    throw std::invalid_argument("unknown pool_usage");
  }
  const auto interval = input.at("cleanup_interval_ms").get<std::int64_t>();
  original_dst::OnDemandHosts hosts;
  json removed = json::object();
  std::int64_t sweep = interval;
  const auto sweep_until = [&](std::int64_t time) {
    for (; sweep <= time; sweep += interval) {
      for (const std::string& address : hosts.sweep()) {
        removed[address] = sweep;
      }
    }
  };
  for (const json& event : input.at("events")) {
    sweep_until(event.at("t").get<std::int64_t>() - 1);
    hosts.pick(event.at("pick").get<std::string>());
  }
  while (hosts.size() > 0) {
    sweep_until(sweep);
  }
  check.equal("removed", removed);
}

void replay_cswrr_utilization(const json& input, Check& check) {
  cswrr::LoadReport report;
  report.application_utilization = input.at("application_utilization").get<double>();
  report.cpu_utilization = input.at("cpu_utilization").get<double>();
  for (const auto& [name, value] : input.at("named_metrics").items()) {
    report.named_metrics[name] = value.get<double>();
  }
  check.equal_whole(cswrr::utilization(report, input.at("metric_names").get<std::vector<std::string>>()));
}

void replay_cswrr_weight(const json& input, Check& check) {
  const auto result = cswrr::weight_from_report(
      input.at("rps_fractional").get<double>(), input.value("eps", 0.0), input.at("utilization").get<double>(),
      input.value("error_utilization_penalty", cswrr::Config{}.error_utilization_penalty));
  if (const auto* const weight = std::get_if<std::uint32_t>(&result)) {
    check.equal_whole(*weight);
  } else {
    check.equal("error", std::get<std::string_view>(result));
  }
}

void replay_cswrr_valid(const json& input, Check& check) {
  const auto seconds = [&](const char* field) { return std::chrono::seconds{input.at(field).get<std::int64_t>()}; };
  cswrr::HostReports reports(input.at("weight").get<std::uint32_t>(), seconds("non_empty_since_s"),
                             seconds("last_update_s"));
  const auto weight = reports.weight_if_valid(seconds("max_non_empty_since_s"), seconds("min_last_update_s"));
  check.equal("weight", weight ? json(*weight) : json(nullptr));
  check.equal("non_empty_since_reset", !reports.non_empty_since().has_value());
}

void replay_cswrr_apply(const json& input, Check& check) {
  std::vector<std::optional<std::uint32_t>> weights;
  for (const json& weight : input.at("client_side_weights")) {
    weights.push_back(weight.is_null() ? std::nullopt : std::optional(weight.get<std::uint32_t>()));
  }
  check.equal_whole(cswrr::fill_with_median(weights));
}

void replay_peak_ewma_cost(const json& input, Check& check) {
  check.equal_whole(
      envoy::policies::peak_ewma::cost(input.at("rtt_ms").get<double>(), input.at("active").get<std::uint32_t>()));
}

}  // namespace

const Replays& session_replays() {
  static const Replays replays = {{"override_host.sequence", replay_override_sequence},
                                  {"stateful.cookie_value", replay_cookie_value},
                                  {"stateful.cookie_parse", replay_cookie_parse},
                                  {"stateful.header_value", replay_header_value},
                                  {"stateful.path_match", replay_path_match},
                                  {"stateful.select", replay_select},
                                  {"original_dst.pick", replay_original_dst_pick},
                                  {"original_dst.cleanup", replay_original_dst_cleanup},
                                  {"cswrr.utilization", replay_cswrr_utilization},
                                  {"cswrr.weight", replay_cswrr_weight},
                                  {"cswrr.valid", replay_cswrr_valid},
                                  {"cswrr.apply", replay_cswrr_apply},
                                  {"peak_ewma.cost", replay_peak_ewma_cost}};
  return replays;
}

}  // namespace spillway::conformance
