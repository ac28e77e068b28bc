#include "reports/share_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "reports/host_places.hpp"
#include "reports/names.hpp"
#include "reports/percent.hpp"
#include "reports/share_order.hpp"
#include "reports/text_table.hpp"

namespace spillway::reports {
namespace {

int decimals_of(run::Nanoseconds time) {
  auto rest = time.count() % 1'000'000'000;
  int decimals = 9;
  while (decimals > 0 && rest % 10 == 0) {
    rest /= 10;
    --decimals;
  }
  return decimals;
}

std::string label_of(const run::SharePlace& share, const Dimensions& by, const std::string& service) {
  std::vector<std::string> parts;
  const bool child_of_aggregate = share.cluster != service;
  if (child_of_aggregate && !share.cluster.empty()) {
    parts.push_back(printable(share.cluster));
  }
  for (const std::string* name : {&share.zone, &share.sub_zone, &share.node, &share.subset, &share.endpoint}) {
    if (!name->empty()) {
      parts.push_back(printable(*name));
    }
  }
  if (!share.via.empty()) {
    parts.push_back("via " + printable(share.via));
  }
  if (by.has(Dimension::priority)) {
    parts.push_back(fmt::format("P{}", share.priority.value));
  }
  if (by.has(Dimension::availability)) {
    parts.emplace_back(name_of(share.availability));
  }
  return parts.empty() ? "all" : joined(parts, " ");
}

// Builds the table of one client and service.
class Builder {
 public:
  Builder(const scenario::Scenario& scenario, const Grouped& grouped, const run::Epoch& first)
      : scenario_(scenario),
        grouped_(grouped),
        client_(first.client),
        service_(first.service),
        order_(scenario),
        places_(host_places(scenario, first.view)) {}

  ShareTable table() {
    ShareTable table;
    table.client = client_;
    table.service = service_;
    table.subject = subject();
    table.simulated = grouped_.results.mode != scenario::Mode::exact;
    table.at_rest = grouped_.results.at_rest;
    table.numbers = numbers();
    find_groups(table);
    add_rows(table);
    add_shares(table);
    return table;
  }

 private:
  template <class Row>
  [[nodiscard]] bool ours(const Row& row) const {
    return row.client == client_ && row.service == service_;
  }

  template <class Visit>
  void for_each_share(Visit visit) const {
    for (const run::ShareBlock& block : grouped_.results.shares.of(client_)) {
      if (ours(block)) {
        block.for_each(
            [&](const run::ShareCell& share) { visit(block.exact->places->at(share.position), block, share); });
      }
    }
  }

  [[nodiscard]] std::string subject() const {
    const std::string service = printable(scenario_.services[service_.value].name);
    if (!grouped_.by.has(Dimension::client)) {
      return "all clients -> " + service;
    }
    const scenario::ClientEntry& client = scenario_.clients[client_.value];
    const std::string& zone = scenario_.zones[scenario_.nodes[client.node.value].zone.value].name;
    return fmt::format("{} ({}, {}) -> {}", printable(client.name), with_thousands(client.count), printable(zone),
                       service);
  }

  [[nodiscard]] std::string numbers() const {
    const std::string computed = grouped_.results.at_rest ? "at rest" : "exact";
    if (grouped_.results.mode == scenario::Mode::exact) {
      return computed;
    }
    std::uint64_t sent = 0;
    for (const run::Outcomes& row : grouped_.results.outcomes) {
      if (ours(row)) {
        sent += row.sent;
      }
    }
    const std::uint32_t replications = grouped_.results.replications;
    return fmt::format("{}, and {} requests, seed {}{}", computed, with_thousands(sent), grouped_.results.seed,
                       replications > 1 ? fmt::format(", {} replications", replications) : "");
  }

  // What a share of requests to this host would look like in the grouped results.
  [[nodiscard]] run::SharePlace share_to(const HostPlace& place) const {
    run::SharePlace share;
    const Dimensions& by = grouped_.by;
    if (by.has(Dimension::cluster)) {
      share.cluster = place.cluster;
    }
    if (by.has(Dimension::priority)) {
      share.priority = place.priority;
    }
    if (by.has(Dimension::zone)) {
      share.region = place.region;
      share.zone = place.zone;
    }
    if (by.has(Dimension::sub_zone)) {
      share.sub_zone = place.sub_zone;
    }
    if (by.has(Dimension::node)) {
      share.node = place.node;
    }
    if (by.has(Dimension::endpoint)) {
      share.endpoint = place.endpoint;
    }
    return share;
  }

  // A host alone does not say by which list, subset or proxy it would be reached.
  [[nodiscard]] bool hosts_have_groups() const {
    const Dimensions& by = grouped_.by;
    return !by.has(Dimension::availability) && !by.has(Dimension::subset) && !by.has(Dimension::via);
  }

