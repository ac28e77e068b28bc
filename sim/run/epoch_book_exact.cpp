// The exact shares of a row, behind zone proxies too.
#include "sim/run/epoch_book.hpp"
#include "sim/run/forwarded_parts.hpp"

namespace spillway::run {

// Of the row that is open, over its states.
ExactMean EpochBook::exact_mean(FlowIndex index, std::span<const double> forwarded) const {
  const Entry& entry = entries_[index.value];
  const StateUses& uses = entry.by_requests.total() > 0.0 ? entry.by_requests
                          : entry.by_rate.total() > 0.0   ? entry.by_rate
                                                          : entry.by_time;
  ExactMean mean(targets(index), forwarded);
  if (entry.slow_start_until > entry.epochs.back().start) {
    mean.add({.hosts = {}, .closed_form = false, .basis = "hosts in slow start"}, 1.0);
  }
  for (const StateUses::Use& use : uses.uses()) {
    mean.add(traffic_->exact_shares(index, *use.state), use.weight);
  }
  return mean;
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
