#include "models/envoy/proxy/request_line.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/config/trimmed.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/request_headers.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;
using envoy::routes::Request;

constexpr std::array methods = std::to_array<std::string_view>(
    {"ACL",        "BIND",   "CHECKOUT", "CONNECT", "COPY",     "DELETE",    "GET",        "HEAD",      "LINK",
     "LOCK",       "MERGE",  "MKCOL",    "MOVE",    "MSEARCH",  "NOTIFY",    "OPTIONS",    "PATCH",     "POST",
     "MKACTIVITY", "PURGE",  "PUT",      "REBIND",  "REPORT",   "SEARCH",    "SOURCE",     "SUBSCRIBE", "TRACE",
     "MKCALENDAR", "UNBIND", "UNLINK",   "UNLOCK",  "PROPFIND", "PROPPATCH", "UNSUBSCRIBE"});

bool is_authority(std::string_view host) {
  constexpr std::string_view marks = "-._~%!$&'()*+,;=:@[]";
  return std::all_of(host.begin(), host.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           marks.find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// Returns the parts of a comma-separated list in lower case, without blanks around them.
std::vector<std::string> tokens_of(const Request& request, std::string_view header) {
  std::vector<std::string> tokens;
  for (const std::string& value : envoy::routes::all_values(request, header)) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string_view token = config::trimmed(std::string_view(value).substr(begin, end - begin));
      tokens.push_back(config::to_lower_ascii(std::string(token)));
      begin = end + 1;
    }
  }
  return tokens;
}

bool has_token(const Request& request, std::string_view header, std::string_view token) {
  const std::vector<std::string> tokens = tokens_of(request, header);
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

std::string value_of(const Request& request, std::string_view header) {
  const std::string* const value = first_value(request, header);
  return value == nullptr ? "" : *value;
}

// Applies a target such as "http://shop.example/a". False if it is none, although it is no path either.
bool apply_absolute_form(const std::string& target, Request& request) {
  const std::size_t colon = target.find("://");
  const std::string scheme = config::to_lower_ascii(target.substr(0, colon));
  if (colon == std::string::npos || (scheme != "http" && scheme != "https")) {
    return false;
  }
  const std::size_t host = colon + 3;
  const std::size_t path = std::min(target.find_first_of("/?#", host), target.size());
  remove_header(request, "host");
  proxy::set_header(request, ":authority", {target.substr(host, path - host)});
  proxy::set_header(request, ":scheme", {scheme});
  proxy::set_header(request, ":path", {path == target.size() ? "/" : target.substr(path)});
  return path > host;
}

bool allows(const std::vector<api::MessageView>& upgrades, const std::string& upgrade, bool& listed) {
  const auto found = std::find_if(upgrades.begin(), upgrades.end(), [&](const api::MessageView& one) {
    return config::to_lower_ascii(one.text("upgrade_type")) == upgrade;
  });
  listed = found != upgrades.end();
  return listed && found->flag("enabled", true);
}

}  // namespace

std::optional<Answered> apply_codec(const Node& manager, Request& request) {
  const api::MessageView view(manager);
  if (view.is("codec_type", "HTTP2", 2) || view.is("codec_type", "HTTP3", 3)) {
    return std::nullopt;
  }
  const auto bad = [&](std::string why) {
    return Answered{manager.span, std::move(why) + ", which is answered with a 400"};
  };
  const api::MessageView options = view.message("http_protocol_options");
  const std::string method = value_of(request, ":method");
  if (!options.flag("allow_custom_methods") && std::find(methods.begin(), methods.end(), method) == methods.end()) {
    return bad("HTTP/1.1 has no method `" + method + "`");
  }
  const std::string target = value_of(request, ":path");
  const bool connects = method == "CONNECT";
  if (connects && target != "/" && value_of(request, ":protocol").empty()) {
    return bad("CONNECT has a path");
  }
  if (!is_visible(target)) {
    return bad("its path has a blank, or is not ASCII");
  }
  if (!connects && !target.starts_with('/') && !(target == "*" && method == "OPTIONS") &&
      !(options.flag("allow_absolute_url", true) && apply_absolute_form(target, request))) {
    return bad("its path does not begin with `/`");
  }
  if (!is_authority(value_of(request, ":authority"))) {
    return bad("its host has a character that no host has");
  }
  if (!connects && !value_of(request, ":path").starts_with('/')) {
    return Answered{manager.span, "its path does not begin with `/`, which is answered with a 404"};
  }
  const std::vector<std::string> codings = tokens_of(request, "transfer-encoding");
  if (!codings.empty() && codings != std::vector<std::string>{"chunked"}) {
    return Answered{manager.span, "its body has a coding other than `chunked`, which is answered with a 501"};
  }
  if (!codings.empty() && first_value(request, "content-length") != nullptr && !options.flag("allow_chunked_length")) {
    return bad("its body is chunked and has a length");
  }
  return std::nullopt;
}

std::optional<std::string> upgrade_of(const Request& request) {
  const std::string upgrade = config::to_lower_ascii(value_of(request, "upgrade"));
  return upgrade.empty() || upgrade == "h2c" || !has_token(request, "connection", "upgrade") ? std::nullopt
                                                                                             : std::optional(upgrade);
}

bool refuses_upgrade(const Node& manager, const Node& route, const std::string& upgrade) {
  bool listed = false;
  const bool by_route = allows(api::MessageView(route).message("route").items("upgrade_configs"), upgrade, listed);
  if (listed && !by_route) {
    return true;
  }
  return !by_route && !allows(api::MessageView(manager).items("upgrade_configs"), upgrade, listed);
}

bool accepts_trailers(const Request& request) {
  return has_token(request, "te", "trailers");
}

}  // namespace spillway::proxy
