#include "models/envoy/api/refused_messages.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/envoy/api/ip_text.hpp"
#include "models/envoy/api/refused_bootstraps.hpp"
#include "models/envoy/api/refused_clusters.hpp"
#include "models/envoy/api/refused_filters.hpp"
#include "models/envoy/api/refused_listeners.hpp"
#include "models/envoy/api/refused_matchers.hpp"
#include "models/envoy/api/refused_others.hpp"
#include "models/envoy/api/refused_routes.hpp"
#include "models/envoy/api/refused_services.hpp"
#include "models/envoy/api/refused_tls.hpp"

namespace spillway::api {

void CheckedDocument::refuse(Span where, const std::string& envoys_words) {
  problems.error("SP139", where, "Envoy refuses this configuration", "{}", {envoys_words});
}

void CheckedDocument::check_back_off(const MessageView& back_off, const std::string& envoys_words) {
  if (back_off.has("max_interval") && back_off.seconds("max_interval") < back_off.seconds("base_interval")) {
    refuse(back_off.place("max_interval"), envoys_words);
  }
}

void CheckedDocument::check_ip(const MessageView& socket_address) {
  if (socket_address.exists() && !is_ip(socket_address.text("address"))) {
    refuse(socket_address.place("address"), "malformed IP address: " + socket_address.text("address"));
  }
}

bool CheckedDocument::lacks_cluster(const std::string& name) const {
  return bootstrap.exists() && !name.empty() && !clusters.contains(name);
}

double CheckedDocument::number_in_runtime(const std::string& key, double otherwise) const {
  double number = otherwise;
  for (const MessageView& layer : bootstrap.message("layered_runtime").items("layers")) {
    // Values may be nested: a.b is also {a: {b: ...}}.
    std::vector<std::pair<const documents::Node*, std::string>> left = {{layer.find("static_layer"), key}};
    while (!left.empty()) {
      const auto [node, rest] = left.back();
      left.pop_back();
      for (std::size_t i = 0; node != nullptr && i < node->members.size(); ++i) {
        const auto& [name, value] =
            std::pair<const std::string&, const documents::Node&>(node->members[i].key, node->members[i].value);
        if (name == rest) {
          number = std::trunc(number_of(value).value_or(number));
        } else if (rest.starts_with(name + ".")) {
          left.emplace_back(&value, rest.substr(name.size() + 1));
        }
      }
    }
  }
  return number >= 0 ? number : otherwise;
}

bool CheckedDocument::is_within(std::string_view type) const {
  return std::find(around.begin(), around.end(), type) != around.end();
}

MessageCheck check_of(std::string_view message) {
  static const std::unordered_map<std::string_view, MessageCheck> checks = [] {
    std::unordered_map<std::string_view, MessageCheck> all;
    for (const auto messages : {refused_in_routes(), refused_in_filters(), refused_in_listeners(),
                                refused_in_clusters(), refused_in_matchers(), refused_in_bootstraps(), refused_in_tls(),
                                refused_in_services(), refused_elsewhere()}) {
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
