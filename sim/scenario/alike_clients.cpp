#include "sim/scenario/alike_clients.hpp"

#include <map>
#include <string>
#include <tuple>

#include "sim/scenario/client.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario {

Scenario join_alike_clients(Scenario scenario, JoinedName name) {
  const EverChanged changed = ever_changed(scenario);
  using Bytes = std::optional<std::uint64_t>;
  std::map<std::tuple<config::ServiceIndex, config::ZoneIndex, std::string, Bytes, Bytes>, std::size_t> known;
  SharedList<ClientEntry> joined;
  std::vector<config::ClientEntryIndex> now;  // new index by old index
  std::vector<std::size_t> more;              // by merged entry: its members other than the first
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    ClientEntry& entry = scenario.clients[index];
    const Node& node = scenario.nodes[entry.node.value];
    const bool plain = !entry.zone_proxy && entry.workload.requests.empty() && !changed.rate[index] &&
                       clients_on(entry, [&](config::NodeIndex on) { return changed.node[on.value]; }) == 0;
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
      ++more[position];
      continue;
    }
    if (plain) {
      entry.workload.rate *= entry.count;
      entry.count = 1;
      entry.nodes.clear();
    }
    joined.push_back(std::move(entry));
    more.push_back(0);
  }
  for (std::size_t position = 0; name == JoinedName::counted && position < joined.size(); ++position) {
    if (more[position] > 0) {
      joined[position].name += " and " + std::to_string(more[position]) + " more";
    }
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
