// An outbound listener that a client's requests use, under Kuma's documents.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::kuma {
struct OutboundListener;  // outbound_listener.hpp
}  // namespace spillway::kuma

namespace spillway::scenario {

struct OutboundInUse {
  config::ServiceIndex service = {};  // that is requested
  std::shared_ptr<const kuma::OutboundListener> listener = {};

  // The kinds of requests that enter it, by their place in the workload, and the weight of the part that does.
  struct Entering {
    std::uint32_t kind = 0;
    std::uint32_t weight = 1;
  };
  std::vector<Entering> entering = {};
  // False if a route of the scenario itself changes something, so that the listeners alone do not decide.
  bool decides = true;
};

}  // namespace spillway::scenario
