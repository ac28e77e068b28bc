// Finds endpoints that are alike: at every time so far, the scenario has described them, their nodes and everything
// else there equally. Clients whose picks depend on load then treat them alike too, except for chance.
//
//   EndpointLikeness likeness(scenario);
//   likeness.apply(change);
//   likeness.set_apart(endpoint);          // unlike every other one from now on
//   likeness.classes()[endpoint.value];    // equal numbers: alike
//
// Classes are the coarsest partition that the tree of nodes and endpoints allows. classes() is O(endpoints log
// endpoints) after a change, otherwise free.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class EndpointLikeness {
 public:
  // Lifetime: the scenario must outlive this object.
  explicit EndpointLikeness(const scenario::Scenario& scenario);

  void apply(const scenario::Change& change);
  void set_apart(config::EndpointIndex endpoint);

  // Returns classes by endpoint.
  [[nodiscard]] const std::vector<std::uint32_t>& classes();
  // Returns a number that grows whenever classes may have changed.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

 private:
  using Words = std::vector<std::int64_t>;

  // Returns a number that is equal for equal words.
  [[nodiscard]] std::uint32_t number_of(const Words& words) {
    return numbers_.try_emplace(words, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  void extend(std::uint32_t& history, Words words);
  void begin();
  void classify();

  const scenario::Scenario* scenario_;
  std::map<Words, std::uint32_t> numbers_;
  std::vector<std::uint32_t> endpoints_;  // by endpoint: the number of its description so far
  std::vector<std::uint32_t> nodes_;      // by node
  std::vector<bool> apart_;               // by endpoint
  std::vector<std::uint32_t> classes_;    // empty until computed
  std::uint64_t version_ = 0;
  bool begun_ = false;
};

}  // namespace spillway::run
