// Compares what a case expects with what the models compute, and remembers every difference.
//
// A field that documents a figure instead of fixing one (documentation()) is let through; any other field that no check
// has asked for is a difference, so that nothing expected goes unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/config/refusal.hpp"

namespace spillway::conformance {

using nlohmann::json;

class Check {
 public:
  explicit Check(const json& expected) : expected_(expected) {}

  [[nodiscard]] const json& expected() const { return expected_; }

  // Whether the case expects this field at all.
  [[nodiscard]] bool expects(const std::string& field) const { return expected_.contains(field); }

  // Numbers are equal as numbers, doubles to the last bit.
  void equal(const std::string& field, const json& actual);

  // Compares all that the case expects at once, where that is not an object of fields.
  void equal_whole(const json& actual);

  // The caller has compared everything by itself, and calls fail() for what differs.
  void whole_compared() { whole_seen_ = true; }

  // For what is costly or only sometimes defined.
  void equal_if_expected(const std::string& field, const std::function<json()>& actual);

  // Expects a part of Envoy's message, or null where Envoy accepts a configuration.
  void refusal(const config::Refusal& refused) { refusal(refused, expected_); }
  void refusal(const config::Refusal& refused, const json& expected);

  // Numbers, or arrays of them, that were written with so many decimals.
  void equal_rounded(const std::string& field, const json& actual, int decimals);

  void documentation(const std::string& field) { seen_.insert(field); }
  void fail(std::string difference) { differences_.push_back(std::move(difference)); }

  // All differences; call it last.
  [[nodiscard]] std::vector<std::string> finish();

 private:
  const json& expected_;
  std::set<std::string> seen_;
  bool whole_seen_ = false;
  std::vector<std::string> differences_;
};

// One kind of case: replays `input` and checks what it yields. Throws on input that it cannot read.
using Replay = void (*)(const json& input, Check& check);

// How many live cases the file holds: they share its chance of a false alarm.
void set_live_cases(std::size_t count);
[[nodiscard]] std::size_t live_cases();

// Draws what a case lists, in order; throws beyond that.
class ListedDraws {
 public:
  explicit ListedDraws(const json& draws) : draws_(draws.get<std::vector<std::uint64_t>>()) {}

  std::uint64_t operator()() { return draws_.at(next_++); }

 private:
  std::vector<std::uint64_t> draws_;
  std::size_t next_ = 0;
};

// Replays a case of that kind and op; throws for a kind or op that nobody knows.
void replay(const std::string& kind, const json& input, Check& check);

// The kinds, one file each.
void replay_priority_load(const json& input, Check& check);
void replay_panic(const json& input, Check& check);
void replay_degraded(const json& input, Check& check);
void replay_locality(const json& input, Check& check);
void replay_zone_aware(const json& input, Check& check);
void replay_aggregate(const json& input, Check& check);
void replay_live_share(const json& input, Check& check);
void replay_outlier_script(const json& input, Check& check);
void replay_outlier_durations(const json& input, Check& check);
void replay_outlier_jitter(const json& input, Check& check);
void replay_outlier_config(const json& input, Check& check);
void replay_outlier_sr_threshold(const json& input, Check& check);
void replay_health_check_session(const json& input, Check& check);
void replay_health_check_next(const json& input, Check& check);
void replay_health_check_first_delay(const json& input, Check& check);
void replay_slow_start_factor(const json& input, Check& check);
void replay_retry_budget_max(const json& input, Check& check);
void replay_retry_budget_allowed(const json& input, Check& check);
void replay_retry_decision(const json& input, Check& check);
void replay_retry_backoff(const json& input, Check& check);
void replay_retry_rate_limited_backoff(const json& input, Check& check);
void replay_retry_host_selection_attempts(const json& input, Check& check);
void replay_retry_excluded_priorities(const json& input, Check& check);
void replay_host_coarse_health(const json& input, Check& check);
void replay_host_health_status(const json& input, Check& check);
void replay_least_request_weight(const json& input, Check& check);
void replay_legacy_least_request(const json& input, Check& check);
void replay_legacy_least_request_p2c(const json& input, Check& check);
void replay_defaults(const json& input, Check& check);
void replay_config_reject(const json& input, Check& check);

// Why Envoy refuses a message of a pick policy; none: it takes it.
[[nodiscard]] config::Refusal policy_refusal(const std::string& message, const json& config);

// The defaults of a pick policy.
[[nodiscard]] json policy_defaults(const std::string& message);

// Kinds of the pick policies by name; each file adds its own.
using Replays = std::map<std::string, Replay>;
[[nodiscard]] const Replays& hash_replays();
[[nodiscard]] const Replays& hash_table_replays();
[[nodiscard]] const Replays& schedule_replays();
[[nodiscard]] const Replays& subset_replays();
[[nodiscard]] const Replays& session_replays();
[[nodiscard]] const Replays& policy_config_replays();
[[nodiscard]] const Replays& live_pick_replays();

}  // namespace spillway::conformance
