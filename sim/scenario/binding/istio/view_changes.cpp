// Applies EDS reports of services to their views.
#include <algorithm>
#include <utility>
#include <variant>

#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/views.hpp"
#include "sim/scenario/binding/pushes.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::istio_binding {

std::vector<const MadeView*> Views::views_of(config::ServiceIndex service) const {
  std::vector<const MadeView*> found;
  for (const MadeView& view : views_) {
    if (view.of == service) {
      found.push_back(&view);
    }
  }
  return found;
}

template <class Push>
void Views::add_sorted(const Change& change, Push push) {
  std::sort(push.hosts.begin(), push.hosts.end());
  binding::add_push(changes_, change.at, std::move(push), change.where);
}

// Applies a health report. If istiod leaves unready endpoints out, becoming unhealthy means leaving, and an endpoint
// that joins unready is absent until it is ready.
void Views::follow(const Change& change, const EdsHealth& reported) {
  for (const MadeView* const view : views_of(reported.service)) {
    EdsHealth health{.service = view->service, .hosts = {}, .audience = reported.audience};
    EdsMembership joined{.service = view->service, .hosts = {}, .member = true, .audience = reported.audience};
    EdsMembership left{.service = view->service, .hosts = {}, .member = false, .audience = reported.audience};
    for (const auto& [host, status] : reported.hosts) {
      const auto [begin, end] = view->hosts->equal_range(endpoint_index(*scenario_, reported.service, host));
      for (auto at = begin; at != end; ++at) {
        const ViewHost of{view->service, at->second};
        if (view->sends_unhealthy) {
          health.hosts.emplace_back(at->second, status);
        } else if (status == config::HealthStatus::unhealthy) {
          unready_.insert(of);
          left.hosts.push_back(at->second);
        } else {
          unready_.erase(of);
          if (!removed_.contains(of)) {
            joined.hosts.push_back(at->second);
          }
        }
      }
    }
    add_sorted(change, std::move(health));
    add_sorted(change, std::move(joined));
    add_sorted(change, std::move(left));
  }
}

void Views::follow(const Change& change, const EdsMembership& reported) {
  for (const MadeView* const view : views_of(reported.service)) {
    EdsMembership push{.service = view->service, .hosts = {}, .member = reported.member, .audience = reported.audience};
    for (const config::HostIndex host : reported.hosts) {
      const auto [begin, end] = view->hosts->equal_range(endpoint_index(*scenario_, reported.service, host));
      for (auto at = begin; at != end; ++at) {
        const ViewHost of{view->service, at->second};
        if (reported.member) {
          removed_.erase(of);
        } else {
          removed_.insert(of);
        }
        if (!reported.member || !unready_.contains(of)) {
          push.hosts.push_back(at->second);
        }
      }
    }
    add_sorted(change, std::move(push));
  }
}

void Views::follow_changes() {
  for (const Change& change : std::exchange(scenario_->changes, {})) {
    changes_.push_back(change);
    std::visit([&](const auto& effect) { follow(change, effect); }, change.effect);
  }
  scenario_->changes = std::exchange(changes_, {});
}

}  // namespace spillway::scenario::istio_binding
