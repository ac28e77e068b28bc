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
#include <map>
#include <memory>
#include <utility>
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
      own_.resize(hosts, 0);
      dense_ = own_.data();
    }
  }

  // From now on a plain array's counts stand elsewhere: each `stride`th number from `first` on, which is theirs alone.
  void move_to(std::uint32_t* first, std::size_t stride) {
    for (std::size_t host = 0; host < hosts_; ++host) {
      first[host * stride] = dense_[host * stride_];
    }
    dense_ = first;
    stride_ = stride;
    own_ = {};
  }

  // Counters that are those of one host, at several priorities: they count alike.
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

  // What the processor will need of the counter is on its way.
  void prefetch(std::size_t slot) const noexcept {
    if (sparse_) {
      sparse_->prefetch(slot);
    } else {
      __builtin_prefetch(dense_ + slot * stride_, 1);
    }
  }

  // One of them, for loops that keep it at hand; null: it is the other. By slot, until move_to().
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
  std::uint32_t* dense_ = nullptr;  // null: nobody looks, or they are sparse
  std::size_t stride_ = 1;
  std::vector<std::uint32_t> own_;  // what dense_ means, unless that is elsewhere
  std::unique_ptr<envoy::SparseCounts> sparse_;
  std::shared_ptr<const OfOneHost> of_one_host_;  // null: no host has several
};

}  // namespace spillway::run
