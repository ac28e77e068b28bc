#include "sim/run/exact_mean.hpp"

#include "sim/engine/epoch_record.hpp"

namespace spillway::run {

void ExactMean::add(const std::vector<envoy::HostShare>& shares, double weight) {
  if (weight <= 0.0) {
    return;
  }
  weight_ += weight;
  for (const envoy::HostShare& share : shares) {
    Row& row = rows_[engine::row_of(targets_->index_of(share.child, share.host), share.availability)];
    if (row.weight == 0.0) {
      row.first = share.share;
    }
    row.uniform = row.uniform && row.first == share.share;
    row.weighted += weight * share.share;
    row.weight += weight;
  }
}

double ExactMean::share(std::uint32_t index) const noexcept {
  const Row& row = rows_[index];
  if (row.weight == 0.0) {
    return 0.0;
  }
  return row.uniform && row.weight == weight_ ? row.first : row.weighted / weight_;
}

}  // namespace spillway::run
