// A kind of record: each field's name, unit, type and value, in one place. CSV, `wide`, JSON, its schema, OpenMetrics
// and the data of pages follow from it.
//
//   Record<run::Latency> record;
//   record.add({.name = "p50", .value = [](const run::Latency& row) { return RecordValue(row.p50); }, .number = true});
//   record.json(row).text();          // {"p50":0.004}
//   record.columns().sheet("", rows);
//   record.schema().text();           // {"type":"object","properties":{"p50":{"type":"number"}},...
#pragma once

#include <algorithm>
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

// The type of a field in JSON.
struct RecordType {
  const char* name = "string";
  bool nullable = false;
  const char* description = "";

  [[nodiscard]] documents::JsonText schema() const;
};

// Returns the type of a C++ value. A RecordValue is `dynamic`, or null.
template <class Value>
constexpr RecordType record_type(const char* dynamic) {
  if constexpr (std::is_same_v<Value, RecordValue>) {
    return {dynamic, true};
  } else if constexpr (std::is_floating_point_v<Value>) {
    return {"number"};
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return {"integer"};
  } else if constexpr (requires(const Value& value) { value.has_value(); }) {
    return {record_type<typename Value::value_type>(dynamic).name, true};
  } else {
    return {};
  }
}

template <class Row>
struct RecordField {
  std::string name;
  std::function<RecordValue(const Row&)> value;
  bool number = false;
  RecordMetric metric = {};
  RecordType type = {};
  bool in_sheets = true;
  bool in_json = true;
};

template <class Row>
class Record {
 public:
  using Field = RecordField<Row>;

  void add(Field field) { fields_.push_back(std::move(field)); }
  // Adds a field that `value` returns: a text, a number, an optional one of these, or a RecordValue.
  template <class Value>
  void text(const std::string& name, Value value) {
    add({.name = name, .value = value, .type = type_of<Value>("string")});
  }
  template <class Value>
  void number(const std::string& name, Value value, RecordMetric metric = {}) {
    RecordType type = type_of<Value>("number");
    type.description = metric.help;
    add({.name = name, .value = value, .number = true, .metric = metric, .type = type});
  }
  // Adds a field that only JSON has; `dynamic` is the type of a RecordValue.
  template <class Value>
  void only_json(const std::string& name, Value value, const char* dynamic = "string") {
    add({.name = name, .value = value, .type = type_of<Value>(dynamic), .in_sheets = false});
  }
  void add_fields_of(const Record& other) { fields_.insert(fields_.end(), other.fields_.begin(), other.fields_.end()); }
  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }
  // Returns the first field of this name. Precondition: there is one.
  [[nodiscard]] const Field& field(std::string_view name) const {
    return *std::find_if(fields_.begin(), fields_.end(), [&](const Field& one) { return one.name == name; });
  }

  [[nodiscard]] documents::JsonText json(const Row& row) const {
    documents::JsonText object = documents::JsonText::object();
    for (const Field& field : fields_) {
      if (field.in_json) {
        object.add(field.name, field.value(row).json());
      }
    }
    return object;
  }

  // Returns the JSON Schema of json(). `optional` has the schemas of fields that only some objects have.
  [[nodiscard]] documents::JsonText schema(const documents::JsonText& optional = documents::JsonText::object()) const {
    documents::JsonText properties = documents::JsonText::object();
    documents::JsonText required = documents::JsonText::array();
    for (const Field& field : fields_) {
      if (field.in_json) {
        properties.add(field.name, field.type.schema());
        required.push_back(field.name);
      }
    }
    properties.add_members_of(optional);
    return {{"type", "object"}, {"properties", properties}, {"required", required}};
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
  template <class Value>
  static constexpr RecordType type_of(const char* dynamic) {
    return record_type<std::remove_cvref_t<std::invoke_result_t<Value, const Row&>>>(dynamic);
  }

  std::vector<Field> fields_;
};

}  // namespace spillway::reports
