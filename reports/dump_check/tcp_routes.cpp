#include <algorithm>
#include <fmt/format.h>

#include "models/envoy/proxy/kinds.hpp"
#include "models/istio/routes.hpp"
#include "reports/dump_check/settings.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::held {
namespace {

using documents::Node;
using proxy::find_value;
using proxy::text_at;

struct WeightedName {
  std::uint64_t weight = 0;
  std::string name = {};
};

std::vector<WeightedName> clusters_of_proxy(const Node& proxy) {
  std::vector<WeightedName> found;
  const Node* const weighted = find_value(proxy, "weighted_clusters");
  const Node* const clusters = weighted == nullptr ? nullptr : find_value(*weighted, "clusters");
  for (std::size_t i = 0; clusters != nullptr && i < clusters->items.size(); ++i) {
    const Node* const weight = find_value(clusters->items[i], "weight");
    found.push_back({weight == nullptr ? 0 : weight->magnitude, text_at(clusters->items[i], "name")});
  }
  if (clusters == nullptr) {
    found.push_back({0, text_at(proxy, "cluster")});
  }
  return found;
}

std::string words_of(const std::vector<WeightedName>& clusters, bool weighted) {
  std::string text;
  for (const WeightedName& one : clusters) {
    text += weighted ? fmt::format("{}{} {}", text.empty() ? "" : ", ", one.weight, one.name) : one.name;
  }
  return text.empty() ? "none" : text;
}

bool leads_to(const Node& proxy, const std::string& host) {
  const std::vector<WeightedName> clusters = clusters_of_proxy(proxy);
  return std::any_of(clusters.begin(), clusters.end(),
                     [&](const WeightedName& one) { return one.name.ends_with("|" + host); });
}

// Returns the TCP proxies of a listener's filter chains, in their order.
std::vector<const Node*> tcp_proxies_in(const Node& listener) {
  std::vector<const Node*> found;
  const auto add_chain = [&](const Node& chain) {
    const Node* const filters = find_value(chain, "filters");
    for (std::size_t i = 0; filters != nullptr && i < filters->items.size(); ++i) {
      const Node* const config = find_value(filters->items[i], "typed_config");
      if (config != nullptr &&
          (find_value(*config, "cluster") != nullptr || find_value(*config, "weighted_clusters") != nullptr)) {
        found.push_back(config);
      }
    }
  };
  if (const Node* const chains = find_value(listener, "filter_chains")) {
    std::for_each(chains->items.begin(), chains->items.end(), add_chain);
  }
  if (const Node* const last = find_value(listener, "default_filter_chain")) {
    add_chain(*last);
  }
  return found;
}

}  // namespace

RouteSettings settings_of(const istio::TcpProxy& proxy) {
  std::vector<WeightedName> clusters;
  for (const istio::Target& target : proxy.targets) {
    clusters.push_back({target.weight, target.cluster});
  }
  return {{"clusters", words_of(clusters, proxy.weighted)}, {"hash", proxy.source_ip_hash ? "source address" : "none"}};
}

RouteSettings settings_of_tcp_proxy(const Node& proxy) {
  const Node* const hashes = find_value(proxy, "hash_policy");
  const bool hashed = hashes != nullptr && std::any_of(hashes->items.begin(), hashes->items.end(), [](const Node& one) {
                        return find_value(one, "source_ip") != nullptr;
                      });
  return {{"clusters", words_of(clusters_of_proxy(proxy), find_value(proxy, "weighted_clusters") != nullptr)},
          {"hash", hashed ? "source address" : "none"}};
}

const Node* tcp_proxy_of(const std::vector<const Node*>& listeners, const std::string& address, std::uint32_t port,
                         const std::string& host) {
  const Node* of_all_addresses = nullptr;
  for (const Node* const listener : listeners) {
    const Node* const bound = find_value(*listener, "address");
    const Node* const socket = bound == nullptr ? nullptr : find_value(*bound, "socket_address");
    const Node* const number = socket == nullptr ? nullptr : find_value(*socket, "port_value");
    if (number == nullptr || number->magnitude != port) {
      continue;
    }
    const std::vector<const Node*> proxies = tcp_proxies_in(*listener);
    if (!address.empty() && text_at(*socket, "address") == address && !proxies.empty()) {
      return proxies.front();
    }
    const auto own =
        std::find_if(proxies.begin(), proxies.end(), [&](const Node* proxy) { return leads_to(*proxy, host); });
    if (own != proxies.end() && of_all_addresses == nullptr) {
      of_all_addresses = *own;
    }
  }
  return of_all_addresses;
}

}  // namespace spillway::reports::held
