// Destinations of the first attempts of requests, counted and expected: by row of every client's table (epoch) and by
// target.
//
//   for (const Share& share : results.shares) { share.zone; share.exact; }   // row by row, with its texts
//   for (const ShareBlock& block : results.shares.of(client)) {
//     block.for_each([&](const ShareCell& cell) { block.place(cell).zone; cell.exact; });  // the same without a copy
//   }
//   results.shares.add({.epoch = 0, .client = client, .service = service, .exact = rows});
//
// Names are stored once per service (SharePlaces). Exact shares are stored once for all clients with the same traffic
// in the same balancing state (ExactRows), with one block per client. Counts are stored only for targets that were
// counted (CountedRows). So memory grows with clients x epochs, classes x targets, and targets that were hit, never
// with clients x targets x epochs. A `Share` is made on access: do not store many, nor pointers into one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/run/records/block_rows.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

// The destination that a share belongs to.
struct SharePlace {
  std::string cluster{};
  config::Priority priority{};
  envoy::Availability availability = envoy::Availability::healthy;
  std::string region{};
  std::string zone{};
  std::string sub_zone{};
  std::string node{};
  std::string subset{};
  std::string via{};
  std::string endpoint{};

  friend bool operator==(const SharePlace&, const SharePlace&) = default;
};

// Returns the place of requests that go to the target, except for their availability and subset.
struct Target;
[[nodiscard]] SharePlace share_place(const scenario::Scenario& scenario, const Target& target);

// The places of a table, in the order of its rows. Each place covers all three availabilities: `rows` gives the place
// and the availability of a position, as engine::row_of does.
struct SharePlaces {
  std::vector<SharePlace> places;
  std::vector<std::uint32_t> rows;  // by position; empty if position and place are equal

  [[nodiscard]] std::size_t size() const noexcept { return rows.empty() ? places.size() : rows.size(); }
  [[nodiscard]] SharePlace at(std::uint32_t position) const;
};

// Returns, by position, the position at which its requests are counted. Empty if each is counted separately.
using CountedPositions = std::function<std::vector<std::uint32_t>(config::ServiceIndex, const SharePlaces&)>;

// The reason for a joint share of rows behind a zone proxy if there is no other: their shares at rest are means over
// connections.
inline constexpr std::string_view connection_basis = "a connection to a zone proxy leads to one endpoint behind it";

// Shares that a run cannot contradict. If picks depend on load, on the past or on retries, rows have no exact share
// each. Rows with the same `joint` number (of one client, service and epoch) then have one together, the sum of their
// shares at rest. ExactSum (exact_sum.hpp) adds rows up.
struct ExactRows {
  std::shared_ptr<const SharePlaces> places{};
  std::vector<std::uint32_t> positions{};   // ascending; other positions have share 0
  std::vector<double> shares{};             // by row, at rest
  std::vector<std::uint32_t> joint{};       // by row; 0 if the share is exact
  std::vector<std::uint32_t> joint_rows{};  // by row: rows with its number; one more if their sum is not exact
  std::vector<std::uint32_t>
      basis{};  // by row: index in `bases` of its assumption, or of the reason why it is not exact
  std::vector<std::string> bases{};
  std::string basis_of_others{};

  void add(std::uint32_t position, double share, const std::string& assumes) { add(position, share, assumes, 0, 0); }
  void add(std::uint32_t position, double share, const std::string& assumes, std::uint32_t joint_number,
           std::uint32_t rows_of_joint);
};

// Counts by position. Positions without a count are omitted.
struct CountedRows {
  std::vector<std::uint32_t> positions;  // ascending
  std::vector<std::uint64_t> requests;
  std::vector<std::uint64_t> attempts;  // empty if equal to requests everywhere
  std::vector<double> ci95;             // empty if unknown
  // Requests in each replication, row after row; empty for a single run.
  std::vector<std::uint32_t> by_replication{};

  [[nodiscard]] std::uint64_t attempts_at(std::size_t row) const {
    return attempts.empty() ? requests[row] : attempts[row];
  }
};

