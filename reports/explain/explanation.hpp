// Explains why a client's requests for a service go where they go at one time, as plain data: steps with the numbers
// put into their formulas, and the resulting shares.
//
//   Explanation explanation = explain(scenario, sources, {.client = client, .service = service, .at = 25s});
//   explanation.sections[0].steps[4].facts[0].formula;   // "min(100, trunc(100 * 6 / 10))"
//   explanation.sections[0].steps[4].facts[0].value;     // 60
//
// Formulas are written with + - * / %, min, max, trunc, ceil and parentheses, so that a program can check them; a test
// does. docs/output.md describes the formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/records/shares.hpp"

namespace spillway::reports::explain {

// A line of a step: a formula with its value, and words; about `subject`, or the whole step if that is empty.
struct Fact {
  std::string subject = {};
  std::string formula = {};          // "min(100, trunc(140 * 6 / 10))"; empty if there are only words
  std::optional<double> value = {};  // set if there is a formula
  std::string note = {};             // printed after it
  std::string where = {};            // "failover.yaml:33": the line of the file that sets it
};

struct Step {
  std::string name;  // one of the list in docs/output.md: "availability", "load", ...
  std::vector<Fact> facts = {};
  std::vector<std::string> sources = {};  // of the rule: sections of docs/behaviour, files of Envoy
};

// The treatment of the requests that reach one balancer.
struct Section {
  std::string title;        // "" for the first one
  std::uint32_t depth = 0;  // number of enclosing sections
  double requests = 1.0;    // fraction of the client's requests for the service
  std::vector<Step> steps = {};
};

// A row of the result. Its exact share is bitwise equal to that of `spillway share`.
struct EndpointShare : run::SharePlace {
  double share = 0.0;  // exact; at rest if `joint` is not 0
  // Endpoints with the same number, `joint_rows` of them, have only a joint exact share, as in run::Share.
  std::uint32_t joint = 0;
  std::uint32_t joint_rows = 0;
};

// Returns the joint exact share of some of an explanation's endpoints; nullopt if it has none.
[[nodiscard]] std::optional<double> exact_share(const std::vector<const EndpointShare*>& rows);

template <class Chosen>
[[nodiscard]] std::optional<double> exact_share(const std::vector<EndpointShare>& rows, Chosen chosen) {
  std::vector<const EndpointShare*> of;
  for (const EndpointShare& row : rows) {
    if (chosen(row)) {
      of.push_back(&row);
    }
  }
  return exact_share(of);
}

// The answer to "why does this get any traffic, or none?": inputs that would change it, each recomputed.
struct Why {
  std::string target;                 // as given: "zone-2"
  std::string kind;                   // "zone", "priority" or "endpoint"
  std::optional<double> share = 0.0;  // current share; nullopt if not exact
  std::vector<Fact> because = {};
  struct Turn {
    std::string input = {};                  // "healthy hosts of P0"
    std::string now = {};                    // its value: "6 of 10"; empty for a rule that is removed or added
    std::string turns_at = {};               // the nearest value that changes the answer: "10 of 10"; empty if none
    std::optional<double> share_there = {};  // of the target at that value
    std::string just_before = {};            // the last value before the change: "9 of 10"; empty for the current one
    std::optional<double> share_before = {};
    std::string note = {};
    std::string where = {};
  };
  std::vector<Turn> turns = {};
};

struct Explanation {
  std::string scenario;
  config::Profile profile = {};
  std::string client;
  std::string client_zone;
  std::string service;
  run::Nanoseconds at{0};
  std::string request;  // "key u17": for one hashed request; empty for all
  std::vector<Section> sections = {};
  std::vector<EndpointShare> endpoints = {};
  double dropped = 0.0;                  // fraction of requests that `drop_overloads` rejects before a pick
  std::string basis = {};                // assumptions behind the shares
  bool at_rest = false;                  // shares are those at rest
  std::string why_joint = {};            // why some endpoints have no exact share; empty if all have one
  std::vector<std::string> bounds = {};  // what holds whatever the load (bounds.hpp)
  std::vector<std::string> notes = {};   // open points, and endpoints that no rule reaches
  std::optional<Why> why = {};
};

}  // namespace spillway::reports::explain
