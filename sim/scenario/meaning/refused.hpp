// What Envoy refuses, said in its words at the field that it means.
//
//   refuse(envoy::refusal(config, envoy::Form::typed), {"this maglev policy", written.source.object, key}, problems);
//   // error[SP139]: Envoy refuses this maglev policy
//   //   table_size: 8
//   //               ^ The table size of maglev must be prime number
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/document/node.hpp"

namespace spillway::scenario::meaning {

struct Refused {
  std::string what;                        // "this cluster"
  const document::Node* object = nullptr;  // what was refused; null: not known
  Span otherwise;                          // where the reason names no field of the object
};

// Adds SP139 if there is a reason. True if there is.
bool refuse(const std::optional<std::string>& reason, const Refused& refused, Diagnostics& problems);

// The value of the field that a reason speaks of, whichever way it spells it; also of objects within the object.
[[nodiscard]] std::optional<Span> field_of_reason(const document::Node& object, const std::string& reason);

}  // namespace spillway::scenario::meaning
