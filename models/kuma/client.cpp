#include "models/kuma/client.hpp"

namespace spillway::kuma {

namespace {

void take_smaller(std::optional<std::string>& value, const Tags& tags, const std::string& key) {
  const auto found = tags.find(key);
  if (found != tags.end() && (!value || found->second < *value)) {
    value = found->second;
  }
}

}  // namespace

std::optional<std::string> affinity_value(const Client& client, std::string_view key, config::KumaProfile profile) {
  const std::string wanted(key);
  std::optional<std::string> value;
  if (profile != config::KumaProfile::head) {
    for (const Tags& inbound : client.inbounds) {
      take_smaller(value, inbound, wanted);
    }
  }
  take_smaller(value, client.gateway_tags, wanted);
  if (!value) {
    take_smaller(value, client.labels, wanted);
  }
  return value;
}

}  // namespace spillway::kuma
