// The hosts that stateful sessions name.
//
//   Sessions sessions(scenario, traffic);
//   if (auto place = sessions.find(entry, client, session, now)) { host = sessions.host_in(service, *place); }
//   sessions.remember(entry, client, session, place, now + ttl);
//
// A session belongs to one client and one kind of request, for all of a route's weighted clusters. It names the address
// of a host, which each cluster looks up among its own hosts. O(1). Memory: 24 bytes per client and kind of request of
// entries whose routes keep sessions, and 4 bytes per host of two clusters that share a session.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class Traffic;  // traffic.hpp

class Sessions {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  struct Place {
    config::ServiceIndex service;  // of the host
    config::HostIndex host;
  };

  // Lifetime: both arguments must outlive this object.
  Sessions(const scenario::Scenario& scenario, const Traffic& traffic);

  // Returns the host of this cluster with the address of the place; nullopt if there is none, or if the cluster is an
  // aggregate: Envoy finds no host of an aggregate by address. O(hosts of both clusters) for the first place of another
  // cluster.
  [[nodiscard]] std::optional<config::HostIndex> host_in(config::ServiceIndex service, Place place) const;

  [[nodiscard]] std::optional<Place> find(config::ClientEntryIndex entry, std::uint32_t client, std::uint32_t session,
                                          Nanoseconds now) const noexcept {
    const Remembered& of = remembered_[position(entry, client, session)];
    return of.known && now <= of.until ? std::optional(of.place) : std::nullopt;
  }

  // Returns the number of sessions of one client that name a host now.
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
  // By pair of clusters: for each host of the first, the host of the second with its address.
  mutable std::map<std::pair<config::ServiceIndex, config::ServiceIndex>, std::vector<std::uint32_t>> same_address_;
  std::vector<std::size_t> first_;         // by client entry
  std::vector<std::uint32_t> per_client_;  // by client entry
  std::vector<Remembered> remembered_;
};

}  // namespace spillway::run
