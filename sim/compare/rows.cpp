// The printed form of one cluster: one row per host, zone and priority, predicted and counted.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"
#include "sim/observed/host_flags.hpp"

namespace spillway::compare {
namespace {

std::string health_text(const std::optional<observed::Host>& host, bool held) {
  if (!held) {
    return "";
  }
  if (!host) {
    return "absent";
  }
  return observed::flags_text(host->flags);
}

void add_counts(HostRow& row, const ObservedHost* host, const Case& one) {
  const bool held = one.observation.held;
  row.health_after = health_text(host == nullptr ? std::nullopt : host->after, held);
  row.health_before =
      one.one_moment ? row.health_after : health_text(host == nullptr ? std::nullopt : host->before, held);
  row.connect_failures = host == nullptr ? 0 : host->connect_failures;
}

void add_groups(ClusterComparison& result, const Ground& ground, const Mixture& base,
                const std::vector<PredictedHost>& hosts) {
  for (const Level level : {Level::zone, Level::priority}) {
    std::map<std::string, GroupRow> rows;
    std::map<std::uint32_t, std::set<std::string>> groups_of_cell;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      const std::string name =
          level == Level::zone ? zone_name(hosts[host].locality) : "P" + std::to_string(hosts[host].priority.value);
      GroupRow& row = rows.try_emplace(name, GroupRow{level, name, 0.0, 0}).first->second;
      row.predicted = *row.predicted + base.shares[host];
      row.requests += ground.counts()[host];
      groups_of_cell[ground.cells()[host]].insert(name);
    }
    for (const auto& [cell, names] : groups_of_cell) {
      for (const std::string& name : names) {
        if (names.size() > 1) {
          rows.at(name).predicted.reset();
        }
      }
    }
    for (auto& [name, row] : rows) {
      if (rows.size() > 1) {
        result.groups.push_back(std::move(row));
      }
    }
  }
}

}  // namespace

std::vector<std::uint64_t> counts_of(const std::vector<PredictedHost>& hosts, const Observation& observation,
                                     std::uint64_t* unknown) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    positions.emplace(hosts[host].address, host);
  }
  std::vector<std::uint64_t> counts(hosts.size(), 0);
  for (const ObservedHost& host : observation.hosts) {
    const auto found = positions.find(host.address);
    if (found != positions.end()) {
      counts[found->second] += host.requests;
    } else if (unknown != nullptr) {
      *unknown += host.requests;
    }
  }
  return counts;
}

void fill_rows(ClusterComparison& result, const Case& one, const Ground& ground, const Mixture& base) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t cell : ground.cells()) {
    ++sizes[cell];
  }
  std::set<std::string> known;
  const auto& hosts = one.hosts();
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    const PredictedHost& predicted = hosts[host];
    known.insert(predicted.address);
    HostRow row{predicted.cluster, predicted.address, predicted.locality, predicted.priority};
    row.at_rest = base.shares[host];
    if (sizes.at(ground.cells()[host]) == 1) {
      row.predicted = base.shares[host];
    }
    add_counts(row, one.observation.find(predicted.address), one);
    row.requests = ground.counts()[host];
    result.hosts.push_back(std::move(row));
  }
  for (const ObservedHost& host : one.observation.hosts) {
    if (!known.contains(host.address) && (host.requests > 0 || host.after)) {
      HostRow row{one.observation.cluster, host.address};
      row.locality = host.after ? host.after->locality : config::Locality{};
      add_counts(row, &host, one);
      row.requests = host.requests;
      result.hosts.push_back(std::move(row));
    }
  }
  add_groups(result, ground, base, hosts);
}

std::string changed_text(const Case& one) {
  std::string text;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, one.changed.size()); ++i) {
    const ObservedHost* const host = one.observation.find(one.changed[i]);
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", one.changed[i],
                        health_text(host == nullptr ? std::nullopt : host->before, true),
                        health_text(host == nullptr ? std::nullopt : host->after, true));
  }
  return one.changed.size() > most ? fmt::format("{} and {} more", text, one.changed.size() - most) : text;
}

}  // namespace spillway::compare
