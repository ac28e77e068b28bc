// The exact shares of an epoch: the mean of its states' exact shares, weighted by the requests sent in each.
//
//   ExactMean mean(targets, forwarded);
//   mean.add(shares_of_state, weight);
//   mean.share(row);
//   mean.joint(row);   // 0: that share is exact
//
// A row with the same share in every state gets exactly that double, whatever the weights: deterministic shares are
// compared by equality. Rows with a joint share in one of the states have one in the mean.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/forward.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "sim/run/traffic/targets.hpp"

namespace spillway::run {

// The targets of requests behind zone proxies that detect failing hosts by themselves.
struct UnsureParts {
  // By target: 1 if its part of the zone proxy's requests is unknown. Empty if all parts are known.
  std::vector<std::uint8_t> targets = {};
  std::string why = {};
};

class ExactMean {
 public:
  // `forwarded`: by target, its part of its host's requests; empty if no host is a zone proxy. `connected`: by target,
  // true if a connection to it may have opened before and still exist; empty if none. All must outlive this.
  explicit ExactMean(const Targets& targets, std::span<const double> forwarded = {},
                     std::span<const std::uint8_t> connected = {})
      : targets_(&targets), forwarded_(forwarded), connected_(connected), rows_(targets.size() * 3ULL) {}

  // From the next state on these parts are unknown. They must outlive this.
  void leave_unsure(const UnsureParts& unsure) { unsure_ = &unsure; }

  // Adds a state's shares. Precondition: weights are not negative; weight 0 has no effect. O(shares).
  void add(const envoy::ExactShares& shares, double weight);

  // Records that schedules went on in the middle of a round: rows that depend on that have joint shares from now on.
  void carry_schedules();

  // Returns the share of a row (engine::row_of); 0 if nothing was added.
  [[nodiscard]] double share(std::uint32_t row) const noexcept;
  // Returns the joint number of a row, or 0 if its own share is exact. Rows with the same number have an exact share
  // only together.
  [[nodiscard]] std::uint32_t joint(std::uint32_t row) noexcept { return number(joint_, row); }
  // Returns the smallest share of a row that depends on a schedule; 0 if none does.
  [[nodiscard]] double least_of_schedules() const noexcept;
  [[nodiscard]] bool sums_are_exact() const noexcept { return sums_are_exact_; }

  // basis() returns what the states' shares assume; why_joint() returns why some of them are joint.
  [[nodiscard]] const std::string& basis() const noexcept { return basis_; }
  [[nodiscard]] const std::string& why_joint() const noexcept { return why_joint_; }

 private:
  struct Row {
    double weighted = 0.0;  // sum of weight * share
    double weight = 0.0;    // of the states that have the row
    double first = 0.0;     // share in the first of them
    bool uniform = true;    // the same share in all of them
  };
  struct Joint {
    numeric::DisjointSets sets;                // by row
    std::vector<std::uint8_t> in_one = {};     // by row; empty if none is
    std::vector<std::uint32_t> first_of = {};  // by number of the state being added: its first row plus 1
  };

  void begin_joint(std::size_t numbers);
  [[gnu::always_inline]] inline void add(std::uint32_t row, const envoy::HostShare& share, double part, double weight);
  [[nodiscard]] std::uint32_t end_of_host(std::uint32_t target) const noexcept;
  [[nodiscard]] bool may_get(std::uint32_t target) const noexcept {
    return forwarded_[target] > 0.0 || is_unsure(target) ||
           (!connected_.empty() && connected_[target] != 0 && targets_->at(target).on_connection &&
            !targets_->at(target).ends_at_zone_proxy);
  }
  [[nodiscard]] bool is_unsure(std::uint32_t target) const noexcept {
    return unsure_ != nullptr && !unsure_->targets.empty() && unsure_->targets[target] != 0;
  }
  void add_reason(std::string_view why);
  [[nodiscard]] bool on_connections(std::uint32_t begin, std::uint32_t end);
  [[nodiscard]] static envoy::HostShare joined(envoy::HostShare share, std::uint32_t number) noexcept;
  [[gnu::always_inline]] inline void join(Joint& joint, std::uint32_t number, std::uint32_t row);
  [[nodiscard]] static std::uint32_t number(Joint& joint, std::uint32_t row) noexcept {
    return is_joint(joint, row) ? joint.sets.find(row) + 1 : 0;
  }
  [[nodiscard]] static bool is_joint(const Joint& joint, std::uint32_t row) noexcept {
    return !joint.in_one.empty() && joint.in_one[row] != 0;
  }

  const Targets* targets_;
  std::span<const double> forwarded_;
  std::span<const std::uint8_t> connected_;
  const UnsureParts* unsure_ = nullptr;
  std::vector<Row> rows_;
  Joint joint_;                      // in every case
  std::optional<Joint> if_carried_;  // if schedules are carried; nullopt if equal to joint_
  double weight_ = 0.0;
  bool sums_are_exact_ = true;
  std::string basis_;
  std::string why_joint_;
};

}  // namespace spillway::run
