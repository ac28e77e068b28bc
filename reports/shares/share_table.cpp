#include "reports/shares/share_table.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "models/config/listed_health.hpp"
#include "models/envoy/policies/random/policy.hpp"
#include "reports/shares/client_parts.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/host_places.hpp"
#include "reports/shares/share_order.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

std::string label_of(const run::SharePlace& share, const Dimensions& by, const std::string& service) {
  std::string label;
  const auto add = [&label](std::string_view part) { label.append(label.empty() ? "" : " ").append(part); };
  const bool child_of_aggregate = share.cluster != service;
  if (child_of_aggregate && !share.cluster.empty()) {
    add(printable(share.cluster));
  }
  for (const std::string* name : {&share.zone, &share.sub_zone, &share.node, &share.subset, &share.endpoint}) {
    if (!name->empty()) {
      add(printable(*name));
    }
  }
  if (!share.via.empty()) {
    add("via " + printable(share.via));
  }
  if (by.has(Dimension::priority)) {
    add("P" + std::to_string(share.priority.value));
  }
  if (by.has(Dimension::availability)) {
    add(name_of(share.availability));
  }
  return label.empty() ? "all" : label;
}

// Data common to the tables of a report.
class Common {
 public:
  // The hosts of a service's clusters, and their groups.
  struct Hosts {
    std::vector<std::uint32_t> group;                                   // by host
    std::vector<std::pair<ShareOrder::Key, run::SharePlace>> groups;    // in order
    std::map<const run::EpochHealth*, std::vector<EdsHosts>> reported;  // by group; only looked up
  };

  Common(const scenario::Scenario& scenario, const Grouped& grouped)
      : scenario_(scenario), by_(grouped.by), order_(scenario), parts_(grouped) {}

  [[nodiscard]] const ClientParts& parts() const { return parts_; }
  [[nodiscard]] const ShareOrder& order() const { return order_; }

  [[nodiscard]] Hosts& hosts(config::ServiceIndex service, config::ServiceIndex view) {
    const auto [found, is_new] = hosts_.try_emplace({service, view});
    Hosts& hosts = found->second;
    if (!is_new) {
      return hosts;
    }
    const std::vector<HostPlace> places = host_places(scenario_, view);
    struct Group {
      run::SharePlace share;
      std::uint32_t number = 0;
    };
    std::map<ShareOrder::Key, Group> groups;
    std::vector<Group*> of_hosts;
    of_hosts.reserve(places.size());
    for (const HostPlace& place : places) {
      // Neighbouring hosts usually belong to one group.
      run::SharePlace share = share_to(place);
      if (of_hosts.empty() || of_hosts.back()->share != share) {
        Group& group = groups[order_.key(service, share)];
        group.share = std::move(share);
        of_hosts.push_back(&group);
      } else {
        of_hosts.push_back(of_hosts.back());
      }
    }
    for (auto& [key, group] : groups) {
      group.number = static_cast<std::uint32_t>(hosts.groups.size());
      hosts.groups.emplace_back(key, std::move(group.share));
    }
    for (const Group* const group : of_hosts) {
      hosts.group.push_back(group->number);
    }
    return hosts;
  }

  // Returns the reported health of the hosts, by group; all zero if the epoch has other hosts.
  [[nodiscard]] static const std::vector<EdsHosts>& reported(Hosts& hosts, const run::EpochHealth& health) {
    const auto [found, is_new] = hosts.reported.try_emplace(&health, hosts.groups.size());
    if (is_new && health.reported.size() == hosts.group.size()) {
      for (std::size_t host = 0; host < hosts.group.size(); ++host) {
        if (!health.is_absent(host)) {
          EdsHosts& reported = found->second[hosts.group[host]];
          ++reported.hosts;
          reported.healthy += config::is_listed_healthy(health.reported[host]) ? 1 : 0;
          reported.degraded += health.reported[host] == config::HealthStatus::degraded ? 1 : 0;
        }
      }
    }
    return found->second;
  }

