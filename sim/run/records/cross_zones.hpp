// Traffic between zones, counted and expected: by row of every client's table (epoch) and by pair of zones.
//
//   for (const CrossZone& row : results.cross_zone) { row.from; row.requests; }
//   results.cross_zone.add({.epoch = 0, .client = client, .service = service, .requests = 120.0, .rows = rows});
//
// Traffic by exact shares is stored once for all clients with the same traffic in the same balancing state, per request
// (CrossZoneRows). A block multiplies it by the requests of its client. Memory: 48 bytes per client and epoch, and 48
// per pair of zones of a class; for counted requests, of a client. A `CrossZone` is made on access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/records/block_rows.hpp"

namespace spillway::run {

// Requests of one client to one service that go from one zone to another, including hops between zone proxies.
struct CrossZone {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  config::ZoneIndex from{};
  config::ZoneIndex to{};
  std::optional<double> exact{};  // part of the client's requests to the service
  // Attempts that were sent; in exact mode the expected number of requests. NaN if shares without a closed form leave
  // it open; also for bytes if endpoints of other sizes share.
  double requests = 0.0;
  double request_bytes = 0.0;
  double response_bytes = 0.0;
};

// A pair of zones, and what an average request of a block sends between them. Rows are ascending by pair.
struct CrossZoneRow {
  config::ZoneIndex from{};
  config::ZoneIndex to{};
  std::optional<double> exact{};
  double requests = 0.0;
  double request_bytes = 0.0;
  double response_bytes = 0.0;
};
using CrossZoneRows = std::vector<CrossZoneRow>;

// One client in one epoch.
struct CrossZoneBlock {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  double requests = 1.0;  // the factor of all values of a row but `exact`
  std::shared_ptr<const CrossZoneRows> rows{};

  // The position of a row (block_rows.hpp).
  using Cursor = std::size_t;
  [[nodiscard]] bool done(Cursor number) const { return number == rows->size(); }
  static void step(Cursor& number) { ++number; }
  [[nodiscard]] CrossZone at(Cursor number) const {
    const CrossZoneRow& of = (*rows)[number];
    return {.epoch = epoch,
            .client = client,
            .service = service,
            .from = of.from,
            .to = of.to,
            .exact = of.exact,
            .requests = requests * of.requests,
            .request_bytes = requests * of.request_bytes,
            .response_bytes = requests * of.response_bytes};
  }
};

class CrossZones : public BlockRows<CrossZoneBlock> {
 public:
  CrossZones() = default;
  // Makes one block from the rows of one client, service and epoch. Precondition: such rows are contiguous.
  explicit CrossZones(const std::vector<CrossZone>& rows);

  // Adds a block; ignores one without rows. Precondition: blocks come by (client, service, epoch).
  void add(CrossZoneBlock block) {
    if (!block.rows->empty()) {
      blocks().push_back(std::move(block));
    }
  }
};

}  // namespace spillway::run
