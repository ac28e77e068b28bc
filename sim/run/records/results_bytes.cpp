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
    for (auto* const text :
         {&row.cluster, &row.region, &row.zone, &row.sub_zone, &row.node, &row.subset, &row.via, &row.endpoint}) {
      archive(*text);
    }
    archive(row.priority);
    archive(row.availability);
  } else if constexpr (IsRow<SharePlaces, Row>) {
    archive(row.places);
    archive(row.rows);
  } else if constexpr (IsRow<ExactRows, Row>) {
    archive(row.places);
    archive(row.positions);
    archive(row.shares);
    archive(row.joint);
    archive(row.joint_rows);
    archive(row.basis);
    archive(row.bases);
    archive(row.basis_of_others);
  } else if constexpr (IsRow<CountedRows, Row>) {
    archive(row.positions);
    archive(row.requests);
    archive(row.attempts);
    archive(row.ci95);
    archive(row.by_replication);
  } else if constexpr (IsRow<ShareBlock, Row>) {
    archive(row.epoch);
    archive(row.client);
    archive(row.service);
    archive(row.first_position);
    archive(row.first_joint);
    archive(row.part);
    archive(row.sent);
    archive(row.sent_by_replication);
    archive(row.exact);
    archive(row.counted);
  } else {
    archive(row);
  }
}

// Visits every member of a row: one description for reading and writing.
template <class Archive, class Row>
void visit(Archive& archive, Row& row) {
  if constexpr (IsRow<PriorityHealth, Row>) {
    archive(row.priority);
    archive(row.cluster);
    archive(row.hosts);
    archive(row.healthy);
    archive(row.degraded);
    archive(row.load);
    archive(row.degraded_load);
    archive(row.panic);
  } else if constexpr (IsRow<Epoch, Row>) {
    archive(row.index);
    archive(row.client);
    archive(row.service);
    archive(row.view);
    archive(row.start);
    archive(row.end);
    archive(row.states);
    archive(row.expected_requests);
    archive(row.health);
  } else if constexpr (IsRow<EpochHealth, Row>) {
    archive(row.label);
    archive(row.total_availability);
    archive(row.priorities);
    archive(row.reported);
    archive(row.absent);
  } else if constexpr (IsRow<WholeLatency, Row>) {
    archive(row.client);
    archive(row.service);
    archive(row.ok);
    archive(row.errors);
    archive(row.cells_of_ok);
    archive(row.cells_of_errors);
  } else if constexpr (IsRow<WithinLimit, Row>) {
    archive(row.epoch);
    archive(row.client);
    archive(row.service);
    archive(row.limit);
    archive(row.answers);
    archive(row.cells);
  } else if constexpr (IsRow<CrossZoneBlock, Row>) {
    archive(row.epoch);
    archive(row.client);
    archive(row.service);
    archive(row.requests);
    archive(row.rows);
  } else {
    visit_shares(archive, row);
  }
}

template <class Archive, class Whole>
void visit_results(Archive& archive, Whole& results) {
  archive(results.mode);
  archive(results.seed);
  archive(results.replications);
  archive(results.result_fingerprint);
  archive(results.epochs);
  archive(results.shares.blocks());
  archive(results.outcomes);
  archive(results.latency);
  archive(results.whole_latency);
  archive(results.within);
  archive(results.endpoints);
  archive(results.samples);
  archive(results.windows);
  archive(results.outcomes_in_windows);
  archive(results.cross_zone.blocks());
  archive(results.at_rest);
  archive(results.events);
  archive(results.logged_events.groups);
  archive(results.logged_events.each);
  archive(results.logged_events.left_out);
  archive(results.ejections);
  archive(results.checked);
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
