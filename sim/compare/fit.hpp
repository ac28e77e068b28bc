// Tests counts of hosts against predictions.
//
//   const Ground ground(counts, predictions);
//   const Mixture mixture = ground.mix(predictions);       // parts that suit the counts best
//   ground.tests(mixture);                                 // by host, zone and priority
//
// In a mixture, different predictions apply to different parts of the requests. The parts are found by expectation
// maximisation; the chance of counts under a mixture is an upper bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/forward.hpp"
#include "sim/statistics/goodness_of_fit.hpp"

namespace spillway::compare {

enum class Level : std::uint8_t;  // comparison.hpp
struct FitTest;                   // comparison.hpp
struct Prediction;                // prediction.hpp

// Returns a host's zone as shown in tables: "region/zone" if there is a region.
[[nodiscard]] std::string zone_name(const config::Locality& locality);

struct Mixture {
  std::vector<double> shares;  // by host
  std::vector<double> parts;   // by prediction
};

// Hosts with their counts, and their division into cells that can be tested separately.
class Ground {
 public:
  // Precondition: `counts` are by host, in the order of the predictions' hosts, which are equal in all predictions.
  // Hosts are in separate cells if each prediction separates them.
  Ground(std::vector<std::uint64_t> counts, const std::vector<Prediction>& predictions);

  // Also merges cells that this prediction merges.
  void blur(const Prediction& prediction);

  [[nodiscard]] Mixture mix(const std::vector<Prediction>& predictions) const;

  // Returns the test by host, and those by zone and priority if they have fewer cells. Never empty.
  [[nodiscard]] std::vector<FitTest> tests(const Mixture& mixture) const;
  // Returns the least chance of the tests.
  [[nodiscard]] double chance(const Mixture& mixture) const;
  // Like chance(mixture), but for other counts.
  [[nodiscard]] double chance(const Mixture& mixture, const std::vector<std::uint64_t>& counts) const;

  // Returns Pearson's statistic over its degrees of freedom, of the test by host.
  [[nodiscard]] double dispersion(const Mixture& mixture) const;

  // True if every category is too thin to be distinguished from another one.
  [[nodiscard]] bool too_few(const Mixture& mixture) const;
  // True if only the sum of all hosts has an exact share, which any counts fit.
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
