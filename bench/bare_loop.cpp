// The least that a simulation of least request over queues has to do, as the measure for all that Spillway does
// besides: random numbers, the better of two hosts, four cores in a line for each endpoint, and a calendar of answers.
// No scenario, no policies, no results but a mean.
//
//   bare_loop 10000000 1000 1000     // requests, clients, endpoints; prints millions of requests a second
//
// Poisson arrivals at 70 % of what the endpoints can do, exponential service times, half a millisecond each way.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/numeric/logarithm.hpp"

namespace {

constexpr std::size_t cores = 4;
constexpr double service_ns = 10e6;
constexpr double one_way_ns = 0.5e6;
constexpr double utilisation = 0.7;

class Random {
 public:
  std::uint64_t operator()() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32);
  }

 private:
  std::uint64_t state_[4] = {0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU, 0x2545f4914f6cdd1dU};
};

// Exponential numbers of mean 1, made a thousand at a time.
class Exponentials {
 public:
  double next(Random& random) {
    if (place_ == size) {
      for (double& value : values_) {
        value = static_cast<double>((random() >> 11) + 1) * 0x1p-53;
      }
      spillway::numeric::natural_logarithms(values_, size);
      place_ = 0;
    }
    return -values_[place_++];
  }

 private:
  static constexpr std::size_t size = 1024;
  double values_[size] = {};
  std::size_t place_ = size;
};

struct Answer {
  std::int64_t at = 0;
  std::uint32_t pair = 0;  // client * endpoints + endpoint
  std::uint32_t next = UINT32_MAX;
};

// Buckets of answers by time, linked lists over one array; what is beyond the last bucket waits for the next round.
class Wheel {
 public:
  explicit Wheel(double gap) : bits_(static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(2.0 * gap)))) {
    const double buckets = 20.0 * service_ns / static_cast<double>(std::uint64_t{1} << bits_);
    first_.assign(std::bit_ceil(static_cast<std::size_t>(buckets)), UINT32_MAX);
  }

  [[nodiscard]] std::int64_t end_of(std::uint64_t bucket) const {
    return static_cast<std::int64_t>((bucket + 1) << bits_);
  }

  void add(std::int64_t at, std::uint32_t pair, std::uint64_t now) {
    const std::uint64_t bucket = std::max(static_cast<std::uint64_t>(at) >> bits_, now);
    if (bucket == now) {
      insert({at, pair});
      return;
    }
    std::uint32_t slot = free_;
    if (slot == UINT32_MAX) {
      slot = static_cast<std::uint32_t>(answers_.size());
      answers_.emplace_back();
    } else {
      free_ = answers_[slot].next;
    }
    // The rare answer beyond the wheel comes by once a round.
    std::uint32_t& first = first_[bucket & (first_.size() - 1)];
    answers_[slot] = {at, pair, first};
    first = slot;
  }

  // The answers of this bucket, the last one first.
  std::vector<Answer>& open(std::uint64_t bucket) {
    std::uint32_t& first = first_[bucket & (first_.size() - 1)];
    std::uint32_t slot = std::exchange(first, UINT32_MAX);
    while (slot != UINT32_MAX) {
      Answer& answer = answers_[slot];
      const std::uint32_t next = answer.next;
      if (answer.at >= end_of(bucket)) {
        answer.next = first;
        first = slot;
      } else {
        insert(answer);
        answer.next = free_;
        free_ = slot;
      }
      slot = next;
    }
    return present_;
  }

 private:
  void insert(const Answer& answer) {
    present_.push_back(answer);
    for (std::size_t place = present_.size() - 1; place > 0 && present_[place - 1].at < present_[place].at; --place) {
      std::swap(present_[place - 1], present_[place]);
    }
  }

  unsigned bits_;
  std::vector<std::uint32_t> first_;
  std::vector<Answer> answers_;
  std::uint32_t free_ = UINT32_MAX;
  std::vector<Answer> present_;
};

}  // namespace

int main(int count, char** words) {
  const auto number = [&](int place, std::uint64_t otherwise) {
    return count > place ? std::strtoull(words[place], nullptr, 10) : otherwise;
  };
  const std::uint64_t requests = number(1, 10'000'000);
  const auto clients = static_cast<std::uint32_t>(number(2, 1000));
  const auto endpoints = static_cast<std::uint32_t>(number(3, 1000));

  Random random;
  Exponentials exponentials;
  const double gap = service_ns / (utilisation * cores * endpoints);
  Wheel wheel(gap);
  std::vector<std::uint32_t> in_flight(std::size_t{clients} * endpoints, 0);
  std::vector<std::int64_t> free_at(cores * endpoints, 0);
  double latency = 0.0;
  std::uint64_t answered = 0;
  auto arrival = static_cast<std::int64_t>(exponentials.next(random) * gap);
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t bucket = 0; answered < requests; ++bucket) {
    std::vector<Answer>& present = wheel.open(bucket);
    const std::int64_t end = wheel.end_of(bucket);
    while (!present.empty() || arrival < end) {
      if (!present.empty() && present.back().at <= arrival) {
        --in_flight[present.back().pair];
        present.pop_back();
        ++answered;
        continue;
      }
      const std::uint32_t client = random.below(clients);
      const std::uint32_t row = client * endpoints;
      const std::uint32_t one = random.below(endpoints);
      const std::uint32_t other = random.below(endpoints);
      const std::uint32_t host = in_flight[row + other] < in_flight[row + one] ? other : one;
      ++in_flight[row + host];
      std::int64_t* const first = &free_at[cores * host];
      std::int64_t* const core = std::min_element(first, first + cores);
      const std::int64_t start = std::max(arrival + static_cast<std::int64_t>(one_way_ns), *core);
      *core = start + static_cast<std::int64_t>(exponentials.next(random) * service_ns);
      const std::int64_t answer = *core + static_cast<std::int64_t>(one_way_ns);
      latency += static_cast<double>(answer - arrival);
      wheel.add(answer, row + host, bucket);
      arrival += static_cast<std::int64_t>(exponentials.next(random) * gap);
    }
  }
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%.3f million requests a second, mean latency %.4f ms\n", static_cast<double>(answered) / took / 1e6,
              latency / static_cast<double>(answered) / 1e6);
  return 0;
}
