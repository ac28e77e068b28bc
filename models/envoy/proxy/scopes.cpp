#include "models/envoy/proxy/scopes.hpp"

#include <map>
#include <optional>

#include "models/documents/problem.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/resources.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

// A header whose parts are fragments of the key.
struct Parts {
  std::string separator = {};
  std::vector<std::string> by_index = {};
  std::vector<std::string> by_name = {};
};

// Returns a header value in which the extractors find their fragments; nullopt if no value can contain them.
std::optional<std::string> value_of(const Parts& parts) {
  std::vector<std::string> all = parts.by_index;
  all.insert(all.end(), parts.by_name.begin(), parts.by_name.end());
  if (parts.separator.empty() && all.size() != 1) {
    return std::nullopt;
  }
  std::string value;
  for (std::size_t i = 0; i < all.size(); ++i) {
    value += (i == 0 ? "" : parts.separator) + all[i];
  }
  return value;
}

bool add_fragment(const Node& builder, const std::string& wanted, std::map<std::string, Parts>& headers) {
  constexpr std::uint64_t most_parts = 1'000;
  const Node* const extractor = find_value(builder, "header_value_extractor");
  if (extractor == nullptr || text_at(*extractor, "name").empty()) {
    return false;
  }
  Parts& parts = headers[text_at(*extractor, "name")];
  parts.separator = text_at(*extractor, "element_separator");
  if (const Node* const element = find_value(*extractor, "element")) {
    parts.by_name.push_back(text_at(*element, "key") + text_at(*element, "separator") + wanted);
    return true;
  }
  const Node* const index = find_value(*extractor, "index");
  const std::uint64_t position = index == nullptr ? 0 : index->magnitude;
  if (position >= most_parts) {
    return false;
  }
  if (parts.by_index.size() <= position) {
    parts.by_index.resize(static_cast<std::size_t>(position) + 1);
  }
  parts.by_index[static_cast<std::size_t>(position)] = wanted;
  return true;
}

// Adds the headers of a request with the scope's key. Returns false if they are unknown.
bool add_headers(const Node& scoped, Scope& scope) {
  const std::vector<const Node*> builders = fragments_at(scoped, "scope_key_builder");
  const std::vector<const Node*> wanted = fragments_at(*scope.node, "key");
  if (builders.empty() || builders.size() != wanted.size()) {
    return false;
  }
  std::map<std::string, Parts> headers;
  for (std::size_t i = 0; i < builders.size(); ++i) {
    if (!add_fragment(*builders[i], text_at(*wanted[i], "string_key"), headers)) {
      return false;
    }
  }
  for (const auto& [name, parts] : headers) {
    const auto value = value_of(parts);
    if (!value) {
      return false;
    }
    scope.headers.emplace_back(name, *value);
  }
  return true;
}

void find_routes(const Index& index, Scope& scope) {
  const std::string name = text_at(*scope.node, "route_configuration_name");
  scope.routes = find_value(*scope.node, "route_configuration");
  if (scope.routes == nullptr) {
    const Resource* const found = index.route_configuration(name);
    scope.routes = found == nullptr ? nullptr : found->node;
    scope.why = found == nullptr ? "its routes " + in_ticks(name) + " are not in the documents" : "";
  }
}

}  // namespace

std::vector<const Node*> scope_configurations(const Node& scoped, const Documents& documents) {
  std::vector<const Node*> scopes;
  if (const Node* const list = find_value(scoped, "scoped_route_configurations_list")) {
    scopes = items_at(*list, "scoped_route_configurations");
  }
  for (const Resource& scope : documents.scoped_routes) {
    scopes.push_back(scope.node);
  }
  return scopes;
}

std::vector<const Node*> fragments_at(const Node& object, std::string_view key) {
  const Node* const holder = find_value(object, key);
  return holder == nullptr ? std::vector<const Node*>{} : items_at(*holder, "fragments");
}

std::vector<Scope> scopes_of(const Node& manager, const Documents& documents, const Index& index) {
  const Node* const scoped = find_value(manager, "scoped_routes");
  if (scoped == nullptr) {
    return {};
  }
  std::vector<Scope> scopes;
  for (const Node* const scope : scope_configurations(*scoped, documents)) {
    scopes.push_back({.node = scope});
  }
  for (Scope& scope : scopes) {
    if (add_headers(*scoped, scope)) {
      find_routes(index, scope);
    } else {
      scope.why = "no headers are known that make its key";
    }
  }
  return scopes;
}

}  // namespace spillway::proxy
