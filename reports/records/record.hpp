// A kind of record: each field's name, unit, and value, in one place. CSV, `wide`, JSON, OpenMetrics and the data of
// pages follow from it.
//
//   Record<run::Latency> record;
//   record.add({.name = "p50", .value = [](const run::Latency& row) { return RecordValue(row.p50); }, .number = true});
//   record.json(row).text();          // {"p50":0.004}
//   record.columns().sheet("", rows);
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/documents/json_writer.hpp"
#include "reports/document/columns.hpp"

namespace spillway::reports {

// A value of a field: text, a number, or none if it is unknown or does not apply.
class RecordValue {
 public:
  RecordValue() = default;
  RecordValue(std::string text) : value_(std::move(text)) {}
  RecordValue(std::string_view text) : value_(std::string(text)) {}
  RecordValue(const char* text) : value_(std::string(text)) {}
  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  RecordValue(Number number) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isnan(number)) {
        value_ = number;
      }
    } else {
      value_ = static_cast<std::uint64_t>(number);
    }
  }
  template <class Number>
  RecordValue(const std::optional<Number>& number) {
    if (number) {
      *this = RecordValue(*number);
    }
  }

  // Returns the value of a cell: numbers with the fewest digits that read back as the same one; empty if there is none.
  [[nodiscard]] std::string cell() const;
  [[nodiscard]] documents::JsonText json() const;
  // Calls `visit` with a number: a double or an unsigned integer.
  template <class Visit>
  void with_number(Visit visit) const {
    if (const auto* const fraction = std::get_if<double>(&value_)) {
      visit(*fraction);
    } else if (const auto* const whole = std::get_if<std::uint64_t>(&value_)) {
      visit(*whole);
    }
  }

 private:
  std::variant<std::monostate, std::string, double, std::uint64_t> value_;
};

// The family of OpenMetrics that has a field's values.
struct RecordMetric {
  const char* name = nullptr;
  const char* type = "gauge";
  const char* unit = "";
  const char* help = "";
};

template <class Row>
struct RecordField {
  std::string name;
  std::function<RecordValue(const Row&)> value;
  bool number = false;
  RecordMetric metric = {};
  bool in_sheets = true;
  bool in_json = true;
};

template <class Row>
class Record {
 public:
  using Field = RecordField<Row>;

  void add(Field field) { fields_.push_back(std::move(field)); }
  void text(const std::string& name, std::function<RecordValue(const Row&)> value) {
    add({.name = name, .value = std::move(value)});
  }
  void number(const std::string& name, std::function<RecordValue(const Row&)> value, RecordMetric metric = {}) {
    add({.name = name, .value = std::move(value), .number = true, .metric = metric});
  }
  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }

  [[nodiscard]] documents::JsonText json(const Row& row) const {
    documents::JsonText object = documents::JsonText::object();
    for (const Field& field : fields_) {
      if (field.in_json) {
        object.add(field.name, field.value(row).json());
      }
    }
    return object;
  }

  [[nodiscard]] Columns<Row> columns() const {
    Columns<Row> columns;
    for (const Field& field : fields_) {
      columns.add(
          {field.name, field.number}, [value = field.value](const Row& row) { return value(row).cell(); },
          field.in_sheets);
    }
    return columns;
  }

 private:
  std::vector<Field> fields_;
};

}  // namespace spillway::reports
