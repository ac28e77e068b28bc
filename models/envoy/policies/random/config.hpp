// The configuration of the policy random, which has no settings.
#pragma once

namespace spillway::envoy::policies::random {

struct Config {
  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::random
