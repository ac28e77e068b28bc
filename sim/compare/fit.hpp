// Counts of hosts against predictions of them.
//
//   const Ground ground(counts, predictions);
//   const Mixture mixture = ground.mix(predictions);       // parts that suit the counts best
//   ground.tests(mixture);                                 // by host, zone and priority
//
// A mixture: for a part of the requests one prediction held, for another part another one. Its parts are found by
// expectation maximisation; the chance of counts under it is an upper bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/statistics/goodness_of_fit.hpp"

namespace spillway::config {
struct Locality;  // locality.hpp
}  // namespace spillway::config

namespace spillway::compare {

enum class Level : std::uint8_t;  // comparison.hpp
struct FitTest;                   // comparison.hpp
struct Prediction;                // prediction.hpp

// A host's name and zone in tables: "region/zone" where there is a region.
[[nodiscard]] std::string zone_name(const config::Locality& locality);

struct Mixture {
  std::vector<double> shares;  // by host
  std::vector<double> parts;   // by prediction
};

// Hosts, what was counted of them, and which of them can be tested one by one.
class Ground {
 public:
  // `counts` by host, in the order of the predictions' hosts, which are the same in all of them. Hosts are told apart
  // where each prediction does.
  Ground(std::vector<std::uint64_t> counts, const std::vector<Prediction>& predictions);

  // Hosts also share a cell where this prediction says so.
  void blur(const Prediction& prediction);

  [[nodiscard]] Mixture mix(const std::vector<Prediction>& predictions) const;

  // By host, and by zone and priority where they tell fewer cells apart than hosts do. At least the one by host.
  [[nodiscard]] std::vector<FitTest> tests(const Mixture& mixture) const;
  // The least chance of these.
  [[nodiscard]] double chance(const Mixture& mixture) const;
  // The same of other counts.
  [[nodiscard]] double chance(const Mixture& mixture, const std::vector<std::uint64_t>& counts) const;

  // Pearson's statistic by degrees of freedom, of the test by host.
  [[nodiscard]] double dispersion(const Mixture& mixture) const;

  // Whether every category is too thin to be told from another one.
  [[nodiscard]] bool too_few(const Mixture& mixture) const;
  // Whether only all hosts together have an exact share, which any counts fit.
  [[nodiscard]] bool in_one_cell() const;

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }
  [[nodiscard]] const std::vector<std::uint32_t>& cells() const noexcept { return cells_; }

 private:
  [[nodiscard]] std::vector<statistics::Category> categories(Level level, const Mixture& mixture,
                                                             const std::vector<std::uint64_t>& counts) const;

  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> cells_;       // by host
  std::vector<std::string> zones_;         // by host
  std::vector<std::uint32_t> priorities_;  // by host
};

}  // namespace spillway::compare
