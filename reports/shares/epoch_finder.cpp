#include "reports/shares/epoch_finder.hpp"

#include <algorithm>
#include <tuple>

namespace spillway::reports {

EpochFinder::EpochFinder(const run::Results& results) : epochs_(results.epochs) {
  for (std::size_t position = 0; position < epochs_.size(); ++position) {
    const run::Epoch& epoch = epochs_[position];
    if (tables_.empty() || tables_.back().client != epoch.client || tables_.back().service != epoch.service) {
      tables_.push_back({epoch.client, epoch.service, position, position});
    }
    tables_.back().end = position + 1;
  }
  std::sort(tables_.begin(), tables_.end(), [](const Table& left, const Table& right) {
    return std::tie(left.client, left.service) < std::tie(right.client, right.service);
  });
}

std::optional<std::size_t> EpochFinder::position(config::ClientEntryIndex client, config::ServiceIndex service,
                                                 std::uint32_t epoch) const {
  const auto table = std::partition_point(tables_.begin(), tables_.end(), [&](const Table& of) {
    return std::tie(of.client, of.service) < std::tie(client, service);
  });
  if (table == tables_.end() || table->client != client || table->service != service ||
      epoch < epochs_[table->first].index) {
    return std::nullopt;
  }
  const std::size_t position = table->first + (epoch - epochs_[table->first].index);
  return position < table->end ? std::optional(position) : std::nullopt;
}

}  // namespace spillway::reports
