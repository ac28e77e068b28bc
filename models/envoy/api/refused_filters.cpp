#include "models/envoy/api/refused_filters.hpp"

#include <array>

namespace spillway::api {

std::span<const RefusedMessage> refused_in_filters() noexcept {
  return {};
}

}  // namespace spillway::api
