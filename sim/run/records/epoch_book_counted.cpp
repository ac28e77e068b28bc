// The counts of a row: requests by target, and traffic between zones.
#include <numeric>
#include <utility>

#include "sim/run/records/epoch_book.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

const std::vector<std::uint32_t>& EpochBook::position_of_count(FlowIndex index) {
  std::vector<std::uint32_t>& positions = position_of_count_[flows_->at(index).service.value];
  if (positions.empty()) {
    if (counted_positions_) {
      positions = counted_positions_(scenario::asked_for(*scenario_, flows_->at(index).service), *places(index));
    } else {
      positions.resize(targets(index).rows().size());
      std::iota(positions.begin(), positions.end(), 0U);
    }
  }
  return positions;
}

std::shared_ptr<const CountedRows> EpochBook::counted_rows(FlowIndex index) {
  if (mode_ == scenario::Mode::exact) {
    return nullptr;
  }
  const engine::EpochRecord& record = *entries_[index.value].records.back();
  const std::vector<std::uint32_t>& rows = targets(index).rows();
  const std::vector<std::uint32_t>& counted_at = position_of_count(index);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts(rows.size());  // first attempts, all attempts
  std::size_t met = 0;
  for (std::uint32_t position = 0; position < rows.size(); ++position) {
    if (const std::uint64_t attempts = record.attempts(rows[position]); attempts > 0) {
      auto& count = counts[counted_at[position]];
      met += count.second == 0 ? 1 : 0;
      count.first += record.requests[rows[position]];
      count.second += attempts;
    }
  }
  CountedRows counted;
  counted.positions.reserve(met);
  counted.requests.reserve(met);
  for (std::uint32_t position = 0; position < rows.size(); ++position) {
    if (const auto& [requests, attempts] = counts[position]; attempts > 0) {
      if (attempts != requests && counted.attempts.empty()) {
        counted.attempts = counted.requests;
      }
      counted.positions.push_back(position);
      counted.requests.push_back(requests);
      if (attempts != requests || !counted.attempts.empty()) {
        counted.attempts.push_back(attempts);
      }
    }
  }
  return std::make_shared<const CountedRows>(std::move(counted));
}

void EpochBook::count_crossings(const ShareBlock& block, FlowIndex index, const ClassRows& rows) {
  const Entry& entry = entries_[index.value];
  const bool exact = mode_ == scenario::Mode::exact;
  crossings_.expect(index, block.epoch, rows.crossings, exact ? entry.epochs.back().expected_requests : 0.0);
  if (exact) {
    return;
  }
  const Targets& hosts = targets(index);
  for (const std::uint32_t row : hosts.rows()) {
    if (const std::uint64_t attempts = entry.records.back()->attempts(row); attempts > 0) {
      crossings_.send(index, block.epoch, hosts.at(row / engine::availabilities), attempts);
    }
  }
}

}  // namespace spillway::run
