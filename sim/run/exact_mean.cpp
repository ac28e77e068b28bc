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
    std::uint32_t target = targets_->index_of(share.child, share.host);
    if (!targets_->forwarded()) {
      add(engine::row_of(target, share.availability), share.share, weight);
      continue;
    }
    do {
      if (forwarded_[target] > 0.0) {
        add(engine::row_of(target, share.availability), share.share * forwarded_[target], weight);
      }
      ++target;
    } while (target < targets_->size() && !targets_->at(target).first_of_host);
  }
}

void ExactMean::add(std::uint32_t index, double share, double weight) {
  Row& row = rows_[index];
  if (row.weight == 0.0) {
    row.first = share;
  }
  row.uniform = row.uniform && row.first == share;
  row.weighted += weight * share;
  row.weight += weight;
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
