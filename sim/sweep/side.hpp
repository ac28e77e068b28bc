// One scenario of a sweep as a tree, in which keys take other values before it is read.
//
//   std::variant<Side, scenario::Reading> side = read_side("shop.yaml");
//   scenario::Reading reading = with_values(std::get<Side>(side), space.keys(), space.values_of(7), sources_of_keys);
//
// What is wrong with a value is told by the scenario's own reader, at the value's place on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "sim/scenario/mode.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
struct Reading;          // read_scenario.hpp
}  // namespace spillway::scenario

namespace spillway::sweep {

class Space;   // space.hpp
struct Value;  // values.hpp

struct Side {
  std::string name;  // of the scenario, which tells sides apart
  std::string file;
  documents::Node root;  // with the documents of files that it names
  Sources sources;
  std::uint64_t fingerprint = 0;  // of every byte that was read
  std::uint64_t seed = 1;         // the scenario's own
  scenario::Mode mode = scenario::Mode::exact;
};

// The scenario as it is must be right: else its reading, with what is wrong.
[[nodiscard]] std::variant<Side, scenario::Reading> read_side(const std::string& path);
// Of a scenario that was read and is right.
[[nodiscard]] Side side_of(scenario::Reading reading, const std::string& path);

// The tree with these values, and the sources of both, or what is wrong with a path (SP950).
struct Varied {
  documents::Node root;
  Sources sources;
  Diagnostics problems;
};
// `texts`: the sources of the keys.
[[nodiscard]] Varied vary(const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts);

// As long as reading a scenario takes, but for its text.
[[nodiscard]] scenario::Reading with_values(const Side& side, const Space& space, const std::vector<Value>& values,
                                            const Sources& texts);

// The same, for a scenario that failures happen to.
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> template_with_values(
    const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts);

// A scenario with keys set, each as KEY=VALUE: what a point of a sweep was.
[[nodiscard]] scenario::Reading read_with_settings(const std::string& path, const std::vector<std::string>& settings);
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> template_with_settings(
    const std::string& path, const std::vector<std::string>& settings);

}  // namespace spillway::sweep