// One row of a table without its names.
struct ShareCell {
  std::uint32_t position = 0;
  std::optional<double> exact{};
  double at_rest = 0.0;
  std::uint32_t joint = 0;
  std::uint32_t joint_rows = 0;
  const std::string* exact_basis = nullptr;
  std::optional<double> simulated{};  // unset if no request was sent in the epoch
  std::optional<double> ci95{};       // as `simulated`
  std::optional<std::uint64_t> requests{};
  std::optional<std::uint64_t> attempts{};
  std::span<const std::uint32_t> by_replication{};  // of `requests`; empty if nothing was counted, or for one run
};

struct Share : SharePlace {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::optional<double> exact{};
  std::string exact_basis{};          // what was assumed, or why there is no exact share
  double at_rest = 0.0;               // with no request in flight, no retries, no host in slow start; else `exact`
  std::uint32_t joint = 0;            // 0 if `exact` is set
  std::uint32_t joint_rows = 0;       // rows with this number; one more if not even their sum is exact
  std::optional<double> simulated{};  // unset if no request was sent in the epoch
  std::optional<double> ci95{};       // as `simulated`
  std::optional<std::uint64_t> requests{};  // by first attempt; unset in exact mode
  std::optional<std::uint64_t> attempts{};
  std::uint32_t position = 0;  // in the order of the epoch's rows, the same in every run of the scenario
};

// The shares of one client in one epoch; of one View if it splits its requests over several Views of a service.
struct ShareBlock {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::uint32_t first_position = 0;                  // of its rows among those of the epoch
  std::uint32_t first_joint = 0;                     // added to its joint numbers, so that they differ within the epoch
  double part = 1.0;                                 // of the epoch's requests: the factor of exact shares
  std::uint64_t sent = 0;                            // in the whole epoch: `simulated` is relative to it
  std::vector<std::uint64_t> sent_by_replication{};  // empty for one run
  std::shared_ptr<const ExactRows> exact{};
  std::shared_ptr<const CountedRows> counted{};  // null if nothing was to be counted

  // Iterates over both lists side by side (block_rows.hpp).
  struct Cursor {
    std::size_t exact = 0;
    std::size_t counted = 0;
    friend bool operator==(const Cursor&, const Cursor&) = default;
  };

  // Calls visit(const ShareCell&) for each row in the order of positions. Linear.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Cursor at; !done(at); step(at)) {
      visit(cell(at));
    }
  }
  [[nodiscard]] std::size_t size() const;

  // Returns the place of the cell, except for its availability.
  [[nodiscard]] const SharePlace& place(const ShareCell& cell) const {
    const SharePlaces& table = *exact->places;
    return table.places[table.rows.empty() ? cell.position : table.rows[cell.position] / engine::availabilities];
  }
  [[nodiscard]] Share row(const ShareCell& cell) const;

  [[nodiscard]] bool done(const Cursor& at) const {
    return at.exact == exact->positions.size() && (!counted || at.counted == counted->positions.size());
  }
  void step(Cursor& at) const;
  [[nodiscard]] Share at(const Cursor& here) const { return row(cell(here)); }

 private:
  [[nodiscard]] std::uint32_t position(const Cursor& at) const;
  [[nodiscard]] ShareCell cell(const Cursor& at) const;
};

class Shares : public BlockRows<ShareBlock> {
 public:
  // Preconditions: `block.exact` is not null; blocks come by client.
  void add(ShareBlock block) { blocks().push_back(std::move(block)); }

  // Returns the blocks of a client. O(log blocks).
  [[nodiscard]] std::span<const ShareBlock> of(config::ClientEntryIndex client) const;
  // Calls visit(const ShareBlock&) for the blocks of one epoch of a client's table: several if it splits its requests.
  // O(log blocks + blocks of the client).
  template <class Visit>
  void for_each_of(config::ClientEntryIndex client, config::ServiceIndex service, std::uint32_t epoch,
                   Visit visit) const {
    for (const ShareBlock& block : of(client)) {
      if (block.service == service && block.epoch == epoch) {
        visit(block);
      }
    }
  }
};

}  // namespace spillway::run
