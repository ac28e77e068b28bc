// What came of holding a proxy's counts against the shares that its configuration makes: plain data, before anything is
// printed (docs/compare.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"

namespace spillway::compare {

// All tests of a comparison together fail by accident with this chance.
inline constexpr double false_alarm = 1e-4;

// too_few: fewer requests than a test needs. not_compared: nothing can be said, and `why` says why.
enum class Verdict : std::uint8_t { fits, deviates, too_few, not_compared };

enum class Level : std::uint8_t { host, zone, priority };

// Hosts by zone or priority, or each for itself.
struct FitTest {
  Level level = Level::host;
  std::size_t cells = 0;  // that were tested
  double chance = 1.0;    // of counts that stray at least so far
};

struct HostRow {
  std::string cluster;  // of an aggregate's: which
  std::string address;
  config::Locality locality = {};
  std::optional<config::Priority> priority = {};  // none: the configuration does not have the host
  std::optional<double> predicted = {};           // of the picks; none: exact only together with other hosts
  double at_rest = 0.0;                           // with no request in flight; else as predicted
  std::uint64_t requests = 0;
  std::uint64_t connect_failures = 0;
  std::string health_before = {};  // as /clusters has it; empty: not told
  std::string health_after = {};
};

struct GroupRow {
  Level level = Level::zone;
  std::string name;
  std::optional<double> predicted;
  std::uint64_t requests = 0;
};

// What the configuration says of a host and what the proxy holds.
struct Difference {
  std::string address;
  std::string what;  // "weight", "priority", "locality", "EDS health", "member"
  std::string configured;
  std::string held;
};

enum class ReasonKind : std::uint8_t {
  part_of_the_time,    // a host was unhealthy, ejected or away for some of the requests
  connect_failures,    // picks that got no connection are no requests
  reported_otherwise,  // the proxy holds other hosts or weights than the configuration
  weights_changed,     // between the two moments
  requests_in_flight,  // least request
  sticky_keys,         // a hash policy under few keys, or keys of unequal weight
  several_workers,     // each has a schedule of its own
  retries,
  another_client,
  counters_reset,
  weights_ignored  // as if all hosts had the same weight
};

// "part_of_the_time" and so on.
[[nodiscard]] std::string_view name_of(ReasonKind kind) noexcept;

struct Reason {
  ReasonKind kind = ReasonKind::part_of_the_time;
  bool explains = false;  // under it the counts fit
  bool seen = false;      // what was read shows it, apart from the counts
  double chance = 0.0;    // of the counts under it
  std::string text;       // "127.0.0.1:80 was unhealthy for 37 % of the requests"
};

struct ClusterComparison {
  std::string name;
  Verdict verdict = Verdict::not_compared;
  std::string why = {};  // of not_compared
  std::uint64_t requests = 0;
  std::vector<HostRow> hosts = {};
  std::vector<GroupRow> groups = {};  // zones, then priorities, where there are several
  std::vector<FitTest> tests = {};
  std::vector<Difference> differences = {};
  std::vector<Reason> reasons = {};     // of what deviates: those that explain it first
  std::vector<std::string> notes = {};  // what was taken into account or assumed
  double dispersion = 0.0;              // how far counts stray, squared: 1 as random picks do; 0: not known

  [[nodiscard]] bool agrees() const noexcept { return verdict != Verdict::deviates && differences.empty(); }
};

// Requests of an access log without names of clusters that count for none.
struct UnassignedRequests {
  std::uint64_t of_no_cluster = 0;  // their address belongs to none of the configuration
  std::uint64_t of_several = 0;     // to more than one
  std::uint64_t in_log = 0;         // that went to any host
  std::string address = {};         // of the first that belongs to none
};

struct Comparison {
  std::vector<ClusterComparison> clusters;  // in the order of the configuration
  std::vector<std::string> unknown = {};    // clusters with requests that the configuration does not have
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
};

}  // namespace spillway::compare
