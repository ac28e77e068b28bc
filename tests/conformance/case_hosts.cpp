#include "tests/conformance/case_hosts.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "models/envoy/cluster.hpp"

namespace spillway::conformance {

namespace {

config::LbEndpoint read_endpoint(const json& host) {
  config::LbEndpoint endpoint;
  for (const auto& [field, value] : host.items()) {
    if (field == "id") {
      endpoint.address = endpoint.address.empty() ? value.get<std::string>() : endpoint.address;
    } else if (field == "address") {
      endpoint.address = value.get<std::string>();
    } else if (field == "weight") {
      endpoint.load_balancing_weight = value.get<std::uint32_t>();
    } else if (field == "hostname") {
      endpoint.hostname = value.get<std::string>();
    } else if (field == "hash_key") {
      endpoint.metadata.set("hash_key", read_value(value));
    } else if (field == "metadata") {
      endpoint.metadata = read_struct(value);
    } else if (field != "zone") {
      throw std::invalid_argument("unknown field of a host: " + field);
    }
  }
  if (host.contains("address")) {
    endpoint.address = host.at("address").get<std::string>();
  }
  return endpoint;
}

// "1024 hosts 127.0.0.1:0..1023 weight 1", each called by its port.
json expand_hosts(const std::string& text) {
  static const std::regex form("(\\d+) hosts ([0-9.]+):(\\d+)\\.\\.(\\d+) weight (\\d+)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    throw std::invalid_argument("cannot read hosts " + text);
  }
  json hosts = json::array();
  for (int port = std::stoi(parts[3]); port <= std::stoi(parts[4]); ++port) {
    const std::string id = std::to_string(port);
    hosts.push_back({{"id", id}, {"address", parts[2].str() + ":" + id}, {"weight", std::stoi(parts[5])}});
  }
  return hosts;
}

// "{host 0}, {hosts 1..1023}".
json expand_localities(const std::string& text) {
  static const std::regex group("\\{hosts? (\\d+)(?:\\.\\.(\\d+))?\\}");
  json localities = json::array();
  for (std::sregex_iterator part(text.begin(), text.end(), group), end; part != end; ++part) {
    json ids = json::array();
    const int last = std::stoi((*part)[2].matched ? (*part)[2] : (*part)[1]);
    for (int id = std::stoi((*part)[1]); id <= last; ++id) {
      ids.push_back(std::to_string(id));
    }
    localities.push_back(ids);
  }
  return localities;
}

json expanded(const json& value, json (*expand)(const std::string&)) {
  return value.is_string() ? expand(value.get<std::string>()) : value;
}

}  // namespace

config::Value read_value(const json& value) {
  if (value.is_boolean()) {
    return config::Value(value.get<bool>());
  }
  if (value.is_number()) {
    return config::Value(value.get<double>());
  }
  if (value.is_string()) {
    return config::Value(value.get<std::string>());
  }
  if (value.is_array()) {
    config::Value::List list;
    for (const json& element : value) {
      list.push_back(read_value(element));
    }
    return config::Value(std::move(list));
  }
  return value.is_object() ? config::Value(read_struct(value)) : config::Value();
}

config::Struct read_struct(const json& object) {
  config::Struct result;
  for (const auto& [name, value] : object.items()) {
    result.set(name, read_value(value));
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> read_headers(const json& headers) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : headers.items()) {
    if (headers.is_array()) {
      result.emplace_back(value.at(0).get<std::string>(), value.at(1).get<std::string>());
    } else {
      result.emplace_back(name, value.get<std::string>());
    }
  }
  return result;
}

std::shared_ptr<const envoy::ClusterState> CaseHosts::state(const envoy::policies::Config& policy,
                                                            bool locality_weighted,
                                                            config::EnvoyProfile profile) const {
  envoy::Cluster cluster;
  cluster.lb_policy = policy;
  if (locality_weighted) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  }
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(assignment, {.profile = profile}),
                        {.profile = profile});
}

CaseHosts read_hosts(const json& input) {
  CaseHosts result;
  std::vector<config::LbEndpoint> endpoints;
  for (const json& host : expanded(input.at("hosts"), expand_hosts)) {
    result.ids.push_back(host.at("id").get<std::string>());
    endpoints.push_back(read_endpoint(host));
  }
  if (!input.contains("localities")) {
    result.assignment.endpoints.push_back({{}, {}, std::nullopt, endpoints});
    return result;
  }
  // Hosts stand locality by locality; a case's own order of hosts agrees with that.
  const json localities = expanded(input.at("localities"), expand_localities);
  const std::vector<std::string> given = std::exchange(result.ids, {});
  for (std::size_t locality = 0; locality < localities.size(); ++locality) {
    config::LocalityLbEndpoints group;
    group.locality = {"", std::string(1, static_cast<char>('a' + locality)), ""};
    group.load_balancing_weight = input.at("locality_weights").at(locality).get<std::uint32_t>();
    for (const json& id : localities[locality]) {
      const auto found = std::find(given.begin(), given.end(), id.get<std::string>());
      if (found == given.end()) {
        throw std::invalid_argument("unknown host " + id.dump());
      }
      result.ids.push_back(*found);
      group.lb_endpoints.push_back(endpoints[static_cast<std::size_t>(found - given.begin())]);
    }
    result.assignment.endpoints.push_back(std::move(group));
  }
  return result;
}

}  // namespace spillway::conformance
