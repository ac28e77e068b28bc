#include "models/envoy/share_rows.hpp"

#include <algorithm>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/registry.hpp"

namespace spillway::envoy {

namespace {

// Adds an assumption unless `all` already contains it.
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
  if (when == When::if_carried && !if_carried_) {
    if_carried_ = joint_;
  }
  if (when == When::always) {
    join(joint_, hosts, availability);
  }
  if (if_carried_) {
    join(*if_carried_, hosts, availability);
  }
}

void ShareRows::join(Joint& joint, std::span<const config::HostIndex> hosts, Availability availability) const {
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

void ShareRows::append_to(ExactShares& result, const Hosts& hosts, std::uint32_t child) {
  add_basis(result.basis, assumed_.basis);
  add_basis(result.why_joint, assumed_.why_joint);
  std::uint32_t first = 0;
  for (const HostShare& row : result.hosts) {
    first = std::max({first, row.joint, row.joint_if_carried});
  }
  result.hosts.reserve(result.hosts.size() + hosts.size());
  const auto count = static_cast<std::uint32_t>(hosts.size());
  const Host* const described = hosts.data();
  const double* share = shares_.data();
  std::uint32_t own = 0;
  for (std::uint32_t host = 0; host < count; ++host) {
    for (std::uint32_t list = 0; list < lists; ++list, ++own, ++share) {
      if (*share > 0.0 || joint_.has(own)) {
        const std::uint32_t joint = joint_.number_of(own, first);
        result.hosts.push_back({config::HostIndex{host}, described[host].priority, static_cast<Availability>(list),
                                child, *share, joint, if_carried_ ? if_carried_->number_of(own, first) : joint});
      }
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
          const policies::Memory memory = Policy::memory(config, input, circumstances.loaded);
          switch (memory) {
            case policies::Memory::none:
              break;
            case policies::Memory::runs:
              join("each host is used several times in a row");
              break;
            case policies::Memory::in_flight:
            case policies::Memory::scheduled:
              if (input.sources.weighted(input.source) || !all_alike(hosts, circumstances)) {
                join("picks depend on the requests in flight");
              }
              if (memory == policies::Memory::in_flight) {
                break;
              }
              [[fallthrough]];
            case policies::Memory::cursor:
              join("retries move the turn of the schedule",
                   circumstances.retries ? ShareRows::When::always : ShareRows::When::if_carried);
          }
        }
      },
      state.lb_policy);
}

void join_table(ShareRows& rows, const RequestClass& requests, const policies::HashTable& table,
                Availability availability, std::optional<config::HostIndex> of) {
  const auto& bounded = table.bounded_load.hosts();
  // Called once per key; the first call joins all hosts.
  if (requests.circumstances.loaded && table.bounded_load.bounds() && bounded.size() > 1 &&
      !rows.is_joint(bounded.front().host, availability)) {
    std::vector<config::HostIndex> hosts;
    for (const NormalizedHost& entry : bounded) {
      hosts.push_back(entry.host);
    }
    rows.join(hosts, availability, ShareRows::When::always, "bounded loads depend on the requests in flight");
  }
  for (const auto& hosts : table.ties) {
    if (!of || std::find(hosts.begin(), hosts.end(), *of) != hosts.end()) {
      rows.join(hosts, availability, ShareRows::When::always,
                "Envoy leaves the order of hosts with equal hash keys open");
    }
  }
}

}  // namespace spillway::envoy
