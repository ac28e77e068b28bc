// Original destination (cluster type ORIGINAL_DST, policy CLUSTER_PROVIDED): a request itself contains its destination,
// and the host is created on first use.
//
//   const auto address = destination(config, {.request = &request});     // "10.0.0.1:80"
//   OnDemandHosts hosts;
//   hosts.pick(*address);      // 0, and it is new
//   hosts.sweep();             // every cleanup_interval: removes hosts that were not used since the last one
//
// Its interface differs from other policies, because there is no list of hosts to balance over. Source:
// docs/behaviour/envoy-host-pick.md 14; Envoy's clusters/original_dst.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/metadata.hpp"
#include "models/envoy/policies/original_dst/config.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::policies::original_dst {

// The possible sources of an address, in order of precedence; the first "ip:port" among them is used.
struct Sources {
  std::optional<std::string> request_filter_state =
      std::nullopt;  // envoy.network.transport_socket.original_dst_address
  std::optional<std::string> connection_filter_state = std::nullopt;
  const config::Value* request_metadata = nullptr;  // at metadata_key: a string, or the first element of a list
  const config::Value* connection_metadata = nullptr;
  const routes::Request* request = nullptr;                          // its header is used
  std::optional<std::string> restored_local_address = std::nullopt;  // of a redirected connection
};

struct Destination {
  std::optional<std::string> address = std::nullopt;  // nullopt: the request finds no host
  std::uint32_t original_dst_host_invalid = 0;        // number of ignored texts that are not addresses
};

[[nodiscard]] Destination destination(const Config& config, const Sources& sources);

// The hosts that requests have created so far. Their numbers are never reused.
class OnDemandHosts {
 public:
  struct Picked {
    std::uint32_t host = 0;
    bool created = false;
  };
  // Returns the host of an address, creating it if necessary. O(log hosts). Allocates only for a new host.
  Picked pick(std::string_view address);

  // Removes the hosts that were neither created nor picked since the last sweep. Returns their addresses in byte order.
  // Assumes that they have no connections.
  std::vector<std::string> sweep();

  [[nodiscard]] std::size_t size() const noexcept { return hosts_.size(); }

 private:
  struct Entry {
    std::uint32_t host = 0;
    bool used = true;
  };
  std::map<std::string, Entry, std::less<>> hosts_;  // by address
  std::uint32_t next_ = 0;
};

}  // namespace spillway::envoy::policies::original_dst
