#include "sim/run/records/results_bytes.hpp"

#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "sim/run/records/byte_archive.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/results.hpp"

namespace spillway::run {
namespace {

class Writer : public ByteWriter {
 public:
  using ByteWriter::operator();
  template <class Value>
  void operator()(const std::vector<Value>& list) {
    (*this)(list.size());
    for (const Value& value : list) {
      visit(*this, value);
    }
  }
  // Values shared by several rows are written once.
  template <class Value>
  void operator()(const std::shared_ptr<const Value>& shared) {
    const auto [number, is_new] = numbers_.try_emplace(shared.get(), numbers_.size());
    (*this)(number->second);
    if (is_new && shared) {
      visit(*this, *shared);
    }
  }

 private:
  std::unordered_map<const void*, std::size_t> numbers_{{nullptr, 0}};  // only looked up
};

class Reader : public ByteReader {
 public:
  using ByteReader::ByteReader;
  using ByteReader::operator();
  template <class Value>
  void operator()(std::vector<Value>& list) {
    std::size_t size = 0;
    (*this)(size);
    list.resize(size);
    for (Value& value : list) {
      visit(*this, value);
    }
  }
  template <class Value>
  void operator()(std::shared_ptr<const Value>& shared) {
    std::size_t number = 0;
    (*this)(number);
    if (number == shared_.size()) {
      shared_.emplace_back();
      auto value = std::make_shared<Value>();
      visit(*this, *value);
      shared_[number] = std::move(value);
    }
    shared = std::static_pointer_cast<const Value>(shared_[number]);
  }

 private:
  std::vector<std::shared_ptr<const void>> shared_{nullptr};
};

template <class Kind, class Row>
concept IsRow = std::is_same_v<std::remove_const_t<Row>, Kind>;

// Visits every member of a row of shares; any other type is one value.
template <class Archive, class Row>
void visit_shares(Archive& archive, Row& row) {
  if constexpr (IsRow<SharePlace, Row>) {
    archive_all(archive, row.cluster, row.region, row.zone, row.sub_zone, row.node, row.subset, row.via, row.endpoint,
                row.priority, row.availability);
  } else if constexpr (IsRow<SharePlaces, Row>) {
    archive_all(archive, row.places, row.rows);
  } else if constexpr (IsRow<ExactRows, Row>) {
    archive_all(archive, row.places, row.positions, row.shares, row.joint, row.joint_rows, row.basis, row.bases,
                row.basis_of_others);
  } else if constexpr (IsRow<CountedRows, Row>) {
    archive_all(archive, row.positions, row.requests, row.attempts, row.ci95, row.by_replication);
  } else if constexpr (IsRow<ShareBlock, Row>) {
    archive_all(archive, row.epoch, row.client, row.service, row.first_position, row.first_joint, row.part, row.sent,
                row.sent_by_replication, row.exact, row.counted);
  } else {
    archive(row);
  }
}

// Visits every member of a row: one description for reading and writing.
template <class Archive, class Row>
void visit(Archive& archive, Row& row) {
  if constexpr (IsRow<PriorityHealth, Row>) {
    archive_all(archive, row.priority, row.cluster, row.hosts, row.healthy, row.degraded, row.load, row.degraded_load,
                row.panic);
  } else if constexpr (IsRow<Epoch, Row>) {
    archive_all(archive, row.index, row.client, row.service, row.view, row.start, row.end, row.states,
                row.expected_requests, row.health);
  } else if constexpr (IsRow<EpochHealth, Row>) {
    archive_all(archive, row.label, row.total_availability, row.priorities, row.reported, row.absent);
  } else if constexpr (IsRow<WholeLatency, Row>) {
    archive_all(archive, row.client, row.service, row.ok, row.errors, row.cells_of_ok, row.cells_of_errors);
  } else if constexpr (IsRow<WithinLimit, Row>) {
    archive_all(archive, row.epoch, row.client, row.service, row.limit, row.answers, row.cells);
  } else if constexpr (IsRow<CrossZoneBlock, Row>) {
    archive_all(archive, row.epoch, row.client, row.service, row.requests, row.rows);
  } else {
    visit_shares(archive, row);
  }
}

template <class Archive, class Whole>
void visit_results(Archive& archive, Whole& results) {
  archive_all(archive, results.mode, results.seed, results.replications, results.result_fingerprint, results.epochs,
              results.shares.blocks(), results.outcomes, results.latency, results.whole_latency, results.within,
              results.endpoints, results.samples, results.windows, results.outcomes_in_windows,
              results.cross_zone.blocks(), results.at_rest, results.events, results.logged_events.groups,
              results.logged_events.each, results.logged_events.left_out, results.ejections, results.checked);
}

}  // namespace

std::string results_to_bytes(const Results& results) {
  Writer writer;
  visit_results(writer, results);
  return writer.take();
}

Results results_from_bytes(std::string_view bytes) {
  Results results;
  Reader reader(bytes);
  visit_results(reader, results);
  return results;
}

}  // namespace spillway::run
