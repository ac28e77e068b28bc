#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/cluster.hpp"
#include "sim/scenario/binding/pushes.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario::binding {
namespace {

using Membership = std::vector<std::uint8_t>;  // by HostIndex

// Follows the pushes about one service for the proxies of one zone, or of all zones. Of hosts with one address, the
// first one listed belongs to the endpoint set.
class OfOneAudience {
 public:
  OfOneAudience(const Service& service, const std::vector<std::vector<config::HostIndex>>& repeated, Audience audience)
      : repeated_(repeated), audience_(std::move(audience)), listed_(service.hosts.size(), 1) {
    for (const config::HostIndex host : service.absent_at_start) {
      listed_[host.value] = 0;
    }
    members_ = members();
  }

  [[nodiscard]] std::vector<config::HostIndex> dropped() const {
    std::vector<config::HostIndex> hosts;
    for (std::uint32_t host = 0; host < listed_.size(); ++host) {
      if (listed_[host] != members_[host]) {
        hosts.push_back({host});
      }
    }
    return hosts;
  }

  // Adds the pushes that have the same effect if each address is listed once.
  void follow(const Change& change, const EdsMembership& push, std::vector<Change>& changes) {
    if (!audience_.empty() && !reaches(push.audience, audience_.front())) {
      return;
    }
    for (const config::HostIndex host : push.hosts) {
      listed_[host.value] = push.member ? 1 : 0;
    }
    const Membership before = std::exchange(members_, members());
    for (const bool member : {true, false}) {
      EdsMembership reported{.service = push.service, .hosts = {}, .member = member, .audience = audience_};
      for (std::uint32_t host = 0; host < members_.size(); ++host) {
        if (before[host] != members_[host] && (members_[host] != 0) == member) {
          reported.hosts.push_back({host});
        }
      }
      add_push(changes, change.at, std::move(reported), change.where);
    }
  }

 private:
  [[nodiscard]] Membership members() const {
    Membership members = listed_;
    for (const std::vector<config::HostIndex>& alike : repeated_) {
      bool taken = false;
      for (const config::HostIndex host : alike) {
        members[host.value] = taken ? 0 : members[host.value];
        taken = taken || members[host.value] != 0;
      }
    }
    return members;
  }

  const std::vector<std::vector<config::HostIndex>>& repeated_;
  Audience audience_;  // one zone, or empty for all
  Membership listed_;
  Membership members_;
};

// Keeps the first host of each address, as an EDS cluster does (docs/behaviour/envoy-before-pick.md 1.1).
void keep_first(Scenario& scenario, config::ServiceIndex service,
                const std::vector<std::vector<config::HostIndex>>& repeated, Span where) {
  std::vector<OfOneAudience> proxies;
  for (Audience& audience : audiences_of(scenario, [&](const Change& change) {
         return is_about<EdsMembership>(change, service) ? &std::get<EdsMembership>(change.effect).audience : nullptr;
       })) {
    proxies.emplace_back(scenario.services[service.value], repeated, std::move(audience));
  }
  const std::vector<config::HostIndex> dropped = proxies.front().dropped();
  std::vector<Change> changes;
  for (Change& change : scenario.changes) {
    if (!is_about<EdsMembership>(change, service)) {
      changes.push_back(std::move(change));
      continue;
    }
    for (OfOneAudience& of : proxies) {
      of.follow(change, std::get<EdsMembership>(change.effect), changes);
    }
  }
  scenario.changes = std::move(changes);
  if (!dropped.empty()) {
    auto& absent = scenario.services[service.value].absent_at_start;
    absent.insert(absent.end(), dropped.begin(), dropped.end());
    // The endpoints exist nevertheless.
    scenario.changes.insert(scenario.changes.begin(), {Nanoseconds{0}, Existence{service, dropped, true}, where});
  }
}

}  // namespace

std::string type_of(const Services& so_far, std::uint32_t service) {
  for (const auto& cluster : so_far.file.clusters.value) {
    if (cluster->name && cluster->type && so_far.services.find(*cluster->name) == service) {
      return messages::Cluster::types[*cluster->type];
    }
  }
  return "EDS";
}

void keep_first_addresses(Timeline& so_far) {
  const bool documents = so_far.file.policies.present || so_far.file.resources.present;
  std::map<std::uint32_t, std::vector<std::vector<config::HostIndex>>> repeated;
  std::map<std::uint32_t, Span> first_place;
  for (const auto& [key, places] : so_far.addresses) {
    if (places.size() < 2) {
      continue;
    }
    const auto& [service, address] = key;
    const std::string type = type_of(so_far, service);
    std::vector<config::HostIndex> hosts{places.front().first};
    for (std::size_t again = 1; again < places.size(); ++again) {
      hosts.push_back(places[again].first);
      const Span where = places[again].second;
      const std::string first = "the first one is in " + place(places.front().second);
      if (documents || type == "ORIGINAL_DST") {
        so_far.problems
            .error("SP101", where, "duplicate address `{}`", "another endpoint of the service has it", {address})
            .note("{}", {first});
      } else if (type == "EDS") {
        so_far.problems
            .warning("SP231", where, "an address that is listed again",
                     "no host of its own while the endpoint before it is listed")
            .note("{}", {first})
            .note("EDS keeps an address once, where it is listed first; a cluster of type STATIC has two hosts");
      }
    }
    if (type == "EDS") {
      repeated[service].push_back(std::move(hosts));
      first_place.emplace(service, places[1].second);
    }
  }
  if (has_errors(so_far.problems)) {
    return;
  }
  for (const auto& [service, hosts] : repeated) {
    keep_first(so_far.scenario, {service}, hosts, first_place.at(service));
  }
}

}  // namespace spillway::scenario::binding
