// A message that was read into a struct of the models, with its place in the file:
// Field<Described<config::RetryBudget>>. Its Grammar<T> describes the struct's fields (message_shapes.hpp).
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

template <class T>
struct Described : T {
  static constexpr const char* definition = Grammar<T>::definition;
  Source source = {};
  bool sound = true;  // false if an error was found within the message
};

}  // namespace spillway::messages
