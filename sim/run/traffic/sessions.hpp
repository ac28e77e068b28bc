// Where users were served before: the hosts that stateful sessions name.
//
//   Sessions sessions(scenario, traffic);
//   if (auto place = sessions.find(entry, client, session, now)) { ... }
//   sessions.remember(entry, client, session, place, now + ttl);
//
// A session is a user who asks through one client with one kind of request. Constant time; memory: 24 bytes for each
// client and kind of request of entries whose routes keep sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

class Sessions {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  struct Place {
    std::uint32_t child = 0;  // as in envoy::Pick
    config::HostIndex host;
  };

  Sessions(const scenario::Scenario& scenario, const Traffic& traffic) {
    for (std::uint32_t entry = 0; entry < scenario.clients.size(); ++entry) {
      const std::uint32_t sessions = traffic.sessions(config::ClientEntryIndex{entry});
      first_.push_back(remembered_.size());
      per_client_.push_back(sessions);
      remembered_.resize(remembered_.size() + std::size_t{sessions} * scenario.clients[entry].count);
    }
  }

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
  struct Remembered {
    Place place;
    bool known = false;
    Nanoseconds until{0};
  };
  [[nodiscard]] std::size_t position(config::ClientEntryIndex entry, std::uint32_t client,
                                     std::uint32_t session) const noexcept {
    return first_[entry.value] + std::size_t{client} * per_client_[entry.value] + session;
  }

  std::vector<std::size_t> first_;         // by client entry
  std::vector<std::uint32_t> per_client_;  // by client entry
  std::vector<Remembered> remembered_;
};

}  // namespace spillway::run
