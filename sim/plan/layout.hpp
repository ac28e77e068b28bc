// Numbers of endpoints by group, and the headroom with them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/scenario/variation.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {

// The possible growth of the requests, and the row and bound that limit it.
struct Headroom {
  double growth = 0.0;  // infinite if no bound grows with the requests
  // The lowest growth that fails with certainty: above `growth` for counted requests. nullopt if equal to `growth`.
  std::optional<double> fails = {};
  // For counted requests, if no growth held: the lowest that was tried. `row` and `margin` are of that growth.
  std::optional<double> lowest_tried = {};
  std::size_t row = 0;
  std::optional<Margin> margin = {};
};

// A group and its number of endpoints.
struct Part {
  scenario::EndpointGroup group;  // as in the file
  std::uint32_t count = 1;
};

struct Fewest {
  std::vector<Part> parts;
  std::uint32_t endpoints = 0;
  std::uint32_t now = 0;
  // True if every smaller total was tried, or ruled out because at least as many of each group are too few for their
  // load. Otherwise this is the smallest total found.
  bool proved = false;
  std::uint32_t at_least = 0;  // lower bound: all smaller totals are ruled out
  // Endpoints needed for latency or errors beyond those needed by shares, and the judgement with them. nullopt if
  // nothing had to be measured.
  std::uint32_t raised = 0;
  std::optional<study::Verdict> measured = {};
  bool lacks_requests = false;  // open only because too few requests were simulated
  // Another busiest time (Plan::busiest) at which this count fails an objective.
  std::optional<std::chrono::nanoseconds> fails_at = {};
  std::optional<double> price = {};  // of all groups, per hour; nullopt if a group has no price
  Headroom headroom = {};            // with these counts; its rows and endpoints are not those of the plan
  std::string failure = {};          // name of the failure that limits `headroom`
  std::string endpoint = {};         // name of its margin's endpoint, if it has one
};

}  // namespace spillway::plan
