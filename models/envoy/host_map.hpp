// The hosts of all priorities of a cluster by address (Envoy's cross-priority host map).
//
//   HostMap map(hosts);
//   map.find("10.0.0.1:80");     // its position; the health does not matter
//
// An address in several priorities maps to the host of the first.
// Source: docs/behaviour/envoy-host-pick.md 13; Envoy's upstream_impl.cc (MainPrioritySetImpl).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "models/config/strong.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

class HostMap {
 public:
  HostMap() = default;
  explicit HostMap(const PrioritySet& hosts) {
    for (const HostSet& set : hosts.host_sets) {
      for (const config::HostIndex host : set.all.hosts()) {
        hosts_.try_emplace((*hosts.endpoints)[host.value].address, host);
      }
    }
  }

  // Returns the host of an address; nullopt if there is none. O(1), no allocation.
  [[nodiscard]] std::optional<config::HostIndex> find(std::string_view address) const noexcept {
    const auto found = hosts_.find(address);
    return found == hosts_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, config::HostIndex, Hash, std::equal_to<>> hosts_;
};

}  // namespace spillway::envoy
