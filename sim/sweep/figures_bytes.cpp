#include "sim/run/records/byte_archive.hpp"
#include "sim/scenario/client.hpp"
#include "sim/sweep/figures.hpp"

namespace spillway::sweep {
namespace {

struct FigureMembers {
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<Outcome> auto& value) {
    archive(value.client, value.service, value.counts, value.failed, value.latency);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<GroupShare> auto& value) {
    archive(value.client, value.service, value.cluster, value.priority, value.zone, value.exact, value.simulated,
            value.requests);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<ZoneLoad> auto& value) {
    archive(value.service, value.zone, value.endpoints, value.mean, value.busiest, value.queue_max, value.requests);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<Figures> auto& value) {
    archive(value.refusal, value.fingerprint, value.seed, value.total, value.busiest, value.cross_zone, value.overload,
            value.clients, value.shares, value.loads, value.logged_events);
  }
};

}  // namespace

std::string figures_to_bytes(const std::vector<Figures>& runs) {
  return run::to_bytes<FigureMembers>(runs);
}

std::vector<Figures> figures_from_bytes(std::string_view bytes) {
  return run::from_bytes<FigureMembers, std::vector<Figures>>(bytes);
}

}  // namespace spillway::sweep
