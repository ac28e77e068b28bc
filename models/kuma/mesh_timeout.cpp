#include "models/kuma/mesh_timeout.hpp"

#include <array>
#include <string>
#include <string_view>

#include "models/config/profile.hpp"
#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"
#include "models/kuma/target_ref_validation.hpp"

namespace spillway::kuma {

namespace {

void merge_http(HttpTimeouts& http, const HttpTimeouts& patch) {
  replace(http.requestTimeout, patch.requestTimeout);
  replace(http.streamIdleTimeout, patch.streamIdleTimeout);
  replace(http.maxStreamDuration, patch.maxStreamDuration);
  replace(http.maxConnectionDuration, patch.maxConnectionDuration);
  replace(http.requestHeadersTimeout, patch.requestHeadersTimeout);
}

void check_not_negative(const std::optional<std::chrono::nanoseconds>& duration, std::string path,
                        Violations& violations) {
  if (duration && duration->count() < 0) {
    violations.push_back({std::move(path), "must not be negative when defined"});
  }
}

void check_timeout_conf(const TimeoutConf& conf, const std::string& path, Violations& violations) {
  if (conf == TimeoutConf{}) {
    violations.push_back({path, "at least one timeout should be configured"});
    return;
  }
  check_positive(conf.connectionTimeout, path + ".connectionTimeout", violations);
  check_not_negative(conf.idleTimeout, path + ".idleTimeout", violations);
  if (!conf.http) {
    return;
  }
  const HttpTimeouts& http = *conf.http;
  const std::string section = path + ".http";
  // At least one timeout other than requestHeadersTimeout is required.
  if (!http.requestTimeout && !http.streamIdleTimeout && !http.maxStreamDuration && !http.maxConnectionDuration) {
    violations.push_back({section, "at least one timeout in this section should be configured"});
  }
  check_not_negative(http.requestTimeout, section + ".requestTimeout", violations);
  check_not_negative(http.streamIdleTimeout, section + ".streamIdleTimeout", violations);
  check_not_negative(http.maxStreamDuration, section + ".maxStreamDuration", violations);
  check_not_negative(http.maxConnectionDuration, section + ".maxConnectionDuration", violations);
  check_not_negative(http.requestHeadersTimeout, section + ".requestHeadersTimeout", violations);
}

}  // namespace

void merge_patch(TimeoutConf& conf, const TimeoutConf& patch) {
  replace(conf.connectionTimeout, patch.connectionTimeout);
  replace(conf.idleTimeout, patch.idleTimeout);
  merge(conf.http, patch.http, merge_http);
}

std::vector<Violation> validate(const MeshTimeout& policy, const InboundTimeouts& inbound,
                                config::KumaProfile profile) {
  constexpr std::array<std::string_view, 1> from_kinds = {"Mesh"};
  const bool head = profile == config::KumaProfile::head;
  const bool to = policy.to && !policy.to->empty();
  const bool from = !head && !inbound.from.empty();
  const bool rules = !inbound.rules.empty();
  const TargetKinds kinds{.profile = profile, .inbound = rules || from, .names_routes = true};
  Violations violations;
  check_top_target(policy.targetRef, kinds, violations);
  if (rules && (to || from)) {
    violations.push_back({"spec", head ? "fields 'to' must be empty when 'rules' is defined"
                                       : "fields 'to' and 'from' must be empty when 'rules' is defined"});
  }
  if (!to && !from && !rules) {
    violations.push_back({"spec", head ? "at least one of 'to' or 'rules' has to be defined"
                                       : "at least one of 'from', 'to' or 'rules' has to be defined"});
  }
  for (std::size_t index = 0; index < inbound.rules.size(); ++index) {
    check_timeout_conf(inbound.rules[index].default_, at("spec", "rules", index) + ".default", violations);
  }
  for (std::size_t index = 0; from && index < inbound.from.size(); ++index) {
    const std::string path = at("spec", "from", index);
    validate_target_ref(inbound.from[index].targetRef.value_or(TargetRef{}), path + ".targetRef",
                        {.supported_kinds = from_kinds, .profile = profile}, violations);
    check_timeout_conf(inbound.from[index].default_, path + ".default", violations);
  }
  check_to_items(policy, kinds, violations, check_timeout_conf);
  return violations;
}

}  // namespace spillway::kuma
