#include "sim/run/records/warm_up.hpp"

#include <set>
#include <tuple>

#include "sim/run/results.hpp"

namespace spillway::run {

void drop_rows_before(Nanoseconds moment, Results& results) {
  if (moment <= Nanoseconds{0}) {
    return;
  }
  using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // client, service, epoch
  std::set<Row> dropped;
  for (const Epoch& epoch : results.epochs) {
    if (epoch.start < moment) {
      dropped.emplace(epoch.client.value, epoch.service.value, epoch.index);
    }
  }
  std::erase_if(results.epochs, [&](const Epoch& epoch) { return epoch.start < moment; });
  const auto is_dropped = [&](const auto& row) {
    return dropped.contains({row.client.value, row.service.value, row.epoch});
  };
  results.shares.erase_blocks_if(is_dropped);
  std::erase_if(results.outcomes, is_dropped);
  std::erase_if(results.latency, is_dropped);
  std::erase_if(results.within, is_dropped);
  results.cross_zone.erase_blocks_if(is_dropped);
  std::erase_if(results.endpoints, [&](const EndpointLoad& row) { return row.start < moment; });
}

}  // namespace spillway::run
