// Checks a document of Envoy's against the tables of its API, and by the rules that Envoy has in its code: what a real
// Envoy refuses is an error at its place.
//
//   api::check_document(tree, "envoy.config.bootstrap.v3.Bootstrap", problems);
//
// Follows google.protobuf.Any by its "@type", and TypedStruct by its `type_url`. Messages whose type is not in the
// tables are passed over. Source: the descriptors of Envoy 1.40 and `envoy --mode validate`.
#pragma once

#include <string_view>

#include "models/documents/diagnostic.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::api {

struct ApiField;  // api_tables.hpp

// Adds an error for each unknown field (SP020), missing field (SP021), value of a wrong kind (SP022), broken rule
// (SP023 to SP026), field in conflict with another (SP027), field that Envoy no longer takes (SP028), and for what else
// Envoy refuses (SP139). Linear in the document. Precondition: the tree is settled (grammar/protobuf_json.hpp), and the
// tables have the message.
void check_document(const documents::Node& root, std::string_view message, Diagnostics& problems);

// Checks a message in a document likewise. In what a program reported, only unknown keys are warned of (SP232): another
// version of Envoy may have written it. Keeps the tables of this thread.
void check_message(const documents::Node& node, std::string_view message, Diagnostics& problems);

// Checks the value of a field likewise. Precondition: the field is from the tables.
void check_field(const documents::Node& value, const ApiField& field, Diagnostics& problems);

}  // namespace spillway::api
