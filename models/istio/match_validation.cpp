#include "models/istio/match_validation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>

#include "models/config/lower_ascii.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/istio/name_validation.hpp"

namespace spillway::istio {

namespace {

constexpr std::array<std::string_view, 5> pseudo_header_names{":method", ":scheme", ":authority", ":path", ":status"};

// True if the name consists of characters of an HTTP token.
bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

void check_header_name(const std::string& name, const std::string& path, std::vector<Finding>& findings) {
  if (!is_claim(name) && !is_header_name(name) &&
      std::find(pseudo_header_names.begin(), pseudo_header_names.end(), name) == pseudo_header_names.end()) {
    findings.push_back({true, "header-name", path,
                        name.empty() ? "header name cannot be empty" : "\"" + name + "\" is not a valid header name"});
  }
}

// Checks a regular expression; istiod's and Envoy's have the same syntax.
void check_regex(const StringMatch& match, const std::string& path, std::vector<Finding>& findings) {
  constexpr std::size_t longest_regex = 1024;
  if (match.kind != StringMatch::Kind::regex) {
    return;
  }
  if (match.text.empty()) {
    findings.push_back({true, "regex-empty", path, "regex string match should not be empty"});
  } else if (match.text.size() > longest_regex) {
    findings.push_back({true, "regex-too-long", path, "regex is too large, max length allowed is 1024"});
  } else if (const std::string error = envoy::routes::RegexRewrite(match.text, "").error(); !error.empty()) {
    findings.push_back({true, "regex-syntax", path, error + "; Istio uses RE2 style regex-based match"});
  }
}

void check_text(const StringMatch& match, const std::string& path, std::vector<Finding>& findings) {
  if (match.kind == StringMatch::Kind::prefix && match.text.empty()) {
    findings.push_back({true, "prefix-empty", path, "prefix string match should not be empty"});
  }
  check_regex(match, path, findings);
}

void check_text(const std::optional<StringMatch>& match, const std::string& path, std::vector<Finding>& findings) {
  if (match) {
    check_text(*match, path, findings);
  }
}

void check_headers(const std::map<std::string, StringMatch>& headers, const std::string& path,
                   std::vector<Finding>& findings) {
  for (const auto& [name, match] : headers) {
    check_header_name(name, path, findings);
    check_text(match, path, findings);
  }
}

void check_texts(const HttpMatchRequest& match, const std::string& path, std::vector<Finding>& findings) {
  check_headers(match.headers, path + ".headers", findings);
  for (const auto& [name, without] : match.withoutHeaders) {
    check_header_name(name, path + ".withoutHeaders", findings);
    // `*` means any value here; it is not a regular expression.
    if (without.kind != StringMatch::Kind::regex || without.text != "*") {
      check_text(without, path + ".withoutHeaders", findings);
    }
  }
  // An empty prefix matches every path.
  if (match.uri) {
    check_regex(*match.uri, path + ".uri", findings);
  }
  check_text(match.scheme, path + ".scheme", findings);
  check_text(match.method, path + ".method", findings);
  check_text(match.authority, path + ".authority", findings);
  for (const auto& parameter : match.queryParams) {
    check_text(parameter.second, path + ".queryParams", findings);
  }
}

// Checks what HTTP and TCP matches have in common.
template <class Match>
void check_source(const Match& match, const std::string& path, std::vector<Finding>& findings) {
  if (match.port != 0) {
    check_port_number(match.port, path + ".port", findings);
  }
  check_labels(match.sourceLabels, path + ".sourceLabels", findings);
  check_gateways(match.gateways, path + ".gateways", findings);
}

std::string at_match(const std::string& path, std::size_t match) {
  return path + ".match[" + std::to_string(match) + "]";
}

}  // namespace

bool is_claim(std::string_view header) {
  constexpr std::string_view claims = "@request.auth.claims";
  const bool begins = header.size() > claims.size() &&
                      std::equal(claims.begin(), claims.end(), header.begin(),
                                 [](char expected, char c) { return expected == config::to_lower_ascii(c); });
  if (!begins) {
    return false;
  }
  header.remove_prefix(claims.size());
  return (header.starts_with('.') && header.size() > 1) ||
         (header.starts_with('[') && header.ends_with(']') && header.size() > 2);
}

void check_matches(const std::vector<HttpMatchRequest>& matches, const std::string& path,
                   std::vector<Finding>& findings) {
  for (std::size_t match = 0; match < matches.size(); ++match) {
    check_texts(matches[match], at_match(path, match), findings);
  }
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const std::string at = at_match(path, match);
    check_source(matches[match], at, findings);
    const std::string& name_space = matches[match].sourceNamespace;
    if (!name_space.empty() && !is_dns_label(name_space)) {
      findings.push_back(
          {true, "source-namespace", at + ".sourceNamespace", "sourceNamespace match " + name_space + " is invalid"});
    }
  }
}

void check_matches(const std::vector<TcpMatch>& matches, const std::string& path, std::vector<Finding>& findings) {
  for (std::size_t match = 0; match < matches.size(); ++match) {
    check_source(matches[match], at_match(path, match), findings);
  }
}

void check_gateways(const std::vector<std::string>& gateways, const std::string& path, std::vector<Finding>& findings) {
  for (std::size_t gateway = 0; gateway < gateways.size(); ++gateway) {
    const std::string& name = gateways[gateway];
    const std::size_t slash = name.find('/');
    const bool whole = slash == std::string::npos;
    if (whole ? !is_domain(name, false)
              : !is_dns_label(name.substr(0, slash)) || !is_dns_label(name.substr(slash + 1))) {
      findings.push_back({true, "gateway-name", path + "[" + std::to_string(gateway) + "]",
                          "\"" + name + "\" is no name of a gateway: mesh, or <namespace>/<name>"});
    }
    if (whole) {
      return;
    }
  }
}

}  // namespace spillway::istio
