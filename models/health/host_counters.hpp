// Counters that one proxy keeps for each host of a cluster between two sweeps of the outlier detector.
//
//   HostCounters<OutlierCounters> counters(hosts, HostCounters<OutlierCounters>::Memory::of_counted_hosts);
//   counters[host].note_successes(1);
//   counters.for_each([](std::uint32_t host, const OutlierCounters& of) { ... });   // ascending
//   counters.begin_interval();
//
// Stores counters for every host, or only for hosts with counts. The second form is an open-addressed table with linear
// probing, at most half full. At the end of an interval it removes hosts without remaining state. Both forms give equal
// results. All operations are O(1), except for_each() and begin_interval(), which are linear in the stored counters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::health {

// Requirements on `Counters`: a `total` of the interval, begin_interval() and nothing_left().
template <class Counters>
class HostCounters {
 public:
  enum class Memory : std::uint8_t { of_all_hosts, of_counted_hosts };

  HostCounters(std::uint32_t hosts, Memory memory) : hosts_(hosts), memory_(memory) {
    all_.resize(memory_ == Memory::of_all_hosts ? hosts_ : 0);
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return hosts_; }
  void resize(std::uint32_t hosts) {
    hosts_ = hosts;
    all_.resize(memory_ == Memory::of_all_hosts ? hosts_ : 0);
  }

  // Returns the counters of a host. Precondition: host < size(). The reference is valid until the next call.
  [[nodiscard]] Counters& operator[](config::HostIndex host) {
    return memory_ == Memory::of_all_hosts ? all_[host.value] : counted(host.value);
  }

  // Calls visit(host, counters) for each host with counts in this interval, in ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t host = 0; host < all_.size(); ++host) {
      if (all_[host].total > 0) {
        visit(host, all_[host]);
      }
    }
    std::vector<Slot> counted;
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(counted),
                 [](const Slot& slot) { return slot.host != nobody && slot.counters.total > 0; });
    std::sort(counted.begin(), counted.end(),
              [](const Slot& left, const Slot& right) { return left.host < right.host; });
    for (const Slot& slot : counted) {
      visit(slot.host, slot.counters);
    }
  }

  void begin_interval() {
    for (Counters& counters : all_) {
      counters.begin_interval();
    }
    used_ = 0;
    for (Slot& slot : std::exchange(slots_, {})) {
      slot.counters.begin_interval();
      if (slot.host != nobody && !slot.counters.nothing_left()) {
        counted(slot.host) = slot.counters;
      }
    }
  }

  // Prefetches the host's counters.
  void prefetch(config::HostIndex host) const noexcept {
    if (!all_.empty()) {
      __builtin_prefetch(all_.data() + host.value, 1);
    } else if (!slots_.empty()) {
      __builtin_prefetch(&slots_[home(host.value)], 1);
    }
  }

 private:
  static constexpr std::uint32_t nobody = UINT32_MAX;
  struct Slot {
    std::uint32_t host = nobody;
    Counters counters = {};
  };

  [[nodiscard]] std::size_t home(std::uint32_t host) const noexcept {
    constexpr std::uint32_t golden = 0x9e3779b1U;
    return static_cast<std::size_t>((host * golden) >> shift_);
  }
  // Returns the host's slot, or the free slot where it belongs.
  [[nodiscard]] Slot& slot_of(std::uint32_t host) noexcept {
    std::size_t place = home(host);
    while (slots_[place].host != nobody && slots_[place].host != host) {
      place = (place + 1) & (slots_.size() - 1);
    }
    return slots_[place];
  }
  [[nodiscard]] Counters& counted(std::uint32_t host) {
    if (2 * used_ >= slots_.size()) {
      grow();
    }
    Slot& slot = slot_of(host);
    used_ += slot.host == nobody ? 1 : 0;
    slot.host = host;
    return slot.counters;
  }
  void grow() {
    constexpr std::size_t least = 8;
    const std::vector<Slot> before = std::exchange(slots_, {});
    slots_.resize(before.empty() ? least : 2 * before.size());
    shift_ = 32U - static_cast<unsigned>(std::countr_zero(slots_.size()));
    for (const Slot& slot : before) {
      if (slot.host != nobody) {
        slot_of(slot.host) = slot;
      }
    }
  }

  std::uint32_t hosts_;
  Memory memory_;
  std::vector<Counters> all_;  // by HostIndex; empty if only counted hosts are stored
  std::vector<Slot> slots_;    // size: a power of two, or 0
  std::size_t used_ = 0;
  unsigned shift_ = 0;
};

}  // namespace spillway::health
