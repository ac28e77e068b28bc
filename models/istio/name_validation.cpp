#include "models/istio/name_validation.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace spillway::istio {

namespace {

constexpr std::size_t longest_label = 63;
constexpr std::size_t longest_domain = 255;
constexpr std::size_t longest_prefix = 253;

// True for ASCII letters and digits, independent of the locale.
bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// True for letters and digits, with the characters of `inner` allowed between them.
bool is_name(std::string_view text, std::string_view inner) {
  return !text.empty() && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter_or_digit(c) || inner.find(c) != std::string_view::npos; });
}

// True for `*`, or a label after `*` or `*-`.
bool is_wildcard_label(std::string_view text) {
  if (text == "*" || !text.starts_with('*')) {
    return text == "*" || is_dns_label(text);
  }
  const std::size_t size = text.size();
  text.remove_prefix(text.starts_with("*-") ? 2 : 1);
  return size <= longest_label && is_name(text, "-");
}

// True for a whole number in Go's sense: digits, with or without a sign.
bool is_whole_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// True for DNS labels. The last label may be empty, for names that end with a dot.
bool are_dns_labels(std::string_view domain) {
  const std::size_t last = domain.rfind('.');
  if (is_whole_number(last == std::string_view::npos ? domain : domain.substr(last + 1))) {
    return false;
  }
  while (true) {
    const std::size_t dot = domain.find('.');
    if (dot == std::string_view::npos) {
      return domain.empty() || is_dns_label(domain);
    }
    if (!is_dns_label(domain.substr(0, dot))) {
      return false;
    }
    domain.remove_prefix(dot + 1);
  }
}

}  // namespace

bool is_dns_label(std::string_view text) {
  return text.size() <= longest_label && is_name(text, "-");
}

bool is_domain(std::string_view text, bool wildcards) {
  if (text.empty() || text.size() > longest_domain) {
    return false;
  }
  if (!wildcards) {
    return are_dns_labels(text);
  }
  const std::size_t dot = text.find('.');
  return is_wildcard_label(text.substr(0, dot)) &&
         (dot == std::string_view::npos || are_dns_labels(text.substr(dot + 1)));
}

bool is_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    std::string_view prefix = key.substr(0, slash);
    if (prefix.size() > longest_prefix) {
      return false;
    }
    for (std::size_t dot = 0; dot != std::string_view::npos;) {
      dot = prefix.find('.');
      if (!is_name(prefix.substr(0, dot), "-")) {
        return false;
      }
      prefix.remove_prefix(dot == std::string_view::npos ? 0 : dot + 1);
    }
    key.remove_prefix(slash + 1);
  }
  return key.size() <= longest_label && is_name(key, "-_.");
}

bool is_label_value(std::string_view value) {
  return value.empty() || is_name(value, "-_.");
}

void check_labels(const Labels& labels, const std::string& path, std::vector<Finding>& findings) {
  for (const auto& [key, value] : labels) {
    if (!is_label_key(key)) {
      findings.push_back({true, "label-key", path, "\"" + key + "\" is no key of a label"});
    }
    if (!is_label_value(value)) {
      findings.push_back({true, "label-value", path,
                          "\"" + value +
                              "\" is no value of a label: letters, digits and -_. between them, or "
                              "nothing"});
    }
  }
}

void check_port_number(std::uint32_t port, const std::string& path, std::vector<Finding>& findings) {
  constexpr std::uint32_t last_port = 65'535;
  if (port < 1 || port > last_port) {
    findings.push_back(
        {true, "port-number", path, "port number " + std::to_string(port) + " must be in the range 1..65535"});
  }
}

void check_selector(const std::optional<Labels>& selector, std::vector<Finding>& findings) {
  const std::string path = "spec.workloadSelector";
  if (!selector) {
    return;
  }
  for (const auto& [key, value] : *selector) {
    std::string label = ": \"";
    label.append(key).append("=").append(value).append("\"");
    if (key.empty()) {
      findings.push_back({true, "selector-without-key", path, "empty key is not supported in selector" + label});
    }
    if (key.find('*') != std::string::npos || value.find('*') != std::string::npos) {
      findings.push_back({true, "selector-wildcard", path, "wildcard is not supported in selector" + label});
    }
  }
  if (selector->empty()) {
    findings.push_back({false, "selector-without-labels", path, "workload selector specified without labels"});
  }
}

void check_exports(const std::vector<std::string>& export_to, const std::string& name_space, Exported what,
                   std::vector<Finding>& findings) {
  const std::string path = "spec.exportTo";
  std::set<std::string> named;
  for (std::size_t place = 0; place < export_to.size(); ++place) {
    const std::string at = path + "[" + std::to_string(place) + "]";
    const std::string& written = export_to[place];
    const std::string& meant = written == "." ? name_space : written;
    if (named.contains(meant)) {
      findings.push_back({true, "export-twice", at,
                          written == "." ? "duplicate entries in exportTo: . and current namespace " + name_space
                                         : "duplicate entries in exportTo for entry " + written});
    } else if (meant == "~" && what != Exported::entry) {
      findings.push_back({true, "export-to-none", at, "exportTo ~ (none) is not allowed here"});
    } else if (meant != "*" && meant != "~" && !is_dns_label(meant)) {
      findings.push_back({true, "export-namespace", at,
                          "only ., * or a name of a namespace (a label of DNS) is allowed as an exportTo entry"});
    } else {
      named.insert(meant);
    }
  }
  if (what == Exported::rule_with_selector && !named.empty() && (!named.contains(name_space) || named.size() > 1)) {
    findings.push_back({true, "export-of-selector", path,
                        named.contains(name_space)
                            ? "a rule with a workload selector cannot have several entries in exportTo"
                            : "a rule with a workload selector cannot be exported beyond its namespace"});
  }
  if (named.contains("*") && export_to.size() > 1) {
    findings.push_back({true, "export-public-and-more", path,
                        "cannot have both public (*) and non-public exportTo values for a resource"});
  }
  if (named.contains("~") && export_to.size() > 1) {
    findings.push_back(
        {true, "export-to-none-and-more", path, "cannot export a service entry to no one (~) and someone"});
  }
}

}  // namespace spillway::istio
