#include "sim/scenario/pasted/short_names.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr std::string_view domain_of_cluster = ".svc.cluster.local";

// A name of a service or of its cluster: "outbound|80|v1|cart.shop.svc.cluster.local",
// "cart.shop.svc.cluster.local:80".
struct NameParts {
  std::string host = {};
  std::string port = {};
  std::string subset = {};
  bool of_cluster = false;
};

NameParts parts_of(const std::string& name) {
  NameParts parts;
  constexpr std::string_view direction = "outbound|";
  if (name.starts_with(direction)) {
    const std::size_t second = name.find('|', direction.size());
    const std::size_t third = second == std::string::npos ? second : name.find('|', second + 1);
    if (third != std::string::npos) {
      parts.port = name.substr(direction.size(), second - direction.size());
      parts.subset = name.substr(second + 1, third - second - 1);
      parts.host = name.substr(third + 1);
      parts.of_cluster = true;
      return parts;
    }
  }
  const std::size_t colon = name.rfind(':');
  parts.host = name.substr(0, colon);
  parts.port = colon == std::string::npos ? "" : name.substr(colon + 1);
  return parts;
}

// Returns the host's names from the shortest to the full one: cart, cart.shop, ...
std::vector<std::string> names_of(const std::string& host) {
  if (!host.ends_with(domain_of_cluster)) {
    return {host};
  }
  const std::string names = host.substr(0, host.size() - domain_of_cluster.size());
  return {names.substr(0, names.find('.')), names, host};
}

}  // namespace

void shorten_names(Scenario& scenario) {
  std::map<std::string, std::set<std::string>> hosts_by_name;
  std::map<std::string, std::set<std::string>> ports;
  std::vector<NameParts> all;
  for (const Service& service : std::as_const(scenario.services)) {
    all.push_back(parts_of(service.name));
    const NameParts& parts = all.back();
    for (const std::string& name : names_of(parts.host)) {
      hosts_by_name[name].insert(parts.host);
    }
    if (!parts.port.empty()) {
      ports[parts.host].insert(parts.port);
    }
  }
  const auto shortest = [&](const std::string& host) {
    for (const std::string& name : names_of(host)) {
      if (hosts_by_name[name].size() == 1) {
        return name;
      }
    }
    return host;
  };
  for (std::size_t index = 0; index < all.size(); ++index) {
    const NameParts& parts = all[index];
    if (!parts.host.ends_with(domain_of_cluster) && !parts.of_cluster) {
      continue;
    }
    std::string name = shortest(parts.host);
    if (!parts.port.empty() && (ports[parts.host].size() > 1 || !parts.of_cluster)) {
      name += ":" + parts.port;
    }
    name += parts.subset.empty() ? "" : " " + parts.subset;
    scenario.services[index].name = std::move(name);
  }
}

}  // namespace spillway::scenario::pasted
