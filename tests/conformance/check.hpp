// Compares what a case expects with what the models compute, and remembers every difference.
//
// A field that documents a figure instead of fixing one (documentation()) is let through; any other field that no check
// has asked for is a difference, so that nothing expected goes unseen.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

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
