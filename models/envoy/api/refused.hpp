// What Envoy refuses, said in its words at the field that it means.
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
  std::string what;                        // "this cluster"
  const documents::Node* object = nullptr;  // what was refused; null: not known
  Span otherwise;                          // where no field of the object is meant
};

// Adds SP139 if there is a reason. True if there is.
bool refuse(const config::Refusal& refusal, const Refused& refused, Diagnostics& problems);
// The same of the object that is read; nothing while its schema is made.
void refuse(const config::Refusal& refusal, const char* what, grammar::Fields& fields);

// The field that a reason means, as far as its way is written.
struct RefusedField {
  const documents::Node* value = nullptr;  // null: none is meant or written
  Span key;                               // of the value, in a list
};
[[nodiscard]] RefusedField field_of(const config::Reason& reason, const documents::Node& object);

}  // namespace spillway::messages
