#include "models/kuma/cla_cache.hpp"

#include <vector>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/failover_groups.hpp"
#include "models/kuma/overprovisioning_factor.hpp"

namespace spillway::kuma {

namespace {

// A key of texts with their lengths in front, so that different lists of texts give different keys.
class Key {
 public:
  void add(std::string_view text) {
    text_ += std::to_string(text.size()) + ":";
    text_ += text;
  }
  void add(std::uint64_t number) { add(std::to_string(number)); }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

void add_awareness(const AssignInput& input, const Conf& conf, Key& key) {
  const bool rewrites = rewrites_endpoints(conf, input.profile);
  const bool disabled = conf.localityAwareness && conf.localityAwareness->disabled.value_or(false);
  key.add(rewrites ? "rewrites" : disabled ? "disabled" : "behind");
  if (!rewrites) {
    return;
  }
  key.add(overprovisioning_factor(conf, input.profile));
  for (const AffinityGroup& group : affinity_groups(conf, *input.client, input.profile)) {
    key.add(group.entry);
    key.add(group.key);
    key.add(group.value);
    key.add(group.weight);
  }
  key.add("failover");
  for (const FailoverGroup& group : failover_groups(conf, input.client->zone, input.profile)) {
    key.add(group.rule);
    key.add(static_cast<std::uint64_t>(group.type));
    key.add(group.priority);
    key.add(group.zones.size());
    for (const std::string& zone : group.zones) {
      key.add(zone);
    }
  }
}

}  // namespace

std::string cla_key(std::uint64_t endpoints_version, const AssignInput& input) {
  Key key;
  key.add(endpoints_version);
  key.add(static_cast<std::uint64_t>(input.profile));
  key.add(static_cast<std::uint64_t>(input.destination));
  key.add(static_cast<std::uint64_t>(input.client->role));
  key.add(input.client->zone);
  key.add(input.zone_egress_enabled ? "egress" : "");
  // Only for a value of kuma.io/service does the absence of a conf differ from an empty conf.
  const bool concerned = input.conf || input.destination != DestinationModel::tag;
  key.add(concerned ? "conf" : "");
  if (concerned) {
    add_awareness(input, input.conf.value_or(Conf{}), key);
  }
  return std::move(key).take();
}

std::shared_ptr<const LoadAssignment> ClaCache::get(std::uint64_t endpoints_version, const AssignInput& input) {
  std::string key = cla_key(endpoints_version, input);
  if (const auto found = entries_.find(key); found != entries_.end()) {
    ++hits_;
    return found->second;
  }
  ++misses_;
  return entries_.emplace(std::move(key), std::make_shared<const LoadAssignment>(assign(input))).first->second;
}

void assign_in_place(LoadAssignment& shared, const AssignInput& input) {
  std::vector<Endpoint> left;
  std::vector<std::size_t> positions;
  for (const AssignedLocality& locality : shared.localities) {
    for (const AssignedEndpoint& assigned : locality.endpoints) {
      Endpoint endpoint = input.endpoints[assigned.endpoint];
      endpoint.locality.reset();
      if (locality.has_locality) {
        endpoint.locality = {locality.zone, locality.sub_zone, locality.priority, locality.weight.value_or(0)};
      }
      left.push_back(std::move(endpoint));
      positions.push_back(assigned.endpoint);
    }
  }
  AssignInput edited = input;
  edited.endpoints = left;
  LoadAssignment result = assign(edited);
  for (AssignedLocality& locality : result.localities) {
    for (AssignedEndpoint& endpoint : locality.endpoints) {
      endpoint.endpoint = positions[endpoint.endpoint];
    }
  }
  shared.localities = std::move(result.localities);
  for (AssignedEndpoint endpoint : result.dropped) {
    endpoint.endpoint = positions[endpoint.endpoint];
    shared.dropped.push_back(endpoint);
  }
  if (result.overprovisioning_factor) {
    shared.overprovisioning_factor = result.overprovisioning_factor;
  }
}

}  // namespace spillway::kuma
