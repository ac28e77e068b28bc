#include "sim/run/records/results_bytes.hpp"

#include "sim/run/records/byte_archive.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/results.hpp"

namespace spillway::run {
namespace {

struct Members {
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<SharePlace> auto& row) {
    archive(row.cluster, row.region, row.zone, row.sub_zone, row.node, row.subset, row.via, row.endpoint, row.priority,
            row.availability);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<SharePlaces> auto& row) {
    archive(row.places, row.rows);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<ExactRows> auto& row) {
    archive(row.places, row.positions, row.shares, row.joint, row.joint_rows, row.basis, row.bases,
            row.basis_of_others);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<CountedRows> auto& row) {
    archive(row.positions, row.requests, row.attempts, row.ci95, row.by_replication);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<ShareBlock> auto& row) {
    archive(row.epoch, row.client, row.service, row.first_position, row.first_joint, row.part, row.sent,
            row.sent_by_replication, row.exact, row.counted);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<PriorityHealth> auto& row) {
    archive(row.priority, row.cluster, row.hosts, row.healthy, row.degraded, row.load, row.degraded_load, row.panic);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<Epoch> auto& row) {
    archive(row.index, row.client, row.service, row.view, row.start, row.end, row.states, row.expected_requests,
            row.health);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<EpochHealth> auto& row) {
    archive(row.label, row.total_availability, row.priorities, row.reported, row.absent);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<WholeLatency> auto& row) {
    archive(row.client, row.service, row.ok, row.errors, row.cells_of_ok, row.cells_of_errors);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<WithinLimit> auto& row) {
    archive(row.epoch, row.client, row.service, row.limit, row.answers, row.cells);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<CrossZoneBlock> auto& row) {
    archive(row.epoch, row.client, row.service, row.requests, row.rows);
  }
  template <class Archive>
  static void visit(Archive& archive, ArchiveOf<Results> auto& results) {
    archive(results.mode, results.seed, results.replications, results.result_fingerprint, results.epochs,
            results.shares.blocks(), results.outcomes, results.latency, results.whole_latency, results.within,
            results.endpoints, results.samples, results.windows, results.outcomes_in_windows,
            results.cross_zone.blocks(), results.at_rest, results.events, results.logged_events.groups,
            results.logged_events.each, results.logged_events.left_out, results.ejections, results.checked);
  }
};

}  // namespace

std::string results_to_bytes(const Results& results) {
  return to_bytes<Members>(results);
}

Results results_from_bytes(std::string_view bytes) {
  return from_bytes<Members, Results>(bytes);
}

}  // namespace spillway::run
