#include "sim/run/results_bytes.hpp"

#include <cassert>
#include <cstring>
#include <type_traits>

namespace spillway::run {
namespace {

class Writer {
 public:
  template <class Value>
  void operator()(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  template <class Value>
  void operator()(const std::vector<Value>& list) {
    (*this)(list.size());
    for (const Value& value : list) {
      visit(*this, value);
    }
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    assert(bytes_.size() >= sizeof(value));
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <class Value>
  void operator()(std::vector<Value>& list) {
    std::size_t size = 0;
    (*this)(size);
    list.resize(size);
    for (Value& value : list) {
      visit(*this, value);
    }
  }

 private:
  std::string_view bytes_;
};

template <class Kind, class Row>
concept IsRow = std::is_same_v<std::remove_const_t<Row>, Kind>;

// Every member of a row in turn; of one description for reading and writing.
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
    archive(row.label);
    archive(row.total_availability);
    archive(row.priorities);
    archive(row.told);
    archive(row.absent);
  } else if constexpr (IsRow<Share, Row>) {
    archive(row.epoch);
    archive(row.client);
    archive(row.service);
    for (auto* const text : {&row.cluster, &row.region, &row.zone, &row.sub_zone, &row.node, &row.subset, &row.via,
                             &row.endpoint, &row.exact_basis}) {
      archive(*text);
    }
    archive(row.priority);
    archive(row.availability);
    archive(row.exact);
    archive(row.simulated);
    archive(row.ci95);
    archive(row.requests);
    archive(row.attempts);
    archive(row.position);
  } else {
    archive(row);
  }
}

template <class Archive, class Whole>
void visit_results(Archive& archive, Whole& results) {
  archive(results.mode);
  archive(results.seed);
  archive(results.replications);
  archive(results.unseed);
  archive(results.epochs);
  archive(results.shares);
  archive(results.outcomes);
  archive(results.latency);
  archive(results.within);
  archive(results.endpoints);
  archive(results.samples);
  archive(results.windows);
  archive(results.cross_zone);
  archive(results.events);
  archive(results.ejections);
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
