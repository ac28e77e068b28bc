#include "models/envoy/api/extension_points.hpp"

#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {
namespace {

// True for messages that another build of Envoy may have: those of others, such as Istio's, and contributed ones.
bool is_foreign(std::string_view type) {
  const bool own = type.starts_with("envoy.") || type.starts_with("google.protobuf.");
  return (!own && type.find('.') != std::string_view::npos) || type.find(".v3alpha.") != std::string_view::npos;
}

}  // namespace

bool may_be_missing(const MessageView& message) {
  return message.has("config_discovery") || message.flag("is_optional");
}

void refuse_missing_extension(Span where, const ExtensionPoint& point, const std::string& type,
                              CheckedDocument& document) {
  const bool is_filter =
      point.categories == "envoy.filters.http.route" && find_extension("envoy.filters.http", type).taken;
  document.refuse(
      where, is_filter
                 ? "The filter " + point.name + " doesn't support virtual host or route specific configurations"
                 : "Didn't find a registered implementation for '" + point.name + "' with type URL: '" + type + "'");
}

void check_discovered(const MessageView& message, const ExtensionPoint& point, CheckedDocument& document) {
  for (const MessageView& url : message.message("config_discovery").items("type_urls")) {
    const std::string_view type = after_slash(url.node().text);
    if (!point.categories.empty() && !is_foreign(type) && !find_extension(point.categories, type).taken) {
      document.refuse(url.node().span,
                      "Error: no factory found for a required type URL " + std::string(url.node().text) + ".");
    }
  }
}

std::string check_extension(const documents::Node& any, const ExtensionPoint& point, CheckedDocument& document) {
  const std::string type = MessageView(any).any_type();
  if (document.reports_unknown_messages && find_extension("absent", type).taken) {
    document.refuse(any.span, "could not find @type 'type.googleapis.com/" + type + "'");
    return {};
  }
  const Extension found = find_extension(point.categories, type);
  if (point.categories.empty() || point.optional || (found.taken && found.read_as.empty())) {
    return type;
  }
  if (!found.taken) {
    const bool may_be_known_elsewhere =
        !type.empty() && (is_foreign(type) || (!document.reports_unknown_messages && !is_known_message(type)));
    if (may_be_known_elsewhere) {
      return type;
    }
    refuse_missing_extension(any.span, point, type, document);
    return {};
  }
  // Envoy does not look at the type of an empty message.
  const MessageView message = MessageView(any).any_message();
  const bool is_empty = !message.exists() || message.node().members.empty() ||
                        (message.node().members.size() == 1 && message.has("@type"));
  if (!is_empty) {
    document.refuse(any.span, "Unable to unpack as " + std::string(found.read_as) + ": " + type);
    return {};
  }
  return std::string(found.read_as);
}

}  // namespace spillway::api
