#include "models/envoy/proxy/listeners.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/route_tables.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

// Keys of routes and their surroundings that move requests to other hosts, or repeat, drop or delay them.
constexpr std::array route_keys = std::to_array<std::string_view>(
    {"hash_policy", "retry_policy", "retry_policy_typed_config", "weighted_clusters", "metadata_match",
     "cluster_header", "cluster_specifier_plugin", "request_mirror_policies", "typed_per_filter_config", "timeout",
     "idle_timeout", "max_stream_duration", "rate_limits", "internal_redirect_policy", "rds"});

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

// Returns a filter's configuration; nullopt if it cannot be determined.
std::optional<messages::AnyMessage> message_of(const Node& config) {
  messages::AnyMessage message;
  Diagnostics ignored;
  return messages::AnyShape{}.read(config, message, "typed_config", ignored) ? std::optional(message) : std::nullopt;
}

// Returns the keys of subset metadata that a filter's rules may add to requests.
std::vector<std::string> subset_keys(const envoy::routes::HeaderToMetadata& filter) {
  std::vector<std::string> keys;
  for (const auto& rule : filter.request_rules) {
    for (const auto& pair : {rule.on_present, rule.on_missing}) {
      if (pair && pair->metadata_namespace == "envoy.lb") {
        add_new(keys, pair->key);
      }
    }
  }
  return keys;
}

class Features {
 public:
  explicit Features(Diagnostics& problems) : problems_(problems) {}

  void collect(const Node& node) {
    for (const documents::Member& member : node.members) {
      if (member.key == "http_filters" || member.key == "httpFilters") {
        add_filters(member.value);
      } else if (member.key == "typed_per_filter_config" || member.key == "typedPerFilterConfig") {
        for (const documents::Member& filter : member.value.members) {
          static_cast<void>(read_rules(filter.value));
        }
      }
      for (const std::string_view key : route_keys) {
        if (member.key == key || member.key == grammar::lower_camel_case(key)) {
          add_new(found_, in_ticks(key));
        }
      }
      collect(member.value);
    }
    for (const Node& item : node.items) {
      collect(item);
    }
  }

  [[nodiscard]] const std::vector<std::string>& found() const noexcept { return found_; }

 private:
  void add_filters(const Node& filters) {
    for (const Node& filter : filters.items) {
      const Node* const config = find_value(filter, "typed_config");
      const std::string type = config == nullptr ? std::string() : text_at(*config, "@type");
      if (type.ends_with("filters.http.router.v3.Router")) {
        continue;
      }
      const std::string name = text_at(filter, "name");
      const auto keys = config == nullptr ? std::vector<std::string>{} : read_rules(*config);
      add_new(found_, "HTTP filter " + in_ticks(name.empty() ? type : name) +
                          (keys.empty() ? "" : " (it sets " + grammar::listed(keys, "and") + " of subsets)"));
    }
  }

  // Returns the subset keys of a header_to_metadata configuration. Reports inconsistent rules, for which Envoy refuses
  // a listener.
  std::vector<std::string> read_rules(const Node& config) {
    const auto message = message_of(config);
    return message && message->type == messages::header_to_metadata_type && !message->node->members.empty()
               ? subset_keys(messages::read_any<envoy::routes::HeaderToMetadata>(*message, problems_))
               : std::vector<std::string>{};
  }

  Diagnostics& problems_;
  std::vector<std::string> found_;
};

}  // namespace

void warn_of_listener(const Node& listener, Diagnostics& problems) {
  Features collected(problems);
  collected.collect(listener);
  const std::vector<std::string>& features = collected.found();
  const std::string name = name_of_listener(listener);
  std::string label = "listener " + (name.empty() ? "without a name" : in_ticks(name)) + " is not read";
  for (std::size_t i = 0; i < features.size(); ++i) {
    label += (i == 0 ? ": " : ", ") + features[i];
  }
  problems.warning("SP212", listener.span, "a part of the bootstrap that is not read", "{}", {label})
      .note(
          "shares are for requests that reach the cluster without a hash, a retry or subset metadata; use --host, "
          "--path and --header for a request that follows its routes");
}

}  // namespace spillway::proxy
