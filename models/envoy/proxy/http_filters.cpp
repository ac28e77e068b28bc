#include "models/envoy/proxy/http_filters.hpp"

#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

constexpr const char* filter_config = "envoy.config.route.v3.FilterConfig";

// Returns the most specific configuration of the filter; null if there is none.
const Node* most_specific(const ChosenRoute& chosen, const std::string& name) {
  for (const Node* const level : {chosen.route, chosen.virtual_host, chosen.configuration}) {
    const Node* const filters = level == nullptr ? nullptr : find_value(*level, "typed_per_filter_config");
    for (std::size_t i = 0; filters != nullptr && i < filters->members.size(); ++i) {
      if (filters->members[i].key == name) {
        return &filters->members[i].value;
      }
    }
  }
  return nullptr;
}

}  // namespace

const Node* without_filter_config(const Node& config) {
  return type_of(config) == filter_config ? find_value(config, "config") : &config;
}

std::vector<HttpFilter> http_filters(const Node& manager, const ChosenRoute& chosen) {
  std::vector<HttpFilter> filters;
  for (const Node* const item : items_at(manager, "http_filters")) {
    HttpFilter filter{.name = text_at(*item, "name"), .config = find_value(*item, "typed_config")};
    const Node* const specific = most_specific(chosen, filter.name);
    const bool disabled = specific == nullptr ? is_true(*item, "disabled") : is_true(*specific, "disabled");
    if (disabled) {
      continue;
    }
    filter.per_route = specific == nullptr ? nullptr : without_filter_config(*specific);
    filters.push_back(std::move(filter));
  }
  return filters;
}

}  // namespace spillway::proxy
