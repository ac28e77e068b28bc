// The fields that hold an extension (a google.protobuf.Any), and the messages that Envoy takes in each.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/node.hpp"
#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// A place for an extension.
struct ExtensionPoint {
  std::string_view categories =
      {};                 // of the extensions that it takes (find_extension()); empty if it takes any message
  std::string name = {};  // that the extension is given there
  bool optional = false;  // Envoy goes on without an extension that it does not have
  bool unread = false;    // Envoy keeps the message, and looks at no more than its shape
};

// Reports an extension that is missing, or whose message is one of Envoy's but not for this place. Other messages are
// passed over if the tables do not have them. Returns the message as which Envoy reads it; empty if it is refused.
// Source: the categories of a real Envoy 1.40 (tables/extensions.txt).
[[nodiscard]] std::string check_extension(const documents::Node& any, const ExtensionPoint& point,
                                          CheckedDocument& document);

// True if Envoy goes on without the extension of a message: if it is discovered, or the message says so.
[[nodiscard]] bool may_be_missing(const MessageView& message);

// Reports messages that a discovered extension (`config_discovery`) may not have at this place.
void check_discovered(const MessageView& message, const ExtensionPoint& point, CheckedDocument& document);

// Reports that an extension is missing.
void refuse_missing_extension(Span where, const ExtensionPoint& point, const std::string& type,
                              CheckedDocument& document);

}  // namespace spillway::api
