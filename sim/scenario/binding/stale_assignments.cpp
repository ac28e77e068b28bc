// Load assignments that go stale: an EDS cluster that gets no new one for endpoint_stale_after loses all of its
// endpoints, and gets those of the next one. Every change that EDS reports is a new load assignment here. Source:
// Envoy's eds.cc (onConfigUpdate, onAssignmentTimeout), tried on Envoy 1.40.
#include <algorithm>
#include <optional>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/binding/pushes.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario::binding {
namespace {

// Returns the audience of a change that EDS reports about this service; null for other changes.
const Audience* audience_of(const Change& change, config::ServiceIndex service) {
  return std::visit(
      [&](const auto& effect) -> const Audience* {
        if constexpr (is_reported<std::decay_t<decltype(effect)>>) {
          return effect.service == service ? &effect.audience : nullptr;
        } else {
          return nullptr;
        }
      },
      change.effect);
}

// Removes the service's endpoints after `after` without a change, and restores them with the next one.
class Expiry {
 public:
  Expiry(const Scenario& scenario, config::ServiceIndex service, Nanoseconds after, Span where)
      : scenario_(scenario), service_(service), after_(after), where_(where) {}

  std::vector<Change> changes_for(const Audience& audience) {
    changes_.clear();
    const std::optional<config::ZoneIndex> zone = audience.empty() ? std::nullopt : std::optional(audience.front());
    EdsState reported(scenario_, zone);
    Nanoseconds last{0};
    for (std::size_t next = 0; next < scenario_.changes.size();) {
      const Nanoseconds at = scenario_.changes[next].at;
      const bool stale = last + after_ < at;
      const std::vector<config::HostIndex> before = members(reported);
      const bool pushed = apply_all_at(at, audience, reported, next);
      if (pushed && stale) {
        tell(last + after_, before, false, audience);
        tell(at, members(reported), true, audience);
      }
      last = pushed ? at : last;
    }
    if (last + after_ < scenario_.duration) {
      tell(last + after_, members(reported), false, audience);
    }
    return changes_;
  }

 private:
  // Applies the reports about the service at `at`. True if there are any; `next` becomes the first later change.
  bool apply_all_at(Nanoseconds at, const Audience& audience, EdsState& reported, std::size_t& next) const {
    bool pushed = false;
    for (; next < scenario_.changes.size() && scenario_.changes[next].at == at; ++next) {
      const Change& change = scenario_.changes[next];
      if (const Audience* const of = audience_of(change, service_);
          of != nullptr && (audience.empty() || reaches(*of, audience.front()))) {
        pushed = true;
        std::visit(
            [&](const auto& effect) {
              if constexpr (is_reported<std::decay_t<decltype(effect)>>) {
                reported.apply(effect);
              }
            },
            change.effect);
      }
    }
    return pushed;
  }

  [[nodiscard]] std::vector<config::HostIndex> members(const EdsState& reported) const {
    std::vector<config::HostIndex> hosts;
    const std::vector<std::uint8_t>& absent = reported.of(service_).absent;
    for (std::uint32_t host = 0; host < absent.size(); ++host) {
      if (absent[host] == 0) {
        hosts.push_back(config::HostIndex{host});
      }
    }
    return hosts;
  }

  void tell(Nanoseconds at, std::vector<config::HostIndex> hosts, bool member, const Audience& audience) {
    add_push(changes_, at, EdsMembership{service_, std::move(hosts), member, audience}, where_);
  }

  const Scenario& scenario_;
  config::ServiceIndex service_;
  Nanoseconds after_;
  Span where_;
  std::vector<Change> changes_;
};

// True if the setting has an effect: Envoy reads it in EDS clusters, which is the default type in a scenario.
bool takes_effect(const Services& so_far, std::uint32_t service, Span where) {
  const std::string type = type_of(so_far, service);
  if (type != "EDS") {
    so_far.problems
        .warning("SP216", where, "`endpoint_stale_after` without effect", "the cluster is of type {}", {type})
        .note("Envoy reads it only in clusters of type EDS");
  }
  return type == "EDS";
}

}  // namespace

void read_stale_assignments(Timeline& so_far) {
  std::vector<Change> changes;
  for (const auto& assignment : so_far.file.load_assignments.value) {
    const auto& stale = assignment->policy->endpoint_stale_after;
    const Span where = assignment->policy->source.place_of("endpoint_stale_after").value_or(Span{});
    const auto service = assignment->cluster_name ? so_far.services.find(*assignment->cluster_name) : std::nullopt;
    if (!stale || !service || !takes_effect(so_far, *service, where)) {
      continue;
    }
    Expiry expiry(so_far.scenario, {*service}, *stale, where);
    for (const Audience& audience :
         audiences_of(so_far.scenario, [&](const Change& change) { return audience_of(change, {*service}); })) {
      const std::vector<Change> more = expiry.changes_for(audience);
      changes.insert(changes.end(), more.begin(), more.end());
    }
  }
  add_changes(so_far.scenario, changes);
}

}  // namespace spillway::scenario::binding
