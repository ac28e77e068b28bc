#include "reports/envoy/requests.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "models/envoy/routes/address.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "reports/envoy/addresses.hpp"
#include "reports/envoy/kuma_outbounds.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::envoy_export {
namespace {

class RequestWriter {
 public:
  RequestWriter(const scenario::Scenario& scenario, const scenario::ClientEntry& client, const Addresses& addresses,
                const std::vector<config::ServiceIndex>& services, std::uint32_t port)
      : entrances_(entrances_of(client, port)) {
    for (const config::ServiceIndex index : services) {
      const scenario::Service& service = scenario.services[index.value];
      note_headers(service.cluster);
      config::HostIndex host{0};
      for (const auto& group : service.load_assignment.endpoints) {
        for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
          loopback_.emplace(endpoint.address, addresses.of(index, host).text());
          ++host.value;
        }
      }
    }
  }

  void refuse(const scenario::RequestKind& kind, const std::string& what) {
    sent_.problems.push_back("requests `" + kind.name + "` " + what);
  }

  // `position`: of the kind in the workload.
  void add(std::size_t position, const scenario::RequestKind& kind, const scenario::Route& route) {
    Json headers = Json::array();
    for (const auto& [name, value] : kind.request.headers) {
      headers.push_back(Json::array({name, naming(name) ? renamed(value) : with_session_renamed(route, name, value)}));
      if (is_destination(name) && !is_loopback(renamed(value))) {
        refuse(kind, "go to " + value + ", which is not an endpoint");
      }
    }
    if (kind.request.remote_address) {
      // Envoy uses the last address in the header as the client's address.
      const auto address = envoy::routes::parse_ip_address(*kind.request.remote_address);
      if (address) {
        headers.push_back(Json::array({"x-forwarded-for", address->ip}));
      }
    }
    if (kind.request.local_address) {
      refuse(kind, "name their destination by the connection's own address (" + *kind.request.local_address +
                       "), which needs a redirection by the system");
    }
    if (!kind.request.filter_state.empty() || !kind.request.dynamic_metadata.empty()) {
      refuse(kind, std::string("carry what no client can send: ") +
                       (kind.request.filter_state.empty() ? "dynamic metadata" : "filter state"));
    }
    add(position, kind.name, kind.weight, headers);
  }

  void add(std::size_t position, const std::string& name, double weight, const Json& headers) {
    const std::vector<Entrance>& entrances = entrances_[position];
    double sum = 0.0;
    for (const Entrance& entrance : entrances) {
      sum += entrance.weight;
    }
    for (const Entrance& entrance : entrances) {
      sent_.requests.push_back({{"name", name},
                                {"weight", weight * entrance.weight / sum},
                                {"address", entrance.address},
                                {"headers", headers}});
    }
  }

  SentRequests finish() && { return std::move(sent_); }

 private:
  // A listener, and the weight of the requests of a kind that enter it.
  struct Entrance {
    std::string address;
    double weight = 1.0;
  };

  // Returns the listeners of each kind of requests: Kuma's, or the only one.
  static std::vector<std::vector<Entrance>> entrances_of(const scenario::ClientEntry& client, std::uint32_t port) {
    const std::string suffix = ":" + std::to_string(port);
    const std::size_t kinds = std::max<std::size_t>(client.workload.requests.size(), 1);
    if (client.outbounds.empty() || !client.outbounds.front().decides) {
      return std::vector(kinds, std::vector{Entrance{"127.0.0.1" + suffix}});
    }
    std::vector<std::vector<Entrance>> entrances(kinds);
    for (std::size_t outbound = 0; outbound < client.outbounds.size(); ++outbound) {
      for (const auto& entering : client.outbounds[outbound].entering) {
        entrances[entering.kind].push_back(
            {address_of_outbound(outbound) + suffix, static_cast<double>(entering.weight)});
      }
    }
    return entrances;
  }

  void note_headers(const envoy::Cluster& cluster) {
    if (const auto* policy = std::get_if<envoy::policies::override_host::Config>(&cluster.lb_policy)) {
      for (const auto& source : policy->override_host_sources) {
        naming_headers_.insert(source.header);
      }
    }
    if (cluster.original_dst && cluster.original_dst->use_http_header) {
      const std::string& name = cluster.original_dst->http_header_name;
      destination_headers_.insert(name.empty() ? "x-envoy-original-dst-host" : name);
    }
  }

  [[nodiscard]] bool is_destination(const std::string& header) const { return is_among(destination_headers_, header); }
  [[nodiscard]] bool naming(const std::string& header) const {
    return is_destination(header) || is_among(naming_headers_, header);
  }
  [[nodiscard]] static bool is_among(const std::set<std::string>& names, const std::string& header) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& candidate) {
      return envoy::routes::same_header_name(candidate, header);
    });
  }

  // Replaces the address in a session header by the exported one.
  [[nodiscard]] std::string with_session_renamed(const scenario::Route& route, const std::string& name,
                                                 const std::string& value) const {
    namespace sessions = envoy::stateful_session;
    if (!route.stateful_session) {
      return value;
    }
    const envoy::StatefulSession& session = *route.stateful_session;
    if (session.state == envoy::SessionState::header) {
      const auto address = sessions::parse_header(value);
      return envoy::routes::same_header_name(name, session.name) && address && loopback_.contains(*address)
                 ? sessions::header_value(loopback_.at(*address))
                 : value;
    }
    const auto cookie = envoy::routes::cookie_value({.headers = {{name, value}}}, session.name);
    const auto address = cookie ? sessions::parse_cookie(*cookie, 0) : std::nullopt;
    if (!address || !loopback_.contains(*address)) {
      return value;
    }
    std::string changed = value;
    return changed.replace(changed.find(*cookie), cookie->size(), sessions::cookie_value(loopback_.at(*address), 0, 0));
  }

  // Replaces the addresses in "10.0.0.1:80, 10.0.0.2:80" by the exported ones.
  [[nodiscard]] std::string renamed(const std::string& list) const {
    std::string result;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::size_t first = std::min(list.find_first_not_of(' ', begin), end);
      const std::string name = list.substr(first, end - first);
      const auto found = loopback_.find(name);
      result += (result.empty() ? "" : ",") + (found == loopback_.end() ? name : found->second);
      begin = end + 1;
    }
    return result;
  }

  std::vector<std::vector<Entrance>> entrances_;
  std::map<std::string, std::string> loopback_;
  std::set<std::string> naming_headers_;       // name hosts that a policy must use
  std::set<std::string> destination_headers_;  // name the host that overrides every policy
  SentRequests sent_;
};

}  // namespace

SentRequests requests_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                           const Addresses& addresses, const std::vector<config::ServiceIndex>& services,
                           const Ports& ports) {
  RequestWriter writer(scenario, client, addresses, services, ports.inbound);
  for (std::size_t position = 0; position < client.workload.requests.size(); ++position) {
    const scenario::RequestKind& kind = client.workload.requests[position];
    writer.add(position, kind, scenario.routes[kind.route]);
  }
  if (client.workload.requests.empty()) {
    writer.add(0, scenario.services[client.workload.service.value].name, 1.0, Json::array());
  }
  return std::move(writer).finish();
}

}  // namespace spillway::reports::envoy_export
