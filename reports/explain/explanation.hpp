// Why the requests of one client for one service go where they go at one moment, as plain data: steps with the numbers
// put into their formulas, and the shares that follow.
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

// One line of a step: about `subject` (empty: the step as a whole), a formula with what it gives, and words.
struct Fact {
  std::string subject = {};
  std::string formula = {};          // "min(100, trunc(140 * 6 / 10))"; empty: only words
  std::optional<double> value = {};  // present exactly if there is a formula
  std::string note = {};             // what stands behind it
  std::string where = {};            // "failover.yaml:33": the line of the file that says so
};

struct Step {
  std::string name;  // one of the list in docs/output.md: "availability", "load", ...
  std::vector<Fact> facts = {};
  std::vector<std::string> sources = {};  // of the rule: pages of docs/behaviour with their section, files of Envoy
};

// What one balancer does with the requests that come to it.
struct Section {
  std::string title;        // "" for the first one
  std::uint32_t depth = 0;  // inside how many others
  double requests = 1.0;    // part of what the client asks of the service
  std::vector<Step> steps = {};
};

// A row of the result: the exact share that `spillway share` has for it, to the last bit.
struct EndpointShare : run::SharePlace {
  double share = 0.0;  // exact, or at rest where `joint` is not 0
  // Endpoints with the same number, `joint_rows` of them, have an exact share together only, as in run::Share.
  std::uint32_t joint = 0;
  std::uint32_t joint_rows = 0;
};

// The exact share of some of an explanation's endpoints together; none: there is none.
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

// The answer to "why does this get traffic at all, or none": inputs that would turn it, each recomputed.
struct Why {
  std::string target;                 // as asked: "zone-2"
  std::string kind;                   // "zone", "priority" or "endpoint"
  std::optional<double> share = 0.0;  // now; none: no exact one
  std::vector<Fact> because = {};
  struct Turn {
    std::string input = {};                  // "healthy hosts of P0"
    std::string now = {};                    // its value: "6 of 10"; empty: a rule, that is taken away or added
    std::string turns_at = {};               // the nearest value at which it turns: "10 of 10"; empty: none does
    std::optional<double> share_there = {};  // of the target at that value
    std::string just_before = {};            // the value before it, seen from now: "9 of 10"; empty: it is now's
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
  std::string request;  // "key u17": of one hashed request; empty: of all of them
  std::vector<Section> sections = {};
  std::vector<EndpointShare> endpoints = {};
  double dropped = 0.0;                 // part of the requests that `drop_overloads` answers before a pick
  std::string basis = {};               // what the shares assume
  bool at_rest = false;                 // shares are those at rest
  std::string why_joint = {};           // why some endpoints have no exact share; empty: all have one
  std::vector<std::string> notes = {};  // what this leaves open, and who is reached by no rule
  std::optional<Why> why = {};
};

}  // namespace spillway::reports::explain
