// Applies the validation rules of Envoy's API to the fields of a message.
#pragma once

#include <string_view>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/field_rules.hpp"

namespace spillway::api {

class RuleChecker {
 public:
  RuleChecker(Tables& tables, Diagnostics& problems) : tables_(tables), problems_(problems) {}

  // Checks a field of `object`; `member` is null if it is not set.
  void check(const ApiField& field, const documents::Member* member, const documents::Node& object);
  // Checks the value of a field that is set.
  void check_set(const ApiField& field, const documents::Node& value);
  // Checks that a member of each required oneof is set. `found`: by the position of the field.
  void check_required_oneofs(const ApiMessage& type, const std::vector<const documents::Member*>& found,
                             const documents::Node& object);

 private:
  void check_unset(const ApiField& field, const documents::Node& object);
  void check_list(const ApiField& field, const documents::Node& value);
  void check_map(const ApiField& field, const documents::Node& value);
  void check_value(const ApiField& field, const Rules& rules, const documents::Node& value);
  void check_typed(const ApiField& field, const Rules& rules, const documents::Node& value);
  void check_scalar(const ApiField& field, const Rules& rules, Kind kind, const documents::Node* value, Span where);
  void check_enum(const ApiField& field, const Rules& rules, const documents::Node* value, Span where);
  void report(const BrokenRule& broken, const ApiField& field, Span where);

  Tables& tables_;
  Diagnostics& problems_;
};

// Returns the scalar in a wrapper such as google.protobuf.UInt32Value; `message` if the type is no wrapper.
[[nodiscard]] Kind wrapped_kind(std::string_view type);

}  // namespace spillway::api
