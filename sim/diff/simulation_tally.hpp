// A simulation as a row of numbers: the figures of every subject that both sides have.
//
//   const Subjects subjects(before, after);
//   const Tally of = tally(scenario, subjects, seed);
//   subjects.at(8).figure;   // p90 of the first subject: of.numbers[8]
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::diff {

class Subjects {
 public:
  // Collects clients with their requested services, and zones, of the same names in both. If there are more than 64
  // client-service pairs, collects services only.
  Subjects(const scenario::Scenario& before, const scenario::Scenario& after);

  [[nodiscard]] bool by_client() const noexcept { return by_client_; }
  [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }
  // Returns the names of client (empty means all) and service.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& requests() const noexcept { return requests_; }
  [[nodiscard]] const std::vector<std::string>& zones() const noexcept { return zones_; }

  // Returns the length of a row: figures of each request subject in turn, then the utilisation of each zone.
  [[nodiscard]] std::size_t slots() const noexcept { return requests_.size() * figures + zones_.size(); }
  // Returns the names, figure and unit of a slot; its numbers are 0.
  [[nodiscard]] SimulatedFigure at(std::size_t slot) const;

  static constexpr std::size_t figures = static_cast<std::size_t>(Figure::utilisation);  // per request subject

 private:
  bool by_client_ = true;
  std::vector<std::pair<std::string, std::string>> requests_;
  std::vector<std::string> zones_;
};

struct Tally {
  std::vector<double> numbers;      // by slot; NaN if undefined, as latency without any response
  std::vector<std::uint64_t> sent;  // by request subject
};

// Simulates the scenario in mode requests, and counts the requests sent from `measured_from` on. Latencies are exact
// order statistics. Memory: 8 bytes per request.
[[nodiscard]] Tally tally(const scenario::Scenario& scenario, const Subjects& subjects, std::uint64_t seed,
                          std::chrono::nanoseconds measured_from = std::chrono::nanoseconds{0});

// Returns the expected number of requests of a simulation, without retries.
[[nodiscard]] double expected_requests(const scenario::Scenario& scenario);

}  // namespace spillway::diff
