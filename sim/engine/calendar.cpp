#include "sim/engine/calendar.hpp"

#include <algorithm>

namespace spillway::engine {

// The next bucket of the wheel with anything in it; there must be one.
std::uint64_t Calendar::next_bucket() const noexcept {
  const std::size_t mask = wheel_.size() - 1;
  const std::size_t start = (present_bucket_ + 1) & mask;
  std::size_t word = start / 64;
  std::uint64_t bits = filled_[word] & (~std::uint64_t{0} << (start % 64));
  while (bits == 0) {
    word = word + 1 == filled_.size() ? 0 : word + 1;
    bits = filled_[word];
  }
  const std::size_t cell = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  return present_bucket_ + 1 + ((cell - start) & mask);
}

// The next bucket with anything in it becomes the present one.
void Calendar::advance() {
  const std::uint64_t of_wheel = in_wheel_ > 0 ? next_bucket() : UINT64_MAX;
  const std::uint64_t of_beyond = beyond_.empty() ? UINT64_MAX : bucket_of(beyond_.top().at);
  present_bucket_ = std::min(of_wheel, of_beyond);
  while (!beyond_.empty() && bucket_of(beyond_.top().at) == present_bucket_) {
    present_.push(beyond_.pop());
  }
  if (of_wheel != present_bucket_) {
    return;
  }
  const std::size_t cell = present_bucket_ & (wheel_.size() - 1);
  for (std::uint32_t slot = wheel_[cell]; slot != nothing; slot = links_[slot].next) {
    present_.push(links_[slot].entry);
    --in_wheel_;
  }
  wheel_[cell] = nothing;
  filled_[cell / 64] &= ~(std::uint64_t{1} << (cell % 64));
}

// Are the buckets about as wide as the gaps are, and enough of them for most moments to lie on the wheel?
void Calendar::look_at_widths(Nanoseconds now) {
  const auto passed = static_cast<std::uint64_t>(std::max(now - last_look_, Nanoseconds{0}).count());
  last_look_ = now;
  pops_until_look_ = pops_between_looks;
  const auto bits = static_cast<unsigned>(std::bit_width(passed / pops_between_looks));
  constexpr std::size_t buckets_per_moment = 4;
  constexpr std::size_t most_buckets = std::size_t{1} << 24;
  const std::size_t buckets = std::clamp(std::bit_ceil(buckets_per_moment * size_), least_buckets, most_buckets);
  const bool other_width = bits > width_bits_ + 1 || bits + 1 < width_bits_;
  if (other_width || buckets > wheel_.size() || buckets * 8 < wheel_.size()) {
    lay_out(other_width ? bits : width_bits_, std::max(buckets, other_width ? buckets : wheel_.size() / 8));
  }
}

void Calendar::lay_out(unsigned width_bits, std::size_t buckets) {
  std::vector<EntryHeap::Entry> all = present_.take_all();
  const std::vector<EntryHeap::Entry> far = beyond_.take_all();
  all.insert(all.end(), far.begin(), far.end());
  for (const std::uint32_t first : wheel_) {
    for (std::uint32_t slot = first; slot != nothing; slot = links_[slot].next) {
      all.push_back(links_[slot].entry);
    }
  }
  width_bits_ = width_bits;
  wheel_.assign(buckets, nothing);
  filled_.assign(buckets / 64, 0);
  in_wheel_ = 0;
  if (all.empty()) {
    return;
  }
  const auto sooner = [](const EntryHeap::Entry& left, const EntryHeap::Entry& right) { return left.before(right); };
  present_bucket_ = bucket_of(std::min_element(all.begin(), all.end(), sooner)->at);
  for (const EntryHeap::Entry& entry : all) {
    place(entry);
  }
}

}  // namespace spillway::engine
