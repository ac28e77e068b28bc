#include "models/envoy/api/refused_messages.hpp"

#include <algorithm>
#include <unordered_map>

#include "models/envoy/api/refused_clusters.hpp"
#include "models/envoy/api/refused_filters.hpp"
#include "models/envoy/api/refused_listeners.hpp"
#include "models/envoy/api/refused_matchers.hpp"
#include "models/envoy/api/refused_others.hpp"
#include "models/envoy/api/refused_routes.hpp"

namespace spillway::api {

void CheckedDocument::refuse(Span where, const std::string& envoys_words) {
  problems.error("SP139", where, "Envoy refuses this configuration", "{}", {envoys_words});
}

bool CheckedDocument::is_within(std::string_view type) const {
  return std::find(around.begin(), around.end(), type) != around.end();
}

MessageCheck check_of(std::string_view message) {
  static const std::unordered_map<std::string_view, MessageCheck> checks = [] {
    std::unordered_map<std::string_view, MessageCheck> all;
    for (const auto messages : {refused_in_routes(), refused_in_filters(), refused_in_listeners(),
                                refused_in_clusters(), refused_in_matchers(), refused_elsewhere()}) {
      for (const RefusedMessage& entry : messages) {
        all.emplace(entry.message, entry.check);
      }
    }
    return all;
  }();
  const auto found = checks.find(message);
  return found == checks.end() ? nullptr : found->second;
}

}  // namespace spillway::api
