// The time after a failure: its end is simulated, to see if requests succeed again.
//
//   plan::add_recoveries(variants, variant, rows);
//   rows[1].recovery->verdict;  // recovers, or does_not_recover: retries hold it down
//
// A failure lasts as long as the scenario, at most 20 s, and requests must succeed again as they did before, without a
// longer wait, within six times as long. One replication decides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::plan {

class Variants;  // variants.hpp
struct Row;      // plan.hpp
struct Variant;  // variants.hpp

struct Recovery {
  enum class Verdict : std::uint8_t { recovers, does_not_recover, unknown };
  Verdict verdict = Verdict::unknown;
  double seconds = 0.0;   // recovers: from the end of the failure to the last interval that is bad (aftermath.hpp)
  double watched = 0.0;   // does_not_recover: the time after the end that was simulated [s]
  double failing = 0.0;   // does_not_recover: share of the requests that fail in the last quarter of that time
  double attempts = 1.0;  // does_not_recover: attempts per request over the whole simulation
  std::string held_down_by = {};  // does_not_recover: "retries", "time-outs", "circuit breakers", "queues", "ejections"
  std::string fix = {};           // does_not_recover: the smallest change of a setting with which it recovers
  std::string reason = {};        // unknown
};

// Sets the recovery of each row that loses or degrades endpoints. Rows in which no endpoint is near its capacity and no
// request fails at an endpoint recover at once, without a simulation.
void add_recoveries(const Variants& variants, const Variant& variant, std::vector<Row>& rows);

}  // namespace spillway::plan
