// The sentences of a plan's objectives and answers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::plan {
enum class Cause : std::uint8_t;      // loads.hpp
enum class Judgement : std::uint8_t;  // objectives.hpp
enum class Metric : std::uint8_t;     // objectives.hpp
struct Addition;                      // plan.hpp
struct Bound;                         // objectives.hpp
struct Estimate;                      // measured.hpp
struct Margin;                        // objectives.hpp
struct Plan;                          // plan.hpp
struct Row;                           // plan.hpp
}  // namespace spillway::plan

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// The key of `objectives`: "utilisation".
[[nodiscard]] std::string_view name_of(plan::Metric metric);

// A value of it with its unit: "80 %", "35 ms", "120.50 a month".
[[nodiscard]] std::string value_text(plan::Metric metric, double value);

// "120.50".
[[nodiscard]] std::string money_text(double amount);

// "2,880 rps".
[[nodiscard]] std::string rate_text(double rate);

// A moment as --at takes it: "20s".
[[nodiscard]] std::string plain_seconds(std::chrono::nanoseconds at);

// "+6.7 %", "-20 %"; empty where there is no limit.
[[nodiscard]] std::string growth_text(double growth);

// The headroom of a row: "+33.3 %"; "at most +33.3 %" where an objective is measured, which may end it sooner, and
// "none" where such a one is missed already.
[[nodiscard]] std::string row_headroom_text(const plan::Row& row);

// "at most 80 %", "below 100 %".
[[nodiscard]] std::string limit_text(const plan::Bound& bound);

// "utilisation of backend-13 (zone-2) 112 %, at most 80 %".
[[nodiscard]] std::string margin_text(const scenario::Scenario& scenario, const plan::Margin& margin);

// "backend-13 (zone-2)".
[[nodiscard]] std::string endpoint_text(const scenario::Scenario& scenario, config::EndpointIndex endpoint);

// "backend: utilisation at most 80 %, error_share at most 0 %", one text a service.
[[nodiscard]] std::vector<std::string> objective_texts(const scenario::Scenario& scenario, const plan::Plan& plan);

// What was measured, with its 95 % interval: "0.2 % of requests failed (0.15 % to 0.27 %)"; of a latency "62 ms, 1.6 %
// of requests took longer (1.4 % to 1.8 %)", all requests counted: "unbounded" where too many failed.
[[nodiscard]] std::string estimate_value_text(const plan::Estimate& estimate);
// "p99 of backend at most 50 ms: 62 ms, 1.6 % of requests took longer (1.4 % to 1.8 %), at most 1 % may".
[[nodiscard]] std::string estimate_text(const scenario::Scenario& scenario, const plan::Estimate& estimate);

// "holds", "undecided", "fails".
[[nodiscard]] std::string_view name_of(plan::Judgement judgement);

// "panic sends them to endpoints that are lost".
[[nodiscard]] std::string cause_text(plan::Cause cause);

// Whether the plan's headroom is that of this row.
[[nodiscard]] bool is_tightest(const plan::Plan& plan, const plan::Row& row);

// A row's verdict: "OK", "OK, tightest", "no traffic", "undecided: ...", "failed: utilisation of backend-13 (zone-2)
// 112 %, at most 80 %".
[[nodiscard]] std::string verdict_text(const scenario::Scenario& scenario, const plan::Plan& plan,
                                       const plan::Row& row);

// How much more headroom one endpoint more gives, in requests a second. Nullopt if it is unknown: what ends it is
// measured, and was not with that endpoint, or nothing ends it.
[[nodiscard]] std::optional<double> gain_of(const plan::Plan& plan, const plan::Addition& addition);

// The answers, a title and a sentence or more each: {"headroom", {"2,880 rps (+6.7 %): ..."}}.
struct Answer {
  std::string title;
  std::vector<std::string> sentences;
};
[[nodiscard]] std::vector<Answer> plan_answers(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
