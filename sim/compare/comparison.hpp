// The result of comparing a proxy's counts with the shares predicted from its configuration: plain data, before
// anything is printed (docs/compare.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::compare {

// False-alarm chance of all tests of a comparison together.
inline constexpr double false_alarm = 1e-4;

enum class Level : std::uint8_t { host, zone, priority };

// A test of hosts, grouped by zone or priority or individually.
struct FitTest {
  Level level = Level::host;
  std::size_t cells = 0;  // number tested
  double chance = 1.0;    // of counts that deviate at least this much
};

struct HostRow {
  std::string cluster;  // the member of an aggregate
  std::string address;
  config::Locality locality = {};
  std::optional<config::Priority> priority = {};  // nullopt if the host is not in the configuration
  std::optional<double> predicted = {};           // share of the picks; nullopt if exact only together with other hosts
  double at_rest = 0.0;                           // share with no request in flight; otherwise as predicted
  std::uint64_t requests = 0;
  std::uint64_t connect_failures = 0;
  std::string health_before = {};  // from /clusters; empty if unknown
  std::string health_after = {};
};

struct GroupRow {
  Level level = Level::zone;
  std::string name;
  std::optional<double> predicted;
  std::uint64_t requests = 0;
};

// A difference between the configuration and the proxy's state of a host.
struct Difference {
  std::string address;
  std::string what;  // "weight", "priority", "locality", "EDS health", "member"
  std::string configured;
  std::string held;
};

enum class ReasonKind : std::uint8_t {
  part_of_the_time,    // a host was unhealthy, ejected or away for some of the requests
  connect_failures,    // picks without a connection are not counted as requests
  reported_otherwise,  // the proxy has other hosts or weights than the configuration
  weights_changed,     // between the two times
  requests_in_flight,  // least request
  sticky_keys,         // a hash policy with few keys, or keys of unequal weight
  several_workers,     // each has its own schedule
  retries,
  another_client,
  counters_reset,
  weights_ignored  // as if all hosts had the same weight
};

// Returns "part_of_the_time" and so on.
[[nodiscard]] std::string_view name_of(ReasonKind kind) noexcept;

struct Reason {
  ReasonKind kind = ReasonKind::part_of_the_time;
  bool explains = false;  // counts fit under this reason
  bool seen = false;      // visible in the data, independent of the counts
  double chance = 0.0;    // of the counts under this reason
  std::string text;       // "127.0.0.1:80 was unhealthy for 37 % of the requests"
};

struct ClusterComparison {
  std::string name;
  study::Verdict verdict = study::Verdict::unknown;
  std::string why = {};  // unknown: the reason
  std::uint64_t requests = 0;
  std::vector<HostRow> hosts = {};
  std::vector<GroupRow> groups = {};  // zones, then priorities, if there are several
  std::vector<FitTest> tests = {};
  std::vector<Difference> differences = {};
  std::vector<Reason> reasons = {};     // for deviations: explaining ones first
  std::vector<std::string> notes = {};  // considered or assumed facts
  double dispersion = 0.0;              // squared deviation of counts: 1 for random picks; 0 if unknown

  [[nodiscard]] bool agrees() const noexcept { return verdict != study::Verdict::missed && differences.empty(); }
};

// Requests of an access log without cluster names that are not assigned to a cluster.
struct UnassignedRequests {
  std::uint64_t of_no_cluster = 0;  // the address is in no cluster of the configuration
  std::uint64_t of_several = 0;     // the address is in more than one
  std::uint64_t in_log = 0;         // requests that reached any host
  std::string address = {};         // the first address that is in no cluster
};

struct Comparison {
  std::vector<ClusterComparison> clusters;  // in the order of the configuration
  std::vector<std::string> unknown = {};    // clusters with requests that are not in the configuration
  std::vector<std::string> idle = {};       // clusters without requests
  std::size_t tests = 0;
  UnassignedRequests unassigned = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] bool agrees() const noexcept {
    for (const ClusterComparison& cluster : clusters) {
      if (!cluster.agrees()) {
        return false;
      }
    }
    return unknown.empty();
  }
  // True if nothing differs because nothing was compared.
  [[nodiscard]] bool is_unknown() const noexcept {
    for (const ClusterComparison& cluster : clusters) {
      if (cluster.verdict == study::Verdict::met || !cluster.agrees()) {
        return false;
      }
    }
    return unknown.empty();
  }
};

}  // namespace spillway::compare
