#include "sim/run/exact/exact_mean.hpp"

#include <algorithm>
#include <utility>

#include "models/envoy/exact_shares.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/run/records/shares.hpp"

namespace spillway::run {

inline void ExactMean::join(Joint& joint, std::uint32_t number, std::uint32_t row) {
  if (number == 0) {
    return;
  }
  if (joint.in_one.empty()) [[unlikely]] {
    joint.in_one.resize(rows_.size(), 0);
    joint.sets = numeric::DisjointSets(static_cast<std::uint32_t>(rows_.size()));
  }
  joint.in_one[row] = 1;
  std::uint32_t& first = joint.first_of[number];
  first = first == 0 ? row + 1 : first;
  joint.sets.join(first - 1, row);
}

inline void ExactMean::add(std::uint32_t index, const envoy::HostShare& share, double part, double weight) {
  Row& row = rows_[index];
  if (row.weight == 0.0) {
    row.first = part;
  }
  row.uniform = row.uniform && row.first == part;
  row.weighted += weight * part;
  row.weight += weight;
  join(joint_, share.joint, index);
  if (if_carried_) {
    join(*if_carried_, share.joint_if_carried, index);
  }
}

void ExactMean::add(const envoy::ExactShares& shares, double weight) {
  if (weight <= 0.0) {
    return;
  }
  weight_ += weight;
  if (!shares.basis.empty()) {
    basis_ = shares.basis;
  }
  if (!shares.why_joint.empty()) {
    why_joint_ = shares.why_joint;
  }
  sums_are_exact_ = sums_are_exact_ && shares.sums_are_exact;
  std::uint32_t next_joint = 1;
  bool differs = false;
  for (const envoy::HostShare& share : shares.hosts) {
    next_joint = std::max({next_joint, share.joint + 1, share.joint_if_carried + 1});
    differs = differs || share.joint != share.joint_if_carried;
  }
  if (differs && !if_carried_) {
    if_carried_ = joint_;
  }
  // At most one more joint share per row of connections.
  begin_joint(next_joint + (targets_->forwarded() ? shares.hosts.size() : 0));
  const bool forwarded = targets_->forwarded();
  for (const envoy::HostShare& share : shares.hosts) {
    std::uint32_t target = targets_->index_of(share.child, share.host);
    if (!forwarded) {
      add(engine::row_of(target, share.availability), share, share.share, weight);
      continue;
    }
    const std::uint32_t end = end_of_host(target);
    // If nothing is exact anyway, connections are not the reason.
    const bool unsure = is_unsure(target);
    if (unsure && shares.sums_are_exact) {
      add_reason(unsure_->why);
    }
    const bool joins = shares.sums_are_exact && (unsure || on_connections(target, end));
    const envoy::HostShare reported = joins ? joined(share, next_joint++) : share;
    for (; target < end; ++target) {
      if (may_get(target)) {
        add(engine::row_of(target, share.availability), reported, share.share * forwarded_[target], weight);
      }
    }
  }
}

std::uint32_t ExactMean::end_of_host(std::uint32_t target) const noexcept {
  do {
    ++target;
  } while (target < targets_->size() && !targets_->at(target).first_of_host);
  return target;
}

// True if requests of one connection stay at one of several targets.
bool ExactMean::on_connections(std::uint32_t begin, std::uint32_t end) {
  std::uint32_t several = 0;
  for (std::uint32_t target = begin; target < end; ++target) {
    several += may_get(target) ? 1 : 0;
  }
  if (several < 2 || !targets_->at(begin).on_connection) {
    return false;
  }
  add_reason(connection_basis);
  return true;
}

void ExactMean::add_reason(std::string_view why) {
  if (why_joint_.find(why) == std::string::npos) {
    why_joint_.append(why_joint_.empty() ? "" : "; ").append(why);
  }
}

envoy::HostShare ExactMean::joined(envoy::HostShare share, std::uint32_t number) noexcept {
  share.joint = share.joint == 0 ? number : share.joint;
  share.joint_if_carried = share.joint_if_carried == 0 ? number : share.joint_if_carried;
  return share;
}

void ExactMean::begin_joint(std::size_t numbers) {
  joint_.first_of.assign(numbers, 0);
  if (if_carried_) {
    if_carried_->first_of.assign(numbers, 0);
  }
}

void ExactMean::carry_schedules() {
  if (if_carried_) {
    joint_ = *std::exchange(if_carried_, std::nullopt);
  }
  why_joint_.append(why_joint_.empty() ? "" : "; ").append("states change within a round of the schedule");
}

double ExactMean::share(std::uint32_t index) const noexcept {
  const Row& row = rows_[index];
  if (row.weight == 0.0) {
    return 0.0;
  }
  return row.uniform && row.weight == weight_ ? row.first : row.weighted / weight_;
}

double ExactMean::least_of_schedules() const noexcept {
  double least = 0.0;
  for (std::uint32_t row = 0; if_carried_ && row < rows_.size(); ++row) {
    if (is_joint(*if_carried_, row) && !is_joint(joint_, row) && share(row) > 0.0) {
      least = least == 0.0 ? share(row) : std::min(least, share(row));
    }
  }
  return least;
}

}  // namespace spillway::run
