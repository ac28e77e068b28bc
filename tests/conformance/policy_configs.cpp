#include "tests/conformance/policy_configs.hpp"

#include "models/envoy/api/pick_policies.hpp"
#include "tests/conformance/messages.hpp"

namespace spillway::conformance {

namespace {

namespace policies = envoy::policies;

json hash_message(json fields) {
  fields.erase("locality_weighted");
  for (const char* const common : {"use_hostname_for_hashing", "hash_balance_factor"}) {
    if (fields.contains(common)) {
      fields["consistent_hashing_lb_config"][common] = fields.at(common);
      fields.erase(common);
    }
  }
  return fields;
}

}  // namespace

policies::ring_hash::Config read_ring_hash(const json& object) {
  return read_message<messages::Typed<policies::ring_hash::Policy>>(hash_message(object)).config;
}

policies::maglev::Config read_maglev(const json& object) {
  return read_message<messages::Typed<policies::maglev::Policy>>(hash_message(object)).config;
}

policies::subset::Config read_subset(const json& object) {
  return read_message<messages::SettingsOf<policies::subset::Policy>>(object);
}

}  // namespace spillway::conformance
