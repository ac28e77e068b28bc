// Sentences about a plan's objectives and answers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario {
struct EndpointGroup;  // variation.hpp
}  // namespace spillway::scenario

namespace spillway::study {
enum class Metric : std::uint8_t;  // metric.hpp
}  // namespace spillway::study

namespace spillway::plan {
enum class Cause : std::uint8_t;  // loads.hpp
struct Addition;                  // plan.hpp
struct Bound;                     // objectives.hpp
struct Estimate;                  // measured.hpp
struct Margin;                    // objectives.hpp
struct Part;                      // plan.hpp
struct Plan;                      // plan.hpp
struct Row;                       // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

// Rates whose ratio is at most this are not told apart by a search: nothing between them is undecided.
inline constexpr double resolution_of_search = 1.02 + 1e-9;

// Returns the key in `objectives`: "utilisation".
[[nodiscard]] std::string_view name_of(study::Metric metric);

// Formats a value of the metric with its unit: "80 %", "35 ms", "120.50 a month".
[[nodiscard]] std::string value_text(study::Metric metric, double value);

// Rounds half up to whole percent, except where this would show nothing or the limit: "67 %", "0.04 %".
[[nodiscard]] std::string whole_percent(double fraction);

// Returns "120.50".
[[nodiscard]] std::string money_text(double amount);

// Returns "2,880 rps".
[[nodiscard]] std::string rate_text(double rate);

// Formats a time as --at accepts it: "20s".
[[nodiscard]] std::string plain_seconds(std::chrono::nanoseconds at);

// Returns "+6.7 %" or "-20 %"; empty if there is no limit.
[[nodiscard]] std::string growth_text(double growth);

// Returns the headroom of a row: "+33.3 %". If an objective is measured, it may be less: "at most +33.3 %", or "none"
// if such an objective is missed already. A counted row allows at least the plan's own headroom, which was searched.
[[nodiscard]] std::string row_headroom_text(const plan::Plan& plan, const plan::Row& row);

// Returns "at most 80 %", "below 100 %".
[[nodiscard]] std::string limit_text(const plan::Bound& bound);

// Returns "utilisation of backend-13 (zone-2) 112 %, at most 80 %".
[[nodiscard]] std::string margin_text(const scenario::Scenario& scenario, const plan::Margin& margin);

// Returns "backend-13 (zone-2)".
[[nodiscard]] std::string endpoint_text(const scenario::Scenario& scenario, config::EndpointIndex endpoint);

// Returns a service's name; of a Kubernetes host such as frontend.shop.svc.cluster.local only "frontend", if no other
// service has that name.
[[nodiscard]] std::string service_text(const scenario::Scenario& scenario, config::ServiceIndex service);

// Returns where a group is, so that it differs from `all` others: "zone-1"; of several services "backend in zone-1"; of
// several groups of a service in the zone with its place in the file, "zone-1 (endpoints[1])"; of pods with their
// workload, "Deployment frontend in zone-1".
[[nodiscard]] std::string place_text(const scenario::Scenario& scenario, const scenario::EndpointGroup& group,
                                     const std::vector<plan::Part>& all);

// Joins names with commas; if there are more than four, only the first ones: "a, b, c, d and 8 more".
[[nodiscard]] std::string names_text(const std::vector<std::string>& names);

// Returns one text per set of objectives: "backend, cart: utilisation at most 80 %, error_share at most 0 %".
[[nodiscard]] std::vector<std::string> objective_texts(const scenario::Scenario& scenario, const plan::Plan& plan);

// Returns a measurement with its 95 % interval: "0.2 % of requests failed (0.15 % to 0.27 %)". A latency is "62 ms, 1.6
// % of requests took longer (1.4 % to 1.8 %)", of all requests, or "unbounded" if too many failed.
[[nodiscard]] std::string estimate_value_text(const plan::Estimate& estimate);
// Returns "p99 of backend at most 50 ms: 62 ms, 1.6 % of requests took longer (1.4 % to 1.8 %), at most 1 % may".
[[nodiscard]] std::string estimate_text(const scenario::Scenario& scenario, const plan::Estimate& estimate);

// Returns the cause as a clause: "panic sends them to endpoints that are lost".
[[nodiscard]] std::string cause_text(plan::Cause cause);

// True if this row determines the plan's headroom.
[[nodiscard]] bool is_tightest(const plan::Plan& plan, const plan::Row& row);

// Returns a row's verdict: "OK", "OK, tightest", "no traffic", "undecided: ...", "failed: utilisation of backend-13
// (zone-2) 112 %, at most 80 %".
[[nodiscard]] std::string verdict_text(const scenario::Scenario& scenario, const plan::Plan& plan,
                                       const plan::Row& row);

// Returns the headroom gained by one more endpoint, in requests per second. Returns nullopt if it is unlimited or
// unknown: a measured objective limits it that was not measured with that endpoint.
[[nodiscard]] std::optional<double> gain_of(const plan::Plan& plan, const plan::Addition& addition);

// An answer: a title with one or more sentences, as {"headroom", {"2,880 rps (+6.7 %): ..."}}.
struct Answer {
  std::string title;
  std::vector<std::string> sentences;
};
[[nodiscard]] std::vector<Answer> plan_answers(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
