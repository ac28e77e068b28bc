// How many instances a client sees that repeats one request: one with a hash, all without.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "models/kuma/assign.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_kinds.hpp"
#include "tests/conformance/kuma_shares.hpp"

namespace spillway::conformance {

namespace {

// One cluster and the routes to it.
class Service {
 public:
  Service(const json& test_case, config::KumaProfile profile)
      : profile_(profile), client_(read_client(test_case.at("client"), json::object())) {
    for (const json& endpoint : test_case.at("endpoints")) {
      endpoints_.push_back(read_endpoint(endpoint, json::object(), client_.zone));
    }
    const json& policy = test_case.at("policy");
    if (!policy.is_array()) {
      service_conf_ = read_merged_conf(policy);
      return;
    }
    for (const json& item : policy) {
      read_item(item);
    }
  }

  // Instances of positive share if every request is this one.
  std::size_t distinct_instances(bool with_policy, const std::string& path, const kuma::HashedRequest& request) const {
    const auto conf = with_policy ? service_conf_ : std::nullopt;
    const auto destination = kuma::DestinationModel::mesh_service;
    const auto settings = kuma::cluster_settings(conf, client_, destination);
    const auto assignment = kuma::assign(
        {.endpoints = endpoints_, .client = &client_, .destination = destination, .conf = conf, .profile = profile_});
    const auto state = kuma_cluster_state(assignment, settings, endpoints_, std::vector<bool>(endpoints_.size()), 50.0);
    const auto shares = kuma_shares(*state, assignment, settings, endpoints_);
    const auto hosts = static_cast<std::size_t>(
        std::count_if(shares.begin(), shares.end(), [](const auto& entry) { return entry.second > 0.0; }));
    const bool hashed = settings.lb_policy == kuma::LbPolicy::ring_hash || settings.lb_policy == kuma::LbPolicy::maglev;
    const std::array<std::optional<kuma::Conf>, 2> confs = {path == route_path_ ? route_conf_ : std::nullopt, conf};
    const auto policies = kuma::hash_policies(confs, profile_);
    return hashed && policies && kuma::makes_hash(*policies, request) ? std::min<std::size_t>(hosts, 1) : hosts;
  }

  // Every header that a hash policy of the service or the route reads.
  std::vector<std::string> hashed_headers() const {
    std::vector<std::string> names;
    for (const auto& conf : {service_conf_, route_conf_}) {
      for (const auto& policy :
           kuma::hash_policies(conf.value_or(kuma::Conf{}), profile_).value_or(std::vector<kuma::HashPolicy>{})) {
        if (policy.header && policy.header->name) {
          names.push_back(*policy.header->name);
        }
      }
    }
    return names;
  }

 private:
  // {"to": "MeshService test-server"} or {"to": "MeshHTTPRoute test-server-route (/hash-lb)"}.
  void read_item(const json& item) {
    const auto to = item.at("to").get<std::string>();
    const kuma::Conf conf = read_conf(item.at("default"));
    if (!to.starts_with("MeshHTTPRoute ")) {
      service_conf_ = conf;
      return;
    }
    const std::size_t open = to.find('(');
    const std::size_t close = to.find(')');
    if (open == std::string::npos || close == std::string::npos) {
      throw std::invalid_argument("a route without a path: " + to);
    }
    route_path_ = to.substr(open + 1, close - open - 1);
    route_conf_ = conf;
  }

  config::KumaProfile profile_;
  kuma::Client client_;
  std::vector<kuma::Endpoint> endpoints_;
  std::optional<kuma::Conf> service_conf_;
  std::optional<kuma::Conf> route_conf_;
  std::string route_path_;
};

// "/path without headers" or "/path with header-name".
std::size_t of_request(const Service& service, const std::string& words) {
  const std::size_t space = words.find(' ');
  const std::string path = words.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : words.substr(space + 1);
  kuma::HashedRequest request;
  if (rest.starts_with("with ")) {
    request.headers[rest.substr(5)] = "value";
  } else if (rest != "without headers") {
    throw std::invalid_argument("cannot read request " + words);
  }
  return service.distinct_instances(true, path, request);
}

}  // namespace

void replay_kuma_hash_affinity(const json& test_case, config::KumaProfile profile, Check& check) {
  const Service service(test_case, profile);
  kuma::HashedRequest with_headers;
  for (const std::string& name : service.hashed_headers()) {
    with_headers.headers[name] = "value";
  }
  check.equal("distinct_instances_before_policy", service.distinct_instances(false, "", {}));
  check.equal("distinct_instances_with_fixed_header", service.distinct_instances(true, "", with_headers));
  for (const auto& [field, expected] : check.expected().items()) {
    if (field.starts_with('/')) {
      check.equal(field, of_request(service, field));
    }
  }
}

}  // namespace spillway::conformance
