// For headers that list messages: the fields of messages, and the names of their descriptions (message_shapes.hpp).
#pragma once

#include "models/documents/grammar/field.hpp"

namespace spillway::grammar {
class Fields;  // fields.hpp
}  // namespace spillway::grammar

namespace spillway::messages {

using grammar::Field;
using grammar::Fields;

// The description of a model's struct as it appears in a file; specialised for each struct.
template <class T>
struct Grammar;

}  // namespace spillway::messages
