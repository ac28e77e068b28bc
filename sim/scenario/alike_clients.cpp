#include "sim/scenario/alike_clients.hpp"

#include <set>
#include <tuple>

namespace spillway::scenario {

Scenario join_alike_clients(Scenario scenario) {
  std::set<config::ClientEntryIndex> changing;
  std::set<config::NodeIndex> leaving;
  for (const Change& change : scenario.changes) {
    if (const auto* const rate = std::get_if<RateChange>(&change.effect)) {
      changing.insert(rate->client);
    } else if (const auto* const outage = std::get_if<NodeOutage>(&change.effect)) {
      leaving.insert(outage->node);
    }
  }
  using Bytes = std::optional<std::uint64_t>;
  std::map<std::tuple<config::ServiceIndex, config::ZoneIndex, std::string, Bytes, Bytes>, std::size_t> known;
  std::vector<ClientEntry> joined;
  std::vector<config::ClientEntryIndex> now;  // by former index
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    ClientEntry& entry = scenario.clients[index];
    const Node& node = scenario.nodes[entry.node.value];
    const bool plain = !entry.zone_proxy && entry.workload.requests.empty() && !changing.contains({index}) &&
                       !leaving.contains(entry.node);
    std::size_t position = joined.size();
    if (plain) {
      const Workload& workload = entry.workload;
      position = known
                     .try_emplace(
                         {workload.service, node.zone, node.sub_zone, workload.request_bytes, workload.response_bytes},
                         joined.size())
                     .first->second;
    }
    now.push_back({static_cast<std::uint32_t>(position)});
    if (position < joined.size()) {
      joined[position].workload.rate += entry.workload.rate * entry.count;
      continue;
    }
    if (plain) {
      entry.workload.rate *= entry.count;
      entry.count = 1;
    }
    joined.push_back(std::move(entry));
  }
  scenario.clients = std::move(joined);
  for (Change& change : scenario.changes) {
    if (auto* const rate = std::get_if<RateChange>(&change.effect)) {
      rate->client = now[rate->client.value];
    }
  }
  return scenario;
}

}  // namespace spillway::scenario
