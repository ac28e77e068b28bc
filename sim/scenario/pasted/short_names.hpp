// Shortens names of services as far as they stay unique, for outputs of pasted documents: `cart` for
// cart.shop.svc.cluster.local, `cart v1` for outbound|80|v1|cart.shop.svc.cluster.local.
#pragma once

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::pasted {

// Changes names of services of the scenario. Linear in services.
void shorten_names(Scenario& scenario);

}  // namespace spillway::scenario::pasted
