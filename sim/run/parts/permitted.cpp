// The resources of the machine that a run may use.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sched.h>
#include <string>

#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/parts/side_by_side.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

// Parses "200000 100000": microseconds of processor time per microseconds; "max" means no limit.
double cores_of_control_group() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0.0;
  double period = 0.0;
  return file >> quota >> period && quota > 0.0 && period > 0.0 ? quota / period
                                                                : std::numeric_limits<double>::infinity();
}

std::uint64_t number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : std::numeric_limits<std::uint64_t>::max();  // "max", or no such file
}

std::uint64_t free_bytes() {
  std::uint64_t free = std::numeric_limits<std::uint64_t>::max();
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kilobytes = 0;
  std::string unit;
  while (file >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") {
      constexpr std::uint64_t kilobyte = 1024;
      free = kilobytes * kilobyte;
    }
  }
  const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max");
  const std::uint64_t taken = number_in("/sys/fs/cgroup/memory.current");
  return most > taken ? std::min(free, most - taken) : free;
}

}  // namespace

std::size_t permitted_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int by_affinity = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  const double cores = std::min(static_cast<double>(by_affinity), std::ceil(cores_of_control_group()));
  return static_cast<std::size_t>(std::max(cores, 1.0));
}

// Returns estimated bytes. Measured (docs/performance.md): 48 MB for a million pairs without watches, 333 MB for a
// million with everything.
std::uint64_t estimated_bytes(const scenario::Scenario& scenario) {
  constexpr std::uint64_t program = 30'000'000;
  constexpr std::uint64_t endpoint = 2'000;
  constexpr std::uint64_t proxy = 2'000;
  constexpr std::uint64_t pair = 8;
  constexpr std::uint64_t watched = 150;
  constexpr std::uint64_t connected = 150;
  std::uint64_t bytes = program + endpoint * scenario.endpoints.size();
  for (const scenario::ClientEntry& client : scenario.clients) {
    for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
      for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
        const scenario::Service& of = scenario.services[member.value];
        const std::uint64_t of_pair = pair + (ClusterWatch::needed(of.cluster) ? watched : 0) +
                                      (ConnectionPool::needed(of.cluster) ? connected : 0);
        bytes += client.count * (proxy * client.concurrency + of_pair * of.hosts.size());
      }
    }
  }
  return bytes;
}

std::size_t sensible_jobs(const scenario::Scenario& scenario) {
  const std::uint64_t room = free_bytes() / 2 / std::max<std::uint64_t>(estimated_bytes(scenario), 1);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(room, 1, permitted_cores()));
}

}  // namespace spillway::run
