// Envoy's messages in cases, read and written by the descriptions that files are (models/envoy/api/). Whatever a
// description does not know throws std::invalid_argument.
#pragma once

#include <string>

#include "models/config/refusal.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// As a file holds it.
[[nodiscard]] documents::Node node_of(const json& value);

// What Envoy refuses among the problems, in its words; none: nothing. Throws for problems of another kind.
[[nodiscard]] config::Refusal refusal_among(const Diagnostics& problems, const json& read);

template <class T>
struct ReadMessage {
  T message = {};
  config::Refusal refused = {};
};
template <class T>
[[nodiscard]] ReadMessage<T> read_refusable(const json& object) {
  const documents::Node node = node_of(object);
  Diagnostics problems;
  ReadMessage<T> read;
  static_cast<void>(messages::Message<T>{}.read(node, read.message, "the message", problems));
  read.refused = refusal_among(problems, object);
  return read;
}

[[noreturn]] void throw_refused(const config::Reason& reason, const json& read);

// Of what Envoy takes.
template <class T>
[[nodiscard]] T read_message(const json& object) {
  ReadMessage<T> read = read_refusable<T>(object);
  if (read.refused) {
    throw_refused(*read.refused, object);
  }
  return std::move(read.message);
}

}  // namespace spillway::conformance
