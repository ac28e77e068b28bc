#include "sim/run/exact_mean.hpp"

#include "sim/engine/epoch_record.hpp"

namespace spillway::run {

void ExactMean::add(const envoy::ExactShares& shares, double weight) {
  if (weight <= 0.0) {
    return;
  }
  weight_ += weight;
  if (!shares.basis.empty()) {
    basis_ = shares.basis;
  }
  closed_form_ = closed_form_ && shares.closed_form;
  for (const envoy::HostShare& share : shares.hosts) {
    Row& row = rows_[engine::row_of(targets_->index_of(share.child, share.host), share.availability)];
    if (row.weight == 0.0) {
      row.first = share.share;
    }
    row.uniform = row.uniform && row.first == share.share;
    row.weighted += weight * share.share;
    row.weight += weight;
  }
}

std::optional<double> ExactMean::share(std::uint32_t index) const noexcept {
  if (!closed_form_) {
    return std::nullopt;
  }
  const Row& row = rows_[index];
  if (row.weight == 0.0) {
    return 0.0;
  }
  return row.uniform && row.weight == weight_ ? row.first : row.weighted / weight_;
}

}  // namespace spillway::run
