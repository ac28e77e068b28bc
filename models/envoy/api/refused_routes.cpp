#include "models/envoy/api/refused_routes.hpp"

#include <array>

namespace spillway::api {

std::span<const RefusedMessage> refused_in_routes() noexcept {
  return {};
}

}  // namespace spillway::api
