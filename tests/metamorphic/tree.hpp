// Changes of a scenario's tree.
//
//   Json renamed = with_texts(scenario, [](const std::string& text) { return text == "east" ? "ost" : text; });
//   for_each_group(scenario, [](Json& service, Json& group) { group["weight"] = 2; });
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

// The tree with every text of it, keys too, as `change` has it.
[[nodiscard]] Json with_texts(const Json& tree, const std::function<std::string(const std::string&)>& change);

// The same where whole texts are replaced, or every occurrence within texts.
using Replacements = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] Json with_whole_texts(const Json& tree, const Replacements& replacements);
[[nodiscard]] Json with_parts_of_texts(const Json& tree, const Replacements& replacements);

// True if the word occurs anywhere in the tree as it is dumped.
[[nodiscard]] bool mentions(const Json& tree, const std::string& word);
[[nodiscard]] bool mentions_any(const Json& tree, const std::vector<std::string>& words);

// True if `profile` names this version of Envoy, Kuma or Istio.
[[nodiscard]] bool has_profile(const Json& scenario, const std::string& version);

// Calls visit(service, group) for the endpoints of each service that is written by hand.
void for_each_group(Json& scenario, const std::function<void(const Json& service, Json& group)>& visit);
[[nodiscard]] std::vector<std::string> names_of(const Json& scenario, const std::string& list);

// Adds a service that no client asks for. False if the scenario has none by hand. Events name their service then, which
// they must where there are several.
[[nodiscard]] bool add_unused_service(Json& scenario, const std::string& name);

// Writes each group of the services as single endpoints, with the ids that the program gives them. False if a group
// changes over time or is written in a way that single endpoints cannot repeat; the tree is then half changed.
[[nodiscard]] bool write_one_by_one(Json& scenario);

// Spoilt scenarios, to prove that a relation can fail: the same with another seed, or with another weight or health of
// some endpoints, which has other shares in many scenarios.
[[nodiscard]] Json with_other_draws(Json scenario);
[[nodiscard]] Json with_other_shares(Json scenario);

// Every duration of a scenario that says when something is: its own, those of events and of phases.
using Shift = std::function<std::chrono::nanoseconds(std::chrono::nanoseconds)>;
[[nodiscard]] std::optional<std::chrono::nanoseconds> duration_of(const std::string& text);
[[nodiscard]] std::string text_of(std::chrono::nanoseconds duration);

// A rate in requests a second; nullopt if it is written otherwise than `200rps`.
[[nodiscard]] std::optional<double> rate_of(const Json& workload);
[[nodiscard]] std::string text_of_rate(double rate);

// The timeline in the order of time, as the program takes it.
[[nodiscard]] Json& timeline_of(Json& scenario);

}  // namespace spillway::metamorphic