 private:
  // Returns the place to which the grouped results assign a share of requests to this host.
  [[nodiscard]] run::SharePlace share_to(const HostPlace& place) const {
    run::SharePlace share;
    if (by_.has(Dimension::cluster)) {
      share.cluster = place.cluster;
    }
    if (by_.has(Dimension::priority)) {
      share.priority = place.priority;
    }
    if (by_.has(Dimension::zone)) {
      share.region = place.region;
      share.zone = place.zone;
    }
    if (by_.has(Dimension::sub_zone)) {
      share.sub_zone = place.sub_zone;
    }
    if (by_.has(Dimension::node)) {
      share.node = place.node;
    }
    if (by_.has(Dimension::endpoint)) {
      share.endpoint = place.endpoint;
    }
    return share;
  }

  const scenario::Scenario& scenario_;
  Dimensions by_;
  ShareOrder order_;
  ClientParts parts_;
  std::map<std::pair<config::ServiceIndex, config::ServiceIndex>, Hosts> hosts_;
};

// Builds the table of one client and service.
class Builder {
 public:
  // Prepares the table. `epochs` are those of the table.
  Builder(const scenario::Scenario& scenario, const Grouped& grouped, Common& common,
          std::span<const run::Epoch> epochs)
      : scenario_(scenario),
        grouped_(grouped),
        epochs_(epochs),
        client_(epochs.front().client),
        service_(epochs.front().service),
        sent_(common.parts().sent(client_, service_)),
        part_(common.parts().of(client_, service_)),
        order_(common.order()),
        hosts_(common.hosts(service_, epochs.front().view)) {}

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
    return fmt::format("{} ({}{}{}) -> {}", printable(client.name), with_thousands(client.count),
                       zone.empty() ? "" : ", ", printable(zone), service);
  }

  [[nodiscard]] std::string numbers() const {
    const std::string computed = grouped_.results.at_rest ? "at rest" : "exact";
    const std::string client = printable(scenario_.clients[client_.value].name);
    if (grouped_.results.mode == scenario::Mode::exact) {
      return part_ ? fmt::format("{}, {} of {}'s requests", computed, exact_percent(part_->expected), client)
                   : computed;
    }
    const std::uint32_t replications = grouped_.results.replications;
    return fmt::format("{}, and {} requests{}, seed {}{}", computed, with_thousands(sent_),
                       part_ ? fmt::format(" ({} of {}'s, counted {} %)", exact_percent(part_->expected), client,
                                           simulated_percent(part_->counted))
                             : "",
                       grouped_.results.seed, replications > 1 ? fmt::format(", {} replications", replications) : "");
  }

  // True if a host determines its group. It does not determine the list, subset or proxy.
  [[nodiscard]] bool hosts_have_groups() const {
    const Dimensions& by = grouped_.by;
    return !by.has(Dimension::availability) && !by.has(Dimension::subset) && !by.has(Dimension::via);
  }

  void find_groups(ShareTable& table) {
    struct Found {
      ShareOrder::Key key;
      const run::SharePlace* place;
      bool reached;
    };
    const auto before = [](const Found& left, const Found& right) { return left.key < right.key; };
    std::vector<Found> of_hosts;
    for (std::size_t group = 0; hosts_have_groups() && group < hosts_.groups.size(); ++group) {
      of_hosts.push_back({hosts_.groups[group].first, &hosts_.groups[group].second, false});
    }
    std::deque<run::SharePlace> places;
    std::vector<Found> of_shares;
    for_each_share([&](run::SharePlace&& place, const run::ShareBlock&, const run::ShareCell&) {
      places.push_back(std::move(place));
      of_shares.push_back({order_.key(service_, places.back()), &places.back(), true});
    });
    std::sort(of_shares.begin(), of_shares.end(), before);
    std::vector<Found> found;
    std::merge(of_hosts.begin(), of_hosts.end(), of_shares.begin(), of_shares.end(), std::back_inserter(found), before);
    for (const Found& of : found) {
      if (columns_.empty() || columns_.back() != of.key) {
        columns_.push_back(of.key);
        table.groups.push_back({label_of(*of.place, grouped_.by, scenario_.services[service_.value].name), *of.place});
      }
      table.groups.back().reached = table.groups.back().reached || of.reached;
    }
    for (const auto& [key, place] : hosts_.groups) {
      column_of_hosts_.push_back(hosts_have_groups() ? column_of(key) : 0);
    }
  }

  // Precondition: a group has this key.
  [[nodiscard]] std::size_t column_of(const ShareOrder::Key& key) const {
    return static_cast<std::size_t>(std::lower_bound(columns_.begin(), columns_.end(), key) - columns_.begin());
  }

  void add_rows(ShareTable& table) {
    int decimals = 0;
    for (const run::Epoch& epoch : epochs_) {
      decimals = std::max({decimals, decimals_of(epoch.start), decimals_of(epoch.end)});
    }
    for (const run::Epoch& epoch : epochs_) {
      ShareRow row{.begin = epoch.start,
                   .finish = epoch.end,
                   .start = seconds_text(epoch.start, decimals),
                   .end = seconds_text(epoch.end, decimals),
                   .reported = {},
                   .panic = panic_text(epoch),
                   .shares = {}};
      row.reported = reported(epoch, table);
      row.shares.resize(table.groups.size());
      table.panics = table.panics || !row.panic.empty();
      row_.emplace(epoch.index, table.rows.size());
      table.rows.push_back(std::move(row));
    }
  }

  std::vector<EdsHosts> reported(const run::Epoch& epoch, ShareTable& table) const {
    std::vector<EdsHosts> reported(table.groups.size());
    if (!hosts_have_groups()) {
      return reported;
    }
    const std::vector<EdsHosts>& of_groups = Common::reported(hosts_, *epoch.health);
    for (std::size_t number = 0; number < of_groups.size(); ++number) {
      const std::size_t column = column_of_hosts_[number];
      ShareGroup& group = table.groups[column];
      reported[column] = of_groups[number];
      group.health_varies = group.health_varies || reported[column].healthy < reported[column].hosts;
      group.degraded_varies = group.degraded_varies || reported[column].degraded > 0;
    }
    return reported;
  }

  static std::string panic_text(const run::Epoch& epoch) {
    std::vector<std::string> panicking;
    for (const run::PriorityHealth& priority : epoch.health->priorities) {
      if (priority.panic) {
        panicking.push_back(
            fmt::format("{}{}P{}", priority.cluster, priority.cluster.empty() ? "" : " ", priority.priority.value));
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
    for (const run::ShareBlock& block : grouped_.results.shares.of(client_)) {
      if (table.simulated && ours(block) && block.sent == 0) {
        for (SharePair& share : table.rows[row_.at(block.epoch)].shares) {
          share.simulated.reset();
        }
      }
    }
    for_each_share([&](const run::SharePlace& place, const run::ShareBlock& block, const run::ShareCell& share) {
      table.rows[row_.at(block.epoch)].shares[column_of(order_.key(service_, place))] = {share.exact, share.simulated};
      auto& reasons = table.why_no_exact_share;
      if (!share.exact && std::find(reasons.begin(), reasons.end(), *share.exact_basis) == reasons.end()) {
        reasons.push_back(*share.exact_basis);
      }
    });
  }

  const scenario::Scenario& scenario_;
  const Grouped& grouped_;
  std::span<const run::Epoch> epochs_;
  config::ClientEntryIndex client_;
  config::ServiceIndex service_;
  std::uint64_t sent_;
  std::optional<ClientParts::Part> part_;
  const ShareOrder& order_;
  Common::Hosts& hosts_;
  std::vector<std::size_t> column_of_hosts_;  // by group of hosts
  std::vector<ShareOrder::Key> columns_;      // by group of the table, ascending
  std::map<std::uint32_t, std::size_t> row_;
};

}  // namespace

std::string reported_percent(std::uint32_t part, const EdsHosts& reported) {
  return reported.hosts == 0 ? "" : exact_percent(static_cast<double>(part) / reported.hosts);
}

void for_each_share_table(const scenario::Scenario& scenario, const Grouped& grouped,
                          const std::function<void(const ShareTable&)>& visit) {
  Common common(scenario, grouped);
  const std::vector<run::Epoch>& epochs = grouped.results.epochs;
  for (auto first = epochs.begin(); first != epochs.end();) {
    const auto end = std::find_if(first, epochs.end(), [&](const run::Epoch& epoch) {
      return epoch.client != first->client || epoch.service != first->service;
    });
    visit(Builder(scenario, grouped, common, {first, end}).table());
    first = end;
  }
}

std::vector<ShareTable> share_tables(const scenario::Scenario& scenario, const Grouped& grouped) {
  std::vector<ShareTable> tables;
  for_each_share_table(scenario, grouped, [&](const ShareTable& table) { tables.push_back(table); });
  return tables;
}

}  // namespace spillway::reports
