// One scenario of a sweep as a tree, whose keys are set before it is read.
//
//   std::variant<Side, scenario::Reading> side = read_side("shop.yaml");
//   scenario::Reading reading = with_values(std::get<Side>(side), space.keys(), space.values_of(7), sources_of_keys);
//
// Invalid values are reported by the scenario's own reader, at their location on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/mode.hpp"

namespace spillway::sweep {

class Space;   // space.hpp
struct Value;  // values.hpp

struct Side {
  std::string name;  // of the scenario; identifies the side
  std::string file;
  documents::Node root;  // includes the documents of files that it names
  Sources sources;
  std::uint64_t fingerprint = 0;  // of all bytes read
  std::uint64_t seed = 1;         // the scenario's own
  scenario::Mode mode = scenario::Mode::exact;
};

// Returns the side, or the parse result if the scenario itself is invalid.
[[nodiscard]] std::variant<Side, scenario::Reading> read_side(const std::string& path);
// Returns the side of a valid scenario that was read.
[[nodiscard]] Side side_of(scenario::Reading reading, const std::string& path);

// The tree with these values, and the sources of both; or the diagnostics of a path (SP950).
struct Varied {
  documents::Node root;
  Sources sources;
  Diagnostics problems;
};
// Returns the side with these values. `texts` are the sources of the keys.
[[nodiscard]] Varied vary(const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts);

// Reads the scenario with these values. Takes as long as reading it, without parsing its text.
[[nodiscard]] scenario::Reading with_values(const Side& side, const Space& space, const std::vector<Value>& values,
                                            const Sources& texts);

// Like with_values(), but returns a template to which failures can be applied.
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> template_with_values(
    const Side& side, const Space& space, const std::vector<Value>& values, const Sources& texts);

// Reads a scenario with keys set, each as KEY=VALUE: the form of a sweep's point.
[[nodiscard]] scenario::Reading read_with_settings(const std::string& path, const std::vector<std::string>& settings);
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> template_with_settings(
    const std::string& path, const std::vector<std::string>& settings);

}  // namespace spillway::sweep
