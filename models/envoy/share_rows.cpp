#include "models/envoy/share_rows.hpp"

#include <algorithm>
#include <variant>

namespace spillway::envoy {

namespace {

// Each assumption once, however many balancers make it.
void add_basis(std::string& all, std::string_view basis) {
  if (!basis.empty() && all.find(basis) == std::string::npos) {
    all.append(all.empty() ? "" : "; ").append(basis);
  }
}

bool all_alike(std::span<const config::HostIndex> hosts, const Circumstances& circumstances) {
  const auto alike = circumstances.alike;
  return !alike.empty() && std::all_of(hosts.begin(), hosts.end(), [&](config::HostIndex host) {
    return alike[host.value] == alike[hosts.front().value];
  });
}

}  // namespace

void ShareRows::assume(std::string_view basis) {
  add_basis(assumed_.basis, basis);
}

void ShareRows::join(std::span<const config::HostIndex> hosts, Availability availability, When when,
                     std::string_view why) {
  if (hosts.empty()) {
    return;
  }
  if (when == When::always) {
    add_basis(assumed_.why_joint, why);
  }
  for (std::size_t partition = static_cast<std::size_t>(when); partition < joint_.size(); ++partition) {
    Joint& joint = joint_[partition];
    if (joint.in_one.empty()) {
      joint.in_one.resize(shares_.size(), 0);
      joint.sets = numeric::DisjointSets(static_cast<std::uint32_t>(joint.in_one.size()));
    }
    const std::uint32_t first = place(hosts.front(), availability);
    for (const config::HostIndex host : hosts) {
      const std::uint32_t own = place(host, availability);
      joint.in_one[own] = 1;
      joint.sets.join(first, own);
    }
  }
}

std::uint32_t ShareRows::number_of(Joint& joint, std::uint32_t place, std::uint32_t first) {
  return !joint.in_one.empty() && joint.in_one[place] != 0 ? first + joint.sets.find(place) + 1 : 0;
}

void ShareRows::append_to(ExactShares& result, const Hosts& hosts, std::uint32_t child) {
  add_basis(result.basis, assumed_.basis);
  add_basis(result.why_joint, assumed_.why_joint);
  std::uint32_t first = 0;
  for (const HostShare& row : result.hosts) {
    first = std::max({first, row.joint, row.joint_if_carried});
  }
  result.hosts.reserve(result.hosts.size() + hosts.size());
  for (std::uint32_t own = 0; own < shares_.size(); ++own) {
    const std::uint32_t joint = number_of(joint_[0], own, first);
    if (shares_[own] > 0.0 || joint != 0) {
      const std::uint32_t host = own / lists;
      result.hosts.push_back({config::HostIndex{host}, hosts[host].priority, static_cast<Availability>(own % lists),
                              child, shares_[own], joint, number_of(joint_[1], own, first)});
    }
  }
}

void join_list(ShareRows& rows, const ClusterState& state, const RequestClass& requests,
               const policies::ShareInput& input, Availability availability) {
  const auto hosts = input.sources.hosts(input.source);
  if (hosts.size() < 2) {
    return;
  }
  const Circumstances& circumstances = requests.circumstances;
  std::visit(
      [&](const auto& config) {
        using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
        const auto join = [&](std::string_view why, ShareRows::When when = ShareRows::When::always) {
          rows.join(hosts, availability, when, why);
        };
        if constexpr (requires { config.slow_start_config; }) {
          if (circumstances.slow_start && circumstances.slow_start_factors.empty() &&
              config.slow_start_config.slow_start_window.count() > 0) {
            join("hosts in slow start");
          }
        }
        if constexpr (requires { Policy::follows_load_reports; }) {
          if (circumstances.load_reports) {
            join("weights follow what hosts report of their load");
          }
        }
        if constexpr (requires { Policy::memory(config, input, true); }) {
          switch (Policy::memory(config, input, circumstances.loaded)) {
            case policies::Memory::none:
              break;
            case policies::Memory::runs:
              join("each host is used several times in a row");
              break;
            case policies::Memory::cursor:
              join("retries move the turn of the schedule",
                   circumstances.retries ? ShareRows::When::always : ShareRows::When::if_carried);
              break;
            case policies::Memory::in_flight:
              if (input.sources.weighted(input.source) || !all_alike(hosts, circumstances)) {
                join("picks depend on the requests in flight");
              }
          }
        }
      },
      state.lb_policy);
}

}  // namespace spillway::envoy
