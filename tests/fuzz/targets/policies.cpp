// Machines of the balancing stack, driven by random operations beside slow twins that are right by their looks.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"
#include "models/health/circuit_breaker.hpp"
#include "models/health/update_merge_window.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

using std::chrono::nanoseconds;

// A list that is searched from its begin at each pick.
class SlowSchedule {
 public:
  explicit SlowSchedule(const std::vector<double>& weights) {
    for (std::uint32_t position = 0; position < weights.size(); ++position) {
      entries_.push_back({1.0 / weights[position], order_++, position});
    }
  }
  std::uint32_t pick(const std::vector<double>& weights) {
    const auto first = std::min_element(entries_.begin(), entries_.end(), [](const Entry& one, const Entry& other) {
      return one.deadline < other.deadline || (one.deadline == other.deadline && one.order < other.order);
    });
    const std::uint32_t position = first->position;
    first->deadline = first->deadline + 1.0 / weights[position];
    first->order = order_++;
    return position;
  }

 private:
  struct Entry {
    double deadline;
    std::uint64_t order;
    std::uint32_t position;
  };
  std::vector<Entry> entries_;
  std::uint64_t order_ = 0;
};

void drive_schedule(Bytes& bytes) {
  std::vector<double> weights(1 + bytes.below(12));
  for (double& weight : weights) {
    weight = 1.0 + bytes.below(100);
  }
  const unsigned before = bytes.below(50);
  envoy::EdfScheduler fast = envoy::EdfScheduler::plain(weights, before);
  SlowSchedule slow(weights);
  for (unsigned pick = 0; pick < before; ++pick) {
    static_cast<void>(slow.pick(weights));
  }
  while (!bytes.empty()) {
    if (const unsigned operation = bytes.next(); operation < 32) {
      weights[operation % weights.size()] = 1.0 + bytes.below(100);
    }
    require(fast.pick(weights) == slow.pick(weights), "EDF picks as a search through all entries does");
  }
}

// Keeps the moments at which something was applied, and a timer.
void drive_window(Bytes& bytes) {
  const nanoseconds length{bytes.below(200)};
  health::UpdateMergeWindow window(length);
  std::optional<nanoseconds> applied;
  std::optional<nanoseconds> timer;
  nanoseconds now{0};
  while (!bytes.empty()) {
    now += nanoseconds{bytes.below(100)};
    if (timer && now >= *timer) {
      require(window.deliver(now), "a timer that is due delivers");
      applied = now;
      timer.reset();
    }
    const unsigned operation = bytes.next();
    if (operation % 8 == 0) {
      window.overtaken(now);
      applied = now;
      timer.reset();
      continue;
    }
    const auto action = window.change(now);
    if (timer) {
      require(action == health::UpdateMergeWindow::Action::keep_still, "a change waits with those before it");
    } else if (length == nanoseconds{0} || !applied || now - *applied > length) {
      require(action == health::UpdateMergeWindow::Action::apply, "a change after the window is applied");
      applied = now;
    } else {
      require(action == health::UpdateMergeWindow::Action::start, "a change within the window starts a timer");
      timer = now + length;
    }
  }
}

// Both layouts of a Maglev table and a ring that is searched from its begin.
void drive_tables(Bytes& bytes) {
  std::vector<envoy::NormalizedHost> hosts;
  std::vector<config::LbEndpoint> endpoints(1 + bytes.below(20));
  double sum = 0.0;
  for (std::uint32_t host = 0; host < endpoints.size(); ++host) {
    endpoints[host].address = "10.0.0." + std::to_string(host) + ":80";
    hosts.push_back({{host}, 1.0 + bytes.below(10)});
    sum += hosts.back().weight;
  }
  for (auto& host : hosts) {
    host.weight /= sum;
  }
  constexpr std::uint64_t sizes[] = {2, 5, 7, 101, 251};
  const envoy::policies::HashTableInput input{.hosts = hosts, .endpoints = endpoints};
  const envoy::policies::maglev::Config config{.table_size = sizes[bytes.next() % 5]};
  using envoy::policies::maglev::Layout;
  const envoy::policies::maglev::Table plain(config, input, Layout::original);
  const envoy::policies::maglev::Table packed(config, input, Layout::compact);
  const std::uint64_t size = 1 + bytes.below(60);
  const envoy::policies::ring_hash::Ring ring({.minimum_ring_size = size, .maximum_ring_size = 2 * size}, input);
  while (!bytes.empty()) {
    std::uint64_t hash = 0;
    for (int byte = 0; byte < 8; ++byte) {
      hash = hash << 8U | bytes.next();
    }
    const std::uint32_t attempt = bytes.next() % 4;
    require(plain.pick(hash, attempt) == packed.pick(hash, attempt), "both layouts of a Maglev table pick alike");
    const auto points = ring.points();
    const auto after =
        std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.hash >= hash; });
    const std::size_t first = after == points.end() ? 0 : static_cast<std::size_t>(after - points.begin());
    require(points.empty() || ring.pick(hash, attempt) == points[(first + attempt) % points.size()].host,
            "a ring picks as a search from its first point does");
  }
}

void drive_breaker(Bytes& bytes) {
  health::CircuitBreaker breaker({}, config::RoutingPriority::default_priority);
  std::uint64_t requests = 0;
  while (!bytes.empty()) {
    if (bytes.next() % 2 == 0) {
      breaker.increase(health::Resource::requests);
      ++requests;
    } else if (requests > 0) {
      breaker.decrease(health::Resource::requests);
      --requests;
    }
    require(breaker.count(health::Resource::requests) == requests, "a breaker counts what is open");
    require(breaker.can_create(health::Resource::requests) == (requests < breaker.max(health::Resource::requests)),
            "a breaker opens at its limit");
  }
}

}  // namespace

void drive_policies(std::string_view bytes) {
  Bytes from(bytes);
  switch (from.next() % 4) {
    case 0:
      drive_schedule(from);
      break;
    case 1:
      drive_window(from);
      break;
    case 2:
      drive_tables(from);
      break;
    default:
      drive_breaker(from);
  }
}

}  // namespace spillway::fuzzing
