#include "sim/run/records/byte_archive.hpp"
#include "sim/scenario/client.hpp"
#include "sim/sweep/figures.hpp"

namespace spillway::sweep {
namespace {

// Writes or reads the members of each struct, in one order.
template <class Archive>
struct FigureArchive {
  Archive& archive;

  void add(Outcome& of) { run::archive_all(archive, of.client, of.service, of.counts, of.failed, of.latency); }
  void add(GroupShare& of) {
    run::archive_all(archive, of.client, of.service, of.cluster, of.priority, of.zone, of.exact, of.simulated,
                     of.requests);
  }
  void add(ZoneLoad& of) {
    run::archive_all(archive, of.service, of.zone, of.endpoints, of.mean, of.busiest, of.queue_max, of.requests);
  }
  void add(EventCount& of) { archive(of); }
  void add(Figures& of) {
    run::archive_all(archive, of.refusal, of.fingerprint, of.seed, of.busiest, of.cross_zone, of.overload);
    add(of.total);
    add(of.clients);
    add(of.shares);
    add(of.loads);
    add(of.logged_events);
  }
  template <class Value>
  void add(std::vector<Value>& list) {
    run::archive_each(archive, list, [this](Value& value) { add(value); });
  }
};

}  // namespace

std::string figures_to_bytes(std::vector<Figures> runs) {
  run::ByteWriter writer;
  FigureArchive<run::ByteWriter>{writer}.add(runs);
  return writer.take();
}

std::vector<Figures> figures_from_bytes(std::string_view bytes) {
  run::ByteReader reader(bytes);
  std::vector<Figures> runs;
  FigureArchive<run::ByteReader>{reader}.add(runs);
  return runs;
}

}  // namespace spillway::sweep
