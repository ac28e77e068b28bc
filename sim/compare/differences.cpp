#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "sim/compare/case.hpp"
#include "sim/compare/compare.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::compare {
namespace {

using config::HealthStatus;

// Returns the health from EDS or the configuration only, without what the proxy detected.
std::string_view eds_health(const observed::Host& host) {
  if (host.flags.has(envoy::HostFlag::eds_status_draining)) {
    return "draining";
  }
  if (host.flags.has(envoy::HostFlag::failed_eds_health)) {
    return "unhealthy";
  }
  return host.flags.has(envoy::HostFlag::degraded_eds_health) ? "degraded" : "healthy";
}

std::string_view eds_health(HealthStatus status) {
  switch (status) {
    case HealthStatus::unhealthy:
    case HealthStatus::timeout:
      return "unhealthy";
    case HealthStatus::draining:
      return "draining";
    case HealthStatus::degraded:
      return "degraded";
    case HealthStatus::unknown:
    case HealthStatus::healthy:
      break;
  }
  return "healthy";
}

std::string locality_text(const config::Locality& locality) {
  std::string text = zone_name(locality);
  text += locality.sub_zone.empty() ? "" : "/" + locality.sub_zone;
  return text.empty() ? "none" : text;
}

class Differences {
 public:
  explicit Differences(const Case& one) : case_(&one) {}

  std::vector<Difference> find() {
    std::set<std::string> configured;
    for (const PredictedHost& host : case_->configured) {
      if (configured.insert(host.address).second && case_->observation.held) {
        compare(host);
      }
    }
    for (const ObservedHost& host : case_->observation.hosts) {
      const auto& last = host.after ? host.after : host.before;
      // Without /clusters, hosts with requests are also members.
      if (!last && host.requests > 0 && !configured.contains(host.address)) {
        found_.push_back({host.address, "member", "no", "yes"});
      }
      // A host that is being removed agrees with the configuration.
      if (host.after && !configured.contains(host.address) &&
          !host.after->flags.has(envoy::HostFlag::pending_dynamic_removal)) {
        found_.push_back({host.address, "member", "no", "yes"});
      }
    }
    return std::move(found_);
  }

 private:
  void compare(const PredictedHost& host) {
    const ObservedHost* const seen = case_->observation.find(host.address);
    if (seen == nullptr || (!seen->before && !seen->after)) {
      found_.push_back({host.address, "member", "yes", "no"});
      return;
    }
    add(*seen, host.address, "weight", std::to_string(host.weight),
        [](const observed::Host& held) { return std::to_string(held.weight); });
    add(*seen, host.address, "priority", std::to_string(host.priority.value),
        [](const observed::Host& held) { return std::to_string(held.priority.value); });
    add(*seen, host.address, "locality", locality_text(host.locality),
        [](const observed::Host& held) { return locality_text(held.locality); });
    // Health changes over time: a status that EDS reported at one of the times is not a different configuration.
    const std::string health(eds_health(host.status));
    const auto held = [](const observed::Host& one) { return std::string(eds_health(one)); };
    if ((!seen->before || held(*seen->before) != health) && (!seen->after || held(*seen->after) != health)) {
      add(*seen, host.address, "EDS health", health, held);
    }
  }

  template <class Held>
  void add(const ObservedHost& seen, const std::string& address, const char* what, std::string configured, Held held) {
    const std::optional<std::string> before = seen.before ? std::optional(held(*seen.before)) : std::nullopt;
    const std::optional<std::string> after = seen.after ? std::optional(held(*seen.after)) : std::nullopt;
    if (before.value_or(configured) == configured && after.value_or(configured) == configured) {
      return;
    }
    std::string both = before && after && *before != *after ? fmt::format("{}, then {}", *before, *after)
                                                            : after.value_or(before.value_or(""));
    found_.push_back({address, what, std::move(configured), std::move(both)});
  }

  const Case* case_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences_of(const Case& one) {
  return Differences(one).find();
}

}  // namespace spillway::compare
