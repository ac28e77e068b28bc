// The requests that one proxy has in flight at each host of a flow, counted where a policy looks at them.
//
//   RequestCounts counts(hosts, false);
//   counts.increase(slot);                     // slots as RequestContext numbers hosts
//   balancer.choose(draw, {.active_requests = counts.view()});
//
// Few are a plain array. Where all proxies of a flow together would have too many counters, they are sparse, with the
// same results: memory then grows with what is in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/envoy/active_requests.hpp"

namespace spillway::run {

class RequestCounts {
 public:
  // Above so many counters of a flow (64 MB of them) they are sparse.
  static constexpr std::size_t most_dense = 1U << 24U;

  RequestCounts() = default;  // nobody looks
  RequestCounts(std::size_t hosts, bool sparse) : hosts_(hosts) {
    if (sparse) {
      sparse_ = std::make_unique<envoy::SparseCounts>();
    } else {
      dense_.resize(hosts, 0);
    }
  }

  [[nodiscard]] bool empty() const noexcept { return hosts_ == 0; }
  void increase(std::size_t slot) {
    if (sparse_) {
      sparse_->increase(slot);
    } else {
      ++dense_[slot];
    }
  }
  void decrease(std::size_t slot) noexcept {
    if (sparse_) {
      sparse_->decrease(slot);
    } else {
      --dense_[slot];
    }
  }
  [[nodiscard]] envoy::ActiveRequests view() const noexcept {
    return sparse_ ? envoy::ActiveRequests(*sparse_, hosts_) : envoy::ActiveRequests(dense_);
  }

  // One of them, for loops that keep it at hand; null: it is the other.
  [[nodiscard]] std::uint32_t* dense() noexcept { return dense_.empty() ? nullptr : dense_.data(); }
  [[nodiscard]] envoy::SparseCounts* sparse() noexcept { return sparse_.get(); }

 private:
  std::size_t hosts_ = 0;
  std::vector<std::uint32_t> dense_;
  std::unique_ptr<envoy::SparseCounts> sparse_;
};

}  // namespace spillway::run
