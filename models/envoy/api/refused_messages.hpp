// Messages that Envoy refuses by its code, not by a rule of its API: one function a message.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/message_view.hpp"

namespace spillway::api {

// The document under check: facts about the whole that a rule may need, and the diagnostics.
struct CheckedDocument {
  Diagnostics& problems;
  // The whole document if it is a bootstrap.
  MessageView bootstrap = {};
  // Names of static clusters; meaningless unless the document is a bootstrap.
  std::set<std::string> clusters = {};
  // The types of the messages around the one that is checked, the outermost first.
  std::vector<std::string_view> around = {};
  // False if messages that Envoy does not know are reported elsewhere (SP148).
  bool reports_unknown_messages = true;

  // Reports that Envoy refuses the value at a place, in Envoy's words (SP139).
  void refuse(Span where, const std::string& envoys_words);
  // Reports a back-off whose `max_interval` is shorter than its `base_interval`.
  void check_back_off(const MessageView& back_off, const std::string& envoys_words);
  // Reports an address that Envoy takes only as numbers.
  void check_ip(const MessageView& socket_address);
  // True for a bootstrap without a static cluster of this name; false for "".
  [[nodiscard]] bool lacks_cluster(const std::string& name) const;
  // Returns the number that the static layers of the bootstrap's runtime have for a key; the last layer counts.
  [[nodiscard]] double number_in_runtime(const std::string& key, double otherwise) const;
  // True if a message of this type is around the one that is checked.
  [[nodiscard]] bool is_within(std::string_view type) const;
};

using MessageCheck = void (*)(const MessageView& message, CheckedDocument& document);

// A message and the function that checks it.
struct RefusedMessage {
  std::string_view message;
  MessageCheck check;
};

// Returns the check of this message; null if there is none.
[[nodiscard]] MessageCheck check_of(std::string_view message);

}  // namespace spillway::api
