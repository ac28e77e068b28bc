// Writes a point into a sweep's tables (tables.hpp) with prepared statements.
//
//   PointWriter writer(database);
//   writer.write(definition, 17, values, parts, figures, event_names);   // within a transaction of the caller's
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/sweep/database.hpp"

namespace spillway::sweep {

struct Definition;  // store.hpp
struct Figures;     // figures.hpp
struct PointPlace;  // store.hpp
struct Value;       // values.hpp

// Converts to SQLite's signed integers.
[[nodiscard]] constexpr std::int64_t whole(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value);
}

class PointWriter {
 public:
  explicit PointWriter(Database& database);

  // Ends the claim to a point. False if the point is already stored and need not be written.
  [[nodiscard]] bool take(std::uint64_t point);

  // Writes a point; parameters as in Store::put(). `event_names` are those of run::EventKind, in its order.
  void write(const Definition& definition, std::uint64_t point, const std::vector<Value>& values,
             const std::vector<double>& parts, const Figures& figures, const std::vector<std::string>& event_names);

 private:
  void write_inputs(std::int64_t setting, const std::vector<Value>& values, const std::vector<double>& parts);
  void write_row(const Definition& definition, std::uint64_t point, const PointPlace& place, const Figures& figures);
  void write_groups(std::int64_t point, const Figures& figures, const std::vector<std::string>& event_names);

  Statement is_done_;
  Statement unclaim_;
  Statement input_;
  Statement row_;
  Statement outcome_;
  Statement share_;
  Statement load_;
  Statement event_;
};

}  // namespace spillway::sweep
