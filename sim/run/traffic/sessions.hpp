// Where users were served before: the hosts that stateful sessions name.
//
//   Sessions sessions(scenario, traffic);
//   if (auto place = sessions.find(entry, client, session, now)) { host = sessions.host_in(service, *place); }
//   sessions.remember(entry, client, session, place, now + ttl);
//
// A session is a user who asks through one client with one kind of request, whichever of a route's weighted clusters
// its requests go to: it names the address of a host, which each cluster looks for among its own. Constant time;
// memory: 24 bytes for each client and kind of request of entries whose routes keep sessions, and 4 bytes for each host
// of two clusters between which a session goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

class Traffic;  // traffic.hpp

class Sessions {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  struct Place {
    config::ServiceIndex service;  // whose host it is
    config::HostIndex host;
  };

  // Both must outlive this.
  Sessions(const scenario::Scenario& scenario, const Traffic& traffic);

  // The host of this cluster that has the address of the place; none: there is none, or the cluster is an aggregate,
  // of which Envoy knows no host by its address. Linear in both clusters' hosts for the first place of another one.
  [[nodiscard]] std::optional<config::HostIndex> host_in(config::ServiceIndex service, Place place) const;

  [[nodiscard]] std::optional<Place> find(config::ClientEntryIndex entry, std::uint32_t client, std::uint32_t session,
                                          Nanoseconds now) const noexcept {
    const Remembered& of = remembered_[position(entry, client, session)];
    return of.known && now <= of.until ? std::optional(of.place) : std::nullopt;
  }

  // Those of one client that lead to a host now.
  [[nodiscard]] std::uint64_t count(config::ClientEntryIndex entry, std::uint32_t client, Nanoseconds now) const {
    std::uint64_t known = 0;
    for (std::uint32_t session = 0; session < per_client_[entry.value]; ++session) {
      known += find(entry, client, session, now) ? 1 : 0;
    }
    return known;
  }

  void remember(config::ClientEntryIndex entry, std::uint32_t client, std::uint32_t session, Place place,
                Nanoseconds until) noexcept {
    remembered_[position(entry, client, session)] = {place, true, until};
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Remembered {
    Place place;
    bool known = false;
    Nanoseconds until{0};
  };
  [[nodiscard]] std::size_t position(config::ClientEntryIndex entry, std::uint32_t client,
                                     std::uint32_t session) const noexcept {
    return first_[entry.value] + std::size_t{client} * per_client_[entry.value] + session;
  }

  const scenario::Scenario* scenario_;
  // By two clusters: for each host of the first, which one of the second has its address.
  mutable std::map<std::pair<config::ServiceIndex, config::ServiceIndex>, std::vector<std::uint32_t>> same_address_;
  std::vector<std::size_t> first_;         // by client entry
  std::vector<std::uint32_t> per_client_;  // by client entry
  std::vector<Remembered> remembered_;
};

}  // namespace spillway::run
