#include "sim/scenario/last_of_moment.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {
namespace {

config::HostIndex host_of_push(config::HostIndex host) {
  return host;
}
template <class Told>
config::HostIndex host_of_push(const std::pair<config::HostIndex, Told>& told) {
  return told.first;
}

// The zones that a change reaches; empty: all.
template <class Change>
std::vector<config::ZoneIndex> audience_of(const Change& change) {
  if constexpr (requires { change.audience; }) {
    return change.audience;
  } else {
    return {};
  }
}

// Changes that replace earlier ones of their kind. Outages do not: an endpoint that stops and starts again has lost its
// connections.
template <class Effect>
constexpr bool replaces =
    std::is_same_v<Effect, EdsHealth> || std::is_same_v<Effect, EdsMembership> || std::is_same_v<Effect, EdsWeights> ||
    std::is_same_v<Effect, EdsPriority> || std::is_same_v<Effect, Fails> || std::is_same_v<Effect, AnswersChecks> ||
    std::is_same_v<Effect, Slow>;

// The hosts of later pushes of one kind at one time.
class LaterPushes {
 public:
  // Starts another, earlier time.
  void begin() {
    ++moment_;
    to_some_.clear();
  }

  // True if a later push about the host reaches every zone that this one reaches.
  [[nodiscard]] bool has(config::ServiceIndex service, config::HostIndex host,
                         const std::vector<config::ZoneIndex>& audience) const {
    const auto found = to_all_.find(service);
    const bool to_all =
        found != to_all_.end() && host.value < found->second.size() && found->second[host.value] == moment_;
    return to_all || (!audience.empty() && to_some_.contains({service, host, audience}));
  }

  void add(config::ServiceIndex service, config::HostIndex host, const std::vector<config::ZoneIndex>& audience,
           std::size_t hosts) {
    if (audience.empty()) {
      std::vector<std::uint32_t>& moments = to_all_[service];
      moments.resize(std::max<std::size_t>(hosts, host.value + std::size_t{1}), 0);
      moments[host.value] = moment_;
    } else {
      to_some_.emplace(service, host, audience);
    }
  }

 private:
  std::uint32_t moment_ = 0;
  std::map<config::ServiceIndex, std::vector<std::uint32_t>> to_all_;  // by host: the time of the latest push
  std::set<std::tuple<config::ServiceIndex, config::HostIndex, std::vector<config::ZoneIndex>>> to_some_;
};

}  // namespace

std::map<std::size_t, Effect> last_of_moment(const Scenario& scenario) {
  std::array<LaterPushes, std::variant_size_v<Effect>> later_of_kind;
  std::map<std::size_t, Effect> left;
  const std::vector<Change>& changes = scenario.changes;
  for (std::size_t position = changes.size(); position-- > 0;) {
    const bool begins = position + 1 == changes.size() || changes[position].at != changes[position + 1].at;
    if (begins && (position == 0 || changes[position].at != changes[position - 1].at)) {
      continue;
    }
    if (begins) {
      for (LaterPushes& later : later_of_kind) {
        later.begin();
      }
    }
    LaterPushes& later = later_of_kind[changes[position].effect.index()];
    std::visit(
        [&](const auto& change) {
          if constexpr (replaces<std::decay_t<decltype(change)>>) {
            const std::vector<config::ZoneIndex> audience = audience_of(change);
            const auto told_later = [&](const auto& host) {
              return later.has(change.service, host_of_push(host), audience);
            };
            if (std::any_of(change.hosts.begin(), change.hosts.end(), told_later)) {
              auto less = change;
              std::erase_if(less.hosts, told_later);
              left.emplace(position, std::move(less));
            }
            for (const auto& host : change.hosts) {
              later.add(change.service, host_of_push(host), audience,
                        scenario.services[change.service.value].hosts.size());
            }
          }
        },
        changes[position].effect);
  }
  return left;
}

bool is_replaced(const std::map<std::size_t, Effect>& left, std::size_t position) {
  const auto found = left.find(position);
  return found != left.end() && std::visit(
                                    [](const auto& change) {
                                      if constexpr (requires { change.localities; }) {
                                        return change.hosts.empty() && change.localities.empty();
                                      } else if constexpr (requires { change.hosts; }) {
                                        return change.hosts.empty();
                                      } else {
                                        return false;
                                      }
                                    },
                                    found->second);
}

}  // namespace spillway::scenario
