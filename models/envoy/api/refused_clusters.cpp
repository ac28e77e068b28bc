#include "models/envoy/api/refused_clusters.hpp"

#include <array>

namespace spillway::api {

std::span<const RefusedMessage> refused_in_clusters() noexcept {
  return {};
}

}  // namespace spillway::api
