// Signs other than counts that requests differ from the prediction: failed connections, and requests missing in a log.
#include <fmt/format.h>
#include <string>
#include <utility>

#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::compare {

std::string logged_beyond_counts(const Case& one) {
  if (one.observation.reset) {
    return "";  // the log also covers the time before the reset
  }
  std::string text;
  std::size_t hosts = 0;
  constexpr std::size_t most = 4;
  for (const auto& [address, logged] : one.logged_hosts) {
    const ObservedHost* const host = one.observation.find(address);
    std::uint64_t known = 0;
    if (host != nullptr) {
      // Requests without a connection are logged but not counted. Requests in flight at the first time end later.
      known = host->requests + host->connect_failures + (host->before ? host->before->counters.rq_active : 0);
    }
    if (logged > known && ++hosts <= most) {
      text += fmt::format("{}{} of {} where {} were counted", text.empty() ? "" : ", ", logged, address,
                          host == nullptr ? 0 : host->requests);
    }
  }
  return hosts > most ? fmt::format("{} and {} hosts more", text, hosts - most) : text;
}

std::optional<Reason> requests_beyond_log(const Tested& tested) {
  const Case& one = tested.one;
  const std::uint64_t counted = one.observation.requests();
  const std::uint64_t retried = one.retries.value_or(0);
  if (!one.logged || counted <= *one.logged + retried) {
    return std::nullopt;
  }
  // Another client's requests are the host counts minus the log's, which must not be negative.
  if (const std::string beyond = logged_beyond_counts(one); !beyond.empty()) {
    return tested.reason(ReasonKind::another_client, 0.0, false,
                         fmt::format("{} of {} requests are not in the access log, but it has more requests than hosts "
                                     "counted: {}; so it is of another time or of another proxy",
                                     counted - *one.logged - retried, counted, beyond));
  }
  std::vector<std::uint64_t> counts;
  for (const PredictedHost& host : one.hosts()) {
    const auto found = one.logged_hosts.find(host.address);
    counts.push_back(found == one.logged_hosts.end() ? 0 : found->second);
  }
  return tested.reason(
      ReasonKind::another_client, tested.ground.chance(tested.base, counts), true,
      fmt::format("{} of {} requests are not in the access log: another client sent them, or the log was "
                  "taken before Envoy had written it; those in the log were compared with the prediction for "
                  "themselves",
                  counted - *one.logged - retried, counted));
}

std::optional<Reason> picks_without_connection(
    const Tested& tested, const std::string& words,
    const std::function<bool(std::size_t position, const ObservedHost& host)>& is_meant) {
  std::vector<std::uint64_t> counts = tested.ground.counts();
  std::string text;
  for (std::size_t position = 0; position < counts.size(); ++position) {
    const ObservedHost* const host = tested.one.observation.find(tested.one.hosts()[position].address);
    if (host != nullptr && host->connect_failures > 0 && is_meant(position, *host)) {
      counts[position] += host->connect_failures;
      text += fmt::format("{}{} got no connection {} times{}", text.empty() ? "" : ", ", host->address,
                          host->connect_failures, words);
    }
  }
  if (text.empty()) {
    return std::nullopt;
  }
  return tested.reason(ReasonKind::connect_failures, tested.ground.chance(tested.base, counts), true,
                       text + ": picks that rq_total does not count");
}

std::vector<Reason> traces_beside_counts(const Tested& tested) {
  std::vector<Reason> reasons;
  const auto take = [&](std::optional<Reason> reason) {
    if (reason) {
      reasons.push_back(*std::move(reason));
    }
  };
  const auto is_dead = [&](std::size_t position, const ObservedHost& host) {
    const bool called_well = host.after && host.after->flags == envoy::HostFlags{};
    return called_well && tested.base.shares[position] > 0.0 && host.requests == 0;
  };
  take(requests_beyond_log(tested));
  take(picks_without_connection(tested, " and no request", is_dead));
  return reasons;
}

}  // namespace spillway::compare
