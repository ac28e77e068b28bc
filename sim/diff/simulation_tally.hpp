// One simulation as a row of numbers: the figures of every subject that both sides have.
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

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::diff {

class Subjects {
 public:
  // Clients with the services that they ask for, and zones, of the same names in both. Of more than 64 of the former,
  // services alone.
  Subjects(const scenario::Scenario& before, const scenario::Scenario& after);

  [[nodiscard]] bool by_client() const noexcept { return by_client_; }
  [[nodiscard]] bool empty() const noexcept { return requests_.empty(); }
  // Names of client (empty: all) and service.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& requests() const noexcept { return requests_; }
  [[nodiscard]] const std::vector<std::string>& zones() const noexcept { return zones_; }

  // A row has the figures of requests, subject after subject, then the utilisation of each zone.
  [[nodiscard]] std::size_t slots() const noexcept { return requests_.size() * figures + zones_.size(); }
  // Names, figure and unit of a slot; numbers are left at 0.
  [[nodiscard]] SimulatedFigure at(std::size_t slot) const;

  static constexpr std::size_t figures = static_cast<std::size_t>(Figure::utilisation);  // of requests

 private:
  bool by_client_ = true;
  std::vector<std::pair<std::string, std::string>> requests_;
  std::vector<std::string> zones_;
};

struct Tally {
  std::vector<double> numbers;      // by slot; not a number: there is none, as of latency without any answer
  std::vector<std::uint64_t> sent;  // by subject of requests
};

// Simulates the scenario in mode requests, and counts what is sent from that moment on. Latencies are order statistics
// of all of them: 8 bytes a request.
[[nodiscard]] Tally tally(const scenario::Scenario& scenario, const Subjects& subjects, std::uint64_t seed,
                          std::chrono::nanoseconds measured_from = std::chrono::nanoseconds{0});

// How many requests a simulation is expected to send, retries not counted.
[[nodiscard]] double expected_requests(const scenario::Scenario& scenario);

}  // namespace spillway::diff