  void find_groups(ShareTable& table) {
    std::map<ShareOrder::Key, ShareGroup> groups;
    const auto add = [&](const run::SharePlace& share) -> ShareGroup& {
      ShareGroup& group = groups[order_.key(service_, share)];
      group.label = label_of(share, grouped_.by, scenario_.services[service_.value].name);
      group.place = share;
      return group;
    };
    if (hosts_have_groups()) {
      for (const HostPlace& place : places_) {
        add(share_to(place));
      }
    }
    for_each_share([&](const run::SharePlace& place, const run::ShareBlock&, const run::ShareCell&) {
      add(place).reached = true;
    });
    for (auto& [key, group] : groups) {
      column_.emplace(key, table.groups.size());
      table.groups.push_back(std::move(group));
    }
  }

  void add_rows(ShareTable& table) {
    int decimals = 0;
    for (const run::Epoch& epoch : grouped_.results.epochs) {
      if (ours(epoch)) {
        decimals = std::max({decimals, decimals_of(epoch.start), decimals_of(epoch.end)});
      }
    }
    for (const run::Epoch& epoch : grouped_.results.epochs) {
      if (!ours(epoch)) {
        continue;
      }
      ShareRow row{.begin = epoch.start,
                   .finish = epoch.end,
                   .start = seconds_text(epoch.start, decimals),
                   .end = seconds_text(epoch.end, decimals),
                   .told = {},
                   .panic = panic_text(epoch),
                   .shares = {}};
      row.told = told(epoch, table);
      row.shares.resize(table.groups.size());
      table.panics = table.panics || !row.panic.empty();
      row_.emplace(epoch.index, table.rows.size());
      table.rows.push_back(std::move(row));
    }
  }

  std::vector<ToldHosts> told(const run::Epoch& epoch, ShareTable& table) const {
    std::vector<ToldHosts> told(table.groups.size());
    if (!hosts_have_groups() || epoch.health->told.size() != places_.size()) {
      return told;
    }
    for (std::size_t host = 0; host < places_.size(); ++host) {
      if (epoch.health->is_absent(host)) {
        continue;
      }
      const std::size_t column = column_.at(order_.key(service_, share_to(places_[host])));
      ToldHosts& hosts = told[column];
      ShareGroup& group = table.groups[column];
      ++hosts.hosts;
      if (counts_as_healthy(epoch.health->told[host])) {
        ++hosts.healthy;
      }
      if (epoch.health->told[host] == config::HealthStatus::degraded) {
        ++hosts.degraded;
      }
      group.health_varies = group.health_varies || !counts_as_healthy(epoch.health->told[host]);
      group.degraded_varies = group.degraded_varies || epoch.health->told[host] == config::HealthStatus::degraded;
    }
    return told;
  }

  static std::string panic_text(const run::Epoch& epoch) {
    std::vector<std::string> panicking;
    for (const run::PriorityHealth& priority : epoch.health->priorities) {
      if (priority.panic) {
        panicking.push_back(fmt::format("P{}", priority.priority.value));
      }
    }
    return joined(panicking, ", ");
  }

  void add_shares(ShareTable& table) const {
    for (ShareRow& row : table.rows) {
      for (std::size_t i = 0; i < table.groups.size(); ++i) {
        if (!table.groups[i].reached) {
          continue;
        }
        row.shares[i].exact = 0.0;
        if (table.simulated) {
          row.shares[i].simulated = 0.0;
        }
      }
    }
    for_each_share([&](const run::SharePlace& place, const run::ShareBlock& block, const run::ShareCell& share) {
      table.rows[row_.at(block.epoch)].shares[column_.at(order_.key(service_, place))] = {share.exact, share.simulated};
      auto& reasons = table.why_no_exact_share;
      if (!share.exact && std::find(reasons.begin(), reasons.end(), *share.exact_basis) == reasons.end()) {
        reasons.push_back(*share.exact_basis);
      }
    });
  }

  const scenario::Scenario& scenario_;
  const Grouped& grouped_;
  config::ClientEntryIndex client_;
  config::ServiceIndex service_;
  ShareOrder order_;
  std::vector<HostPlace> places_;
  std::map<ShareOrder::Key, std::size_t> column_;
  std::map<std::uint32_t, std::size_t> row_;
};

}  // namespace

std::string told_percent(std::uint32_t part, const ToldHosts& told) {
  return told.hosts == 0 ? "" : exact_percent(static_cast<double>(part) / told.hosts);
}

std::string seconds_text(run::Nanoseconds time, int decimals) {
  const int shown = std::max(decimals, decimals_of(time));
  const auto whole = time.count() / 1'000'000'000;
  if (shown == 0) {
    return fmt::format("{}", whole);
  }
  return fmt::format("{}.{}", whole,
                     fmt::format("{:09}", time.count() % 1'000'000'000).substr(0, static_cast<std::size_t>(shown)));
}

std::string time_range(run::Nanoseconds start, run::Nanoseconds end) {
  return fmt::format("{} - {} s", seconds_text(start), seconds_text(end));
}

std::vector<ShareTable> share_tables(const scenario::Scenario& scenario, const Grouped& grouped) {
  std::vector<ShareTable> tables;
  const run::Epoch* previous = nullptr;
  for (const run::Epoch& epoch : grouped.results.epochs) {
    if (previous == nullptr || previous->client != epoch.client || previous->service != epoch.service) {
      tables.push_back(Builder(scenario, grouped, epoch).table());
    }
    previous = &epoch;
  }
  return tables;
}

}  // namespace spillway::reports
