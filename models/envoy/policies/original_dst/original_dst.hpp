// Original destination (cluster type ORIGINAL_DST, policy CLUSTER_PROVIDED): a request says itself where it goes, and
// its host is made when it is first needed.
//
//   const auto address = destination(config, {.request = &request});     // "10.0.0.1:80"
//   OnDemandHosts hosts;
//   hosts.pick(*address);      // 0, and it is new
//   hosts.sweep();             // every cleanup_interval: removes hosts that were not used since the last one
//
// This has a face of its own, since there is no list of hosts to balance over. Source:
// docs/behaviour/envoy-host-pick.md 14; Envoy's clusters/original_dst.
#pragma once

#include <chrono>
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

// Where an address may come from, in the order in which it is looked for; the first that is an "ip:port" is taken.
struct Sources {
  std::optional<std::string> request_filter_state =
      std::nullopt;  // envoy.network.transport_socket.original_dst_address
  std::optional<std::string> connection_filter_state = std::nullopt;
  const config::Value* request_metadata = nullptr;  // at metadata_key: a string, or the first element of a list
  const config::Value* connection_metadata = nullptr;
  const routes::Request* request = nullptr;                          // for its header
  std::optional<std::string> restored_local_address = std::nullopt;  // of a connection that was redirected
};

struct Destination {
  std::optional<std::string> address = std::nullopt;  // none: the request finds no host
  std::uint32_t original_dst_host_invalid = 0;        // how many texts were ignored, since they are no addresses
};

[[nodiscard]] Destination destination(const Config& config, const Sources& sources);

// The hosts that requests have made so far. Numbers are not used again.
class OnDemandHosts {
 public:
  struct Picked {
    std::uint32_t host = 0;
    bool created = false;
  };
  // O(log hosts); a new host allocates.
  Picked pick(std::string_view address);

  // Removes the hosts that were not picked since the last sweep or since they were made, and returns their
  // addresses in byte order. Connection pools are taken as empty.
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
