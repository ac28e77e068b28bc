#include "models/kuma/proxy/resource_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/kuma/digest.hpp"
#include "models/kuma/mesh_http_route.hpp"

namespace spillway::kuma {

namespace {

using Json = nlohmann::ordered_json;

// Returns the match as Go's encoding/json writes it.
Json json_of(const HttpMatch& match) {
  Json json = Json::object();
  if (match.path) {
    json["path"] = {{"value", value_of(match.path->value)}, {"type", value_of(match.path->type)}};
  }
  if (match.method) {
    json["method"] = *match.method;
  }
  if (match.queryParams) {
    json["queryParams"] = Json::array();
    for (const QueryParamsMatch& parameter : *match.queryParams) {
      json["queryParams"].push_back({{"type", value_of(parameter.type)},
                                     {"name", value_of(parameter.name)},
                                     {"value", value_of(parameter.value)}});
    }
  }
  if (match.headers) {
    json["headers"] = Json::array();
    for (const HeaderMatch& header : *match.headers) {
      Json one = Json::object();
      if (header.type) {
        one["type"] = *header.type;
      }
      one["name"] = value_of(header.name);
      if (!value_of(header.value).empty()) {
        one["value"] = *header.value;
      }
      json["headers"].push_back(std::move(one));
    }
  }
  return json;
}

// Escapes a text as Go's JSON encoder does, which escapes HTML characters.
std::string as_go_writes(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    escaped += letter == '<'   ? "\\u003c"
               : letter == '>' ? "\\u003e"
               : letter == '&' ? "\\u0026"
                               : std::string(1, letter);
  }
  return escaped;
}

}  // namespace

std::string kri(std::string_view kind, const ResourceId& id) {
  return fmt::format("kri_{}_{}_{}_{}_{}_{}", kind, id.mesh, id.zone, id.name_space, id.name, id.section);
}

std::string subset_name(const std::string& service, const Tags& tags) {
  if (tags.empty()) {
    return service;
  }
  Tags all = tags;
  all[std::string(service_tag)] = service;
  std::string text;
  for (const auto& [key, value] : all) {
    text.append(key).append(value);
  }
  constexpr std::size_t digits = 16;
  return service + "-" + hex_sha256(text).substr(0, digits);
}

std::string matches_name(std::span<const HttpMatch> matches) {
  Json json = Json::array();
  for (const HttpMatch& match : matches) {
    json.push_back(json_of(match));
  }
  return base64_sha256(as_go_writes(json.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace spillway::kuma
