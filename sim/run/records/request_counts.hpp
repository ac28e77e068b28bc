// The requests that one proxy has in flight at each host of a flow, counted if a policy reads them.
//
//   RequestCounts counts(hosts, false);
//   counts.increase(slot);                     // slots as RequestContext numbers hosts
//   balancer.choose(draw, {.active_requests = counts.view()});
//
// Few counters are a plain array. If all proxies of a flow together would have too many counters, they are sparse, with
// the same results: memory then grows with the requests in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/envoy/active_requests.hpp"

namespace spillway::run {

class RequestCounts {
 public:
  // Above this many counters of a flow (64 MB) they are sparse.
  static constexpr std::size_t most_dense = 1U << 24U;

  RequestCounts() = default;  // not counted
  RequestCounts(std::size_t hosts, bool sparse) : hosts_(hosts) {
    if (sparse) {
      sparse_ = std::make_unique<envoy::SparseCounts>();
    } else {
      own_.resize(hosts, 0);
      dense_ = own_.data();
    }
  }

  // Moves a plain array's counts: to every `stride`th number from `first` on, for exclusive use.
  void move_to(std::uint32_t* first, std::size_t stride) {
    for (std::size_t host = 0; host < hosts_; ++host) {
      first[host * stride] = dense_[host * stride_];
    }
    dense_ = first;
    stride_ = stride;
    own_ = {};
  }

  // Counters of one host at several priorities: they are counted together.
  using OfOneHost = std::map<std::size_t, std::vector<std::size_t>>;
  void set_of_one_host(std::shared_ptr<const OfOneHost> of_one_host) { of_one_host_ = std::move(of_one_host); }

  [[nodiscard]] bool empty() const noexcept { return hosts_ == 0; }
  void increase(std::size_t slot) {
    for_each_of_one_host(slot, [this](std::size_t counter) {
      if (sparse_) {
        sparse_->increase(counter);
      } else {
        ++dense_[counter * stride_];
      }
    });
  }
  void decrease(std::size_t slot) noexcept {
    for_each_of_one_host(slot, [this](std::size_t counter) {
      if (sparse_) {
        sparse_->decrease(counter);
      } else {
        --dense_[counter * stride_];
      }
    });
  }
  [[nodiscard]] envoy::ActiveRequests view() const noexcept {
    return sparse_ ? envoy::ActiveRequests(*sparse_, hosts_) : envoy::ActiveRequests(dense_, stride_, hosts_);
  }

  // Prefetches the counter.
  void prefetch(std::size_t slot) const noexcept {
    if (sparse_) {
      sparse_->prefetch(slot);
    } else {
      __builtin_prefetch(dense_ + slot * stride_, 1);
    }
  }

  // Return one of the two forms, for loops that keep it at hand; null if it is the other. dense() is by slot, until
  // move_to().
  [[nodiscard]] const std::uint32_t* dense() const noexcept { return dense_; }
  [[nodiscard]] std::uint32_t* dense() noexcept { return dense_; }
  [[nodiscard]] envoy::SparseCounts* sparse() noexcept { return sparse_.get(); }

 private:
  template <class Change>
  void for_each_of_one_host(std::size_t slot, Change change) {
    const std::vector<std::size_t>* together = nullptr;
    if (of_one_host_) {
      const auto found = of_one_host_->find(slot);
      together = found == of_one_host_->end() ? nullptr : &found->second;
    }
    if (together == nullptr) {
      change(slot);
      return;
    }
    for (const std::size_t counter : *together) {
      change(counter);
    }
  }

  std::size_t hosts_ = 0;
  std::uint32_t* dense_ = nullptr;  // null if not counted or sparse
  std::size_t stride_ = 1;
  std::vector<std::uint32_t> own_;  // dense_ points here until move_to()
  std::unique_ptr<envoy::SparseCounts> sparse_;
  std::shared_ptr<const OfOneHost> of_one_host_;  // null if no host has several
};

}  // namespace spillway::run
