#include <type_traits>

#include "sim/run/records/byte_archive.hpp"
#include "sim/scenario/client.hpp"
#include "sim/sweep/figures.hpp"

namespace spillway::sweep {
namespace {

class FigureWriter : public run::ByteWriter {
 public:
  using ByteWriter::operator();
  template <class Value>
  void operator()(const std::vector<Value>& list) {
    (*this)(list.size());
    for (const Value& value : list) {
      each_part(*this, value);
    }
  }
};

class FigureReader : public run::ByteReader {
 public:
  using ByteReader::ByteReader;
  using ByteReader::operator();
  template <class Value>
  void operator()(std::vector<Value>& list) {
    std::size_t size = 0;
    (*this)(size);
    list.resize(size);
    for (Value& value : list) {
      each_part(*this, value);
    }
  }
};

// Lists the members of each struct once, for both directions.
template <class Visit, class Value>
void each_part(Visit& visit, Value& value) {
  using Plain = std::remove_const_t<Value>;
  if constexpr (std::is_same_v<Plain, Outcome>) {
    visit(value.client), visit(value.service), visit(value.counts), visit(value.failed), visit(value.latency);
  } else if constexpr (std::is_same_v<Plain, GroupShare>) {
    visit(value.client), visit(value.service), visit(value.cluster), visit(value.priority), visit(value.zone);
    visit(value.exact), visit(value.simulated), visit(value.requests);
  } else if constexpr (std::is_same_v<Plain, ZoneLoad>) {
    visit(value.service), visit(value.zone), visit(value.endpoints), visit(value.mean), visit(value.busiest);
    visit(value.queue_max), visit(value.requests);
  } else if constexpr (std::is_same_v<Plain, EventCount>) {
    visit(value.kind), visit(value.times);
  } else {
    visit(value.refusal), visit(value.fingerprint), visit(value.seed), each_part(visit, value.total);
    visit(value.busiest), visit(value.cross_zone), visit(value.clients), visit(value.shares), visit(value.loads);
    visit(value.logged_events);
  }
}

}  // namespace

std::string figures_to_bytes(const Figures& figures) {
  FigureWriter writer;
  each_part(writer, figures);
  return writer.take();
}

Figures figures_from_bytes(std::string_view bytes) {
  FigureReader reader(bytes);
  Figures figures;
  each_part(reader, figures);
  return figures;
}

}  // namespace spillway::sweep
