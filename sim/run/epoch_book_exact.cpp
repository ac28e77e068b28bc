// The exact shares of a row, behind zone proxies too.
#include <utility>

#include "sim/run/epoch_book.hpp"
#include "sim/run/forwarded_parts.hpp"

namespace spillway::run {

// Of the row that is open.
const StateUses& EpochBook::uses(FlowIndex index) const {
  const Entry& entry = entries_[index.value];
  return entry.by_requests.total() > 0.0 ? entry.by_requests
         : entry.by_rate.total() > 0.0   ? entry.by_rate
                                         : entry.by_time;
}

bool EpochBook::in_slow_start(FlowIndex index) const {
  const Entry& entry = entries_[index.value];
  return entry.slow_start_until > entry.epochs.back().start;
}

// Over the states of the row that is open.
ExactMean EpochBook::exact_mean(FlowIndex index, std::span<const double> forwarded) const {
  ExactMean mean(targets(index), forwarded);
  if (in_slow_start(index)) {
    mean.add({.hosts = {}, .closed_form = false, .basis = "hosts in slow start"}, 1.0);
  }
  for (const StateUses::Use& use : uses(index).uses()) {
    mean.add(traffic_->exact_shares(index, *use.state), use.weight);
  }
  return mean;
}

std::shared_ptr<const EpochBook::ClassRows> EpochBook::class_rows(FlowIndex index, Nanoseconds now) {
  const std::vector<StateUses::Use>& states = uses(index).uses();
  if (states.size() != 1 || states.front().weight <= 0.0) {
    return work_out(index);
  }
  if (class_rows_at_ != now) {
    class_rows_.clear();
    class_rows_at_ = now;
  }
  auto& rows = class_rows_[{states.front().state, traffic_->class_of(index), in_slow_start(index)}];
  if (!rows) {
    rows = work_out(index);
  }
  return rows;
}

std::shared_ptr<const EpochBook::ClassRows> EpochBook::work_out(FlowIndex index) {
  const Targets& hosts = targets(index);
  const std::vector<double> parts = forwarded_parts({*scenario_, *flows_, *traffic_, *upstreams_}, hosts);
  const ExactMean mean = exact_mean(index, parts);
  const bool known = mean.closed_form();
  ExactRows exact{.places = places(index), .others_known = known, .basis_of_others = mean.basis()};
  ClassRows rows;
  if (known) {
    for (std::uint32_t position = 0; position < hosts.rows().size(); ++position) {
      const double share = *mean.share(hosts.rows()[position]);
      if (share > 0.0) {
        exact.add(position, share, mean.basis());
      }
    }
    for (std::uint32_t row = 0; row < hosts.rows().size(); ++row) {
      const double share = *mean.share(row);
      if (share > 0.0) {
        crossings_.add_way(rows.crossings, index, hosts.at(row / engine::availabilities), share);
      }
    }
  }
  rows.exact = std::make_shared<const ExactRows>(std::move(exact));
  return std::make_shared<const ClassRows>(std::move(rows));
}

std::optional<std::vector<double>> EpochBook::present_shares(FlowIndex index, Nanoseconds start) const {
  const Targets& hosts = targets(index);
  const std::vector<double> parts = forwarded_parts({*scenario_, *flows_, *traffic_, *upstreams_}, hosts);
  ExactMean mean(hosts, parts);
  mean.add(traffic_->exact_shares(index, *upstreams_->state(index)), 1.0);
  std::vector<double> shares(hosts.size(), 0.0);
  for (std::uint32_t row = 0; row < hosts.size() * engine::availabilities; ++row) {
    const std::optional<double> share = mean.share(row);
    if (!share || entries_[index.value].slow_start_until > start) {
      return std::nullopt;
    }
    shares[row / engine::availabilities] += *share;
  }
  return shares;
}

}  // namespace spillway::run
