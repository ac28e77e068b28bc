#include "sim/observed/read_clusters_json.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "sim/observed/host_counter_names.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/json_values.hpp"
#include "sim/observed/repeated.hpp"

namespace spillway::observed {
namespace {

using documents::Member;
using envoy::HostFlag;

std::string address_of(const Node& host) {
  const Node* const address = member(host, "address");
  if (const Node* const socket = address != nullptr ? member(*address, "socket_address") : nullptr) {
    const std::string ip = text_of(member(*socket, "address"));
    const std::string port = std::to_string(count_of(member(*socket, "port_value")).value_or(0));
    return (ip.find(':') == std::string::npos ? ip : "[" + ip + "]") + ":" + port;
  }
  if (const Node* const pipe = address != nullptr ? member(*address, "pipe") : nullptr) {
    return text_of(member(*pipe, "path"));
  }
  if (const Node* const own = address != nullptr ? member(*address, "envoy_internal_address") : nullptr) {
    return "envoy://" + text_of(member(*own, "server_listener_name")) + "/" + text_of(member(*own, "endpoint_id"));
  }
  return "";
}

envoy::HostFlags flags_of(const Node* health, Diagnostics& problems) {
  envoy::HostFlags all;
  if (health == nullptr) {
    return all;
  }
  // HostHealthStatus has other names than the text format for two flags.
  constexpr std::array other_names = std::to_array<std::pair<std::string_view, HostFlag>>(
      {{"failed_active_health_check", HostFlag::failed_active_hc},
       {"failed_active_degraded_check", HostFlag::degraded_active_hc}});
  for (const Member& one : health->members) {
    if (one.key == "eds_health_status") {
      set_eds_health(all, text_of(&one.value));
      continue;
    }
    const auto other =
        std::find_if(other_names.begin(), other_names.end(), [&](const auto& name) { return name.first == one.key; });
    const auto flag = other != other_names.end() ? std::optional(other->second) : host_flag_of(one.key);
    if (!flag) {
      problems.push_back(unknown_flag(one.key, one.key_span));
    } else if (one.value.boolean) {
      all.set(*flag);
    }
  }
  return all;
}

Host host_of(const Node& written, Diagnostics& problems) {
  Host host{address_of(written)};
  host.hostname = text_of(member(written, "hostname"));
  if (const Node* const locality = member(written, "locality")) {
    host.locality = {text_of(member(*locality, "region")), text_of(member(*locality, "zone")),
                     text_of(member(*locality, "sub_zone"))};
  }
  host.priority.value = static_cast<std::uint32_t>(count_of(member(written, "priority")).value_or(0));
  host.weight = static_cast<std::uint32_t>(count_of(member(written, "weight")).value_or(1));
  host.flags = flags_of(member(written, "health_status"), problems);
  if (const Node* const stats = member(written, "stats")) {
    for (const Node& stat : stats->items) {
      const std::string name = text_of(member(stat, "name"));
      for (const HostCounterName& counter : host_counter_names) {
        if (counter.name == name) {
          host.counters.*counter.counter = count_of(member(stat, "value")).value_or(0);
        }
      }
    }
  }
  return host;
}

}  // namespace

std::optional<Clusters> clusters_of_json(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const auto root = documents::parse(sources, file, problems);
  if (!root) {
    return std::nullopt;
  }
  // One cluster only, as a JSON filter prints it.
  Node alone;
  const Node* statuses = member(*root, "cluster_statuses");
  if (statuses == nullptr && member(*root, "host_statuses") != nullptr) {
    alone.kind = documents::Kind::array;
    alone.items.push_back(*root);
    statuses = &alone;
  }
  if (statuses == nullptr || statuses->kind != documents::Kind::array) {
    problems.error("SP790", root->span, "not the JSON of /clusters", "has no `cluster_statuses`")
        .help("expected the output of the admin interface's /clusters?format=json");
    return std::nullopt;
  }
  Clusters read;
  std::vector<std::vector<Span>> places;  // of hosts, by cluster
  std::set<std::string> names;
  for (const Node& written : statuses->items) {
    Cluster cluster{text_of(member(written, "name"))};
    places.emplace_back();
    if (!names.insert(cluster.name).second) {
      problems.push_back(second_output("/clusters", cluster.name, written.span));
    }
    const Node* const api = member(written, "added_via_api");
    cluster.added_via_api = api != nullptr && api->boolean;
    if (const Node* const hosts = member(written, "host_statuses")) {
      for (const Node& host : hosts->items) {
        cluster.hosts.push_back(host_of(host, problems));
        places.back().push_back(host.span);
        if (cluster.hosts.back().address.empty()) {
          problems.error("SP790", host.span, "a host without an address", "has no known address");
        }
      }
    }
    read.clusters.push_back(std::move(cluster));
  }
  warn_of_repeated_hosts(read, places, problems);
  return std::any_of(problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end(),
                     [](const auto& problem) { return problem.severity == Severity::error; })
             ? std::nullopt
             : std::optional(std::move(read));
}

}  // namespace spillway::observed
