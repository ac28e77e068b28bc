// An outbound listener that a client's requests use, under Kuma's documents.
#pragma once

#include <memory>

#include "models/config/strong.hpp"

namespace spillway::kuma {
struct OutboundListener;  // outbound_listener.hpp
}  // namespace spillway::kuma

namespace spillway::scenario {

struct OutboundInUse {
  config::ServiceIndex service = {};  // that is requested
  std::shared_ptr<const kuma::OutboundListener> listener = {};
};

}  // namespace spillway::scenario
