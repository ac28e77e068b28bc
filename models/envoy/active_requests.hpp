// The requests that one proxy has in flight at each host, as balancers read them.
//
//   SparseCounts counts;
//   counts.increase(70'000);                       // memory grows with hosts that have any, not with hosts
//   ActiveRequests view(counts, 100'000);          // or of a plain array by host
//   view[70'000];                                  // 1
//
// SparseCounts is an open-addressed table with linear probing, at most half full: 16 to 32 bytes for each host with a
// request in flight at the busiest time. All operations are O(1) except total(), which is linear.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace spillway::envoy {

class SparseCounts {
 public:
  [[nodiscard]] std::uint32_t operator[](std::size_t host) const noexcept {
    return slots_.empty() ? 0 : slots_[find(static_cast<std::uint32_t>(host))].count;
  }

  void increase(std::size_t host) {
    if (2 * used_ >= slots_.size()) {
      grow();
    }
    Slot& slot = slots_[find(static_cast<std::uint32_t>(host))];
    used_ += slot.count == 0 ? 1 : 0;
    slot.host = static_cast<std::uint32_t>(host);
    ++slot.count;
  }

  // Precondition: the count is at least 1.
  void decrease(std::size_t host) noexcept {
    const std::size_t place = find(static_cast<std::uint32_t>(host));
    if (--slots_[place].count == 0) {
      --used_;
      close_gap(place);
    }
  }

  // Returns the sum over the hosts [first, first + count).
  [[nodiscard]] std::uint64_t total(std::size_t first, std::size_t count) const noexcept {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) {
      sum += slot.host >= first && slot.host - first < count ? slot.count : 0;
    }
    return sum;
  }

  // Prefetches the host's count.
  void prefetch(std::size_t host) const noexcept {
    if (!slots_.empty()) {
      __builtin_prefetch(&slots_[home(static_cast<std::uint32_t>(host))], 1);
    }
  }

 private:
  struct Slot {
    std::uint32_t host = 0;
    std::uint32_t count = 0;  // 0 if the slot is free
  };

  [[nodiscard]] std::size_t home(std::uint32_t host) const noexcept {
    constexpr std::uint32_t golden = 0x9e3779b1U;
    return static_cast<std::size_t>((host * golden) >> shift_);
  }
  [[nodiscard]] std::size_t next(std::size_t place) const noexcept { return (place + 1) & (slots_.size() - 1); }

  // Returns the host's slot, or the free slot where it belongs.
  [[nodiscard]] std::size_t find(std::uint32_t host) const noexcept {
    std::size_t place = home(host);
    while (slots_[place].count != 0 && slots_[place].host != host) {
      place = next(place);
    }
    return place;
  }

  void grow() {
    constexpr std::size_t least = 8;
    const std::vector<Slot> before = std::exchange(slots_, {});
    slots_.resize(before.empty() ? least : 2 * before.size());
    shift_ = 32U - static_cast<unsigned>(std::countr_zero(slots_.size()));
    for (const Slot& slot : before) {
      if (slot.count > 0) {
        slots_[find(slot.host)] = slot;
      }
    }
  }

  // Backward-shift deletion: moves later entries into the gap unless that would precede their home slot.
  void close_gap(std::size_t gap) noexcept {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t place = next(gap); slots_[place].count != 0; place = next(place)) {
      if (((place - home(slots_[place].host)) & mask) >= ((place - gap) & mask)) {
        slots_[gap] = std::exchange(slots_[place], {});
        gap = place;
      }
    }
  }

  std::vector<Slot> slots_;  // size: a power of two, or 0
  std::size_t used_ = 0;
  unsigned shift_ = 0;
};

// A view of some hosts' counts, which must outlive it. A default-constructed view means that nothing is in flight.
class ActiveRequests {
 public:
  ActiveRequests() = default;
  // NOLINTBEGIN(google-explicit-constructor): an array of counts is a view of them.
  ActiveRequests(std::span<const std::uint32_t> by_host) noexcept : dense_(by_host.data()), hosts_(by_host.size()) {}
  ActiveRequests(const std::vector<std::uint32_t>& by_host) noexcept : dense_(by_host.data()), hosts_(by_host.size()) {}
  // NOLINTEND(google-explicit-constructor)
  ActiveRequests(const SparseCounts& counts, std::size_t hosts) noexcept : sparse_(&counts), hosts_(hosts) {}
  // Reads every `stride`-th number from `first` on.
  ActiveRequests(const std::uint32_t* first, std::size_t stride, std::size_t hosts) noexcept
      : dense_(first), stride_(stride), hosts_(hosts) {}

  [[nodiscard]] bool empty() const noexcept { return hosts_ == 0; }
  [[nodiscard]] std::uint32_t operator[](std::size_t host) const noexcept {
    return sparse_ == nullptr ? dense_[host * stride_] : (*sparse_)[first_ + host];
  }
  [[nodiscard]] ActiveRequests subspan(std::size_t first, std::size_t hosts) const noexcept {
    ActiveRequests part = *this;
    part.dense_ = dense_ == nullptr ? nullptr : dense_ + first * stride_;
    part.first_ = first_ + first;
    part.hosts_ = hosts;
    return part;
  }
  [[nodiscard]] ActiveRequests subspan(std::size_t first) const noexcept { return subspan(first, hosts_ - first); }

  [[nodiscard]] std::uint64_t total() const noexcept {
    if (sparse_ != nullptr) {
      return sparse_->total(first_, hosts_);
    }
    std::uint64_t sum = 0;
    for (std::size_t host = 0; host < hosts_; ++host) {
      sum += dense_[host * stride_];
    }
    return sum;
  }

 private:
  const std::uint32_t* dense_ = nullptr;
  std::size_t stride_ = 1;  // of dense_
  const SparseCounts* sparse_ = nullptr;
  std::size_t first_ = 0;  // offset into the sparse counts
  std::size_t hosts_ = 0;
};

}  // namespace spillway::envoy
