// Reports what Envoy refuses, in its words, at the field concerned.
//
//   refuse(envoy::refusal(config, envoy::Form::typed), {"this maglev policy", written.source.object, key}, problems);
//   // error[SP139]: Envoy refuses this maglev policy
//   //   table_size: 8
//   //               ^ The table size of maglev must be prime number
#pragma once

#include <optional>
#include <string>

#include "models/config/refusal.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/node.hpp"

namespace spillway::messages {

struct Refused {
  std::string what;                         // "this cluster"
  const documents::Node* object = nullptr;  // the refused object; null if unknown
  Span otherwise;                           // used if the reason names no field of the object
};

// Adds SP139 if there is a refusal. Returns true if there is one.
bool refuse(const config::Refusal& refusal, const Refused& refused, Diagnostics& problems);
// Adds SP139 for the object being read. Has no effect while its schema is generated.
void refuse(const config::Refusal& refusal, const char* what, grammar::Fields& fields);

// The field that a reason names: the deepest part of its path that is written.
struct RefusedField {
  const documents::Node* value = nullptr;  // null if none is named or written
  Span key;                                // of the value, in a list
};
[[nodiscard]] RefusedField field_of(const config::Reason& reason, const documents::Node& object);

}  // namespace spillway::messages
