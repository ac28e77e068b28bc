#include "sim/scenario/pasted/redactions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "models/documents/core_schema.hpp"
#include "models/documents/left_out.hpp"
#include "sim/scenario/pasted/field_kinds.hpp"
#include "sim/scenario/pasted/templates.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

constexpr std::uint64_t placeholder_port = 8080;
constexpr const char* redacted_name = "redacted";

bool ends_with_word(const std::string& text, std::string_view word) {
  return text.size() > word.size() && text.ends_with(word);
}

// True for a name of a host with a part that no host can have: `DEX_SERVICE.DEX_NAMESPACE.svc.cluster.local`.
bool has_variable(const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, end - begin);
    if (part.find('_') != std::string_view::npos && part.size() > 3 &&
        part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

// True for a text that replaces a redacted value.
bool is_redaction(const std::string& text) {
  if (text.empty() || text.size() > 200) {
    return false;
  }
  if (text.find("${") != std::string::npos || text.find("$(") != std::string::npos ||
      text.find("{{") != std::string::npos || text.find("***") != std::string::npos || text == "**" ||
      (text.starts_with('<') && text.ends_with('>'))) {
    return true;
  }
  std::string upper = text;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  const bool all_upper = upper == text;
  return (all_upper && (ends_with_word(text, "_REDACTED") || text == "REDACTED" || text.starts_with("REDACTED_"))) ||
         upper == "XXX" || upper == "XXXX" || upper == "XXXXX" || upper == "X.X.X.X" || upper == "XX.XX.XX.XX" ||
         upper == "XXX.XXX.XXX.XXX" || (text.size() > 2 && text.starts_with('$') && all_upper);
}

bool names_address(std::string_view key) {
  return key == "address" || key == "addresses" || key == "podIP" || key == "ip" || key == "clusterIP" ||
         key == "externalIPs";
}

bool names_port(std::string_view key) {
  return key == "port" || key == "number" || key == "targetPort" || key == "containerPort" || key == "nodePort";
}

// Returns the kind of a field of documents that are not described: Deployments, HTTPRoutes.
FieldValue by_its_key(std::string_view key) {
  const bool is_number =
      names_port(key) || key == "weight" || key == "replicas" || key == "minReplicas" || key == "maxReplicas";
  return {.kind = is_number ? FieldKind::number : FieldKind::text};
}

// True for limits, durations and switches: what was taken out is left out, so that the default acts.
bool has_default_value(std::string_view key) {
  const auto begins = [key](std::string_view begin) { return key.starts_with(begin); };
  const auto ends = [key](std::string_view end) { return key.ends_with(end); };
  constexpr std::array limits{"max", "min", "consecutive", "http1", "http2"};
  constexpr std::array kinds{"imeout", "Time", "uration", "nterval", "Percent", "Threshold", "Policy"};
  constexpr std::array others{
      "attempts",  "retryOn",     "ttl",      "enabled",     "simple", "splitExternalLocalOriginErrors",
      "tableSize", "choiceCount", "protocol", "appProtocol", "warmup"};
  return std::any_of(limits.begin(), limits.end(), begins) || std::any_of(kinds.begin(), kinds.end(), ends) ||
         std::find(others.begin(), others.end(), key) != others.end();
}

// True for keys whose values do not affect where requests go, so that any text is accepted.
bool may_be_anything(std::string_view key) {
  return key == "annotations" || key == "data" || key == "stringData" || key == "env" || key == "args" ||
         key == "command" || key == "image" || key == "uid" || key == "status" || key == "creationTimestamp" ||
         key == "managedFields" || key == "imagePullSecrets" || key == "volumes" || key == "ownerReferences";
}

// Ellipses in place of a value, a list or an object: `labels: ...`, `exportTo: [...]`, `{...}`.
bool is_ellipsis_value(const Node& node) {
  return node.kind == documents::Kind::string && documents::is_ellipsis(node.text);
}

// True for keys without which a document is refused: an ellipsis there is a redaction.
bool is_required(std::string_view key) {
  return key == "name" || key == "host" || key == "subset" || key == "number";
}

// Returns the text with the defaults of its templates; nullopt if one of them has none, or if it is no template.
std::optional<std::string> with_defaults(const std::string& text) {
  std::string given = text;
  return use_defaults(given) && given != text ? std::optional(std::move(given)) : std::nullopt;
}

class Replacer {
 public:
  explicit Replacer(const Node& document) : original_(document) {}

  Redactions replace(Node& document) {
    walk(document, "", {});
    return std::move(found_);
  }

 private:
  using Path = std::vector<std::string>;

  void walk(Node& node, const std::string& path, const Path& keys) {
    const std::string key = keys.empty() ? std::string() : keys.back();
    // `host: [REDACTED]` is a list of YAML, which the author did not mean.
    const bool is_list = node.kind == documents::Kind::array && node.items.size() == 1 && !key.ends_with('s') &&
                         node.items.front().kind == documents::Kind::string && is_redaction(node.items.front().text);
    if (is_list) {
      Node only = std::move(node.items.front());
      node = std::move(only);
    }
    const bool names_host = key == "host" || key == "hosts" || key == "namespace";
    if (node.kind == documents::Kind::string && (is_redaction(node.text) || (names_host && has_variable(node.text)))) {
      put_placeholder(node, path, keys);
    }
    for (documents::Member& member : node.members) {
      if (is_required(member.key) && is_ellipsis_value(member.value)) {
        Path below = keys;
        below.push_back(member.key);
        put_placeholder(member.value, path.empty() ? member.key : path + "." + member.key, below);
      }
    }
    leave_out_ellipses(node, path);
    leave_out_defaults(node, path);
    for (documents::Member& member : node.members) {
      if (may_be_anything(member.key)) {
        leave_out_ellipses(member.value, path.empty() ? member.key : path + "." + member.key);
      } else {
        Path below = keys;
        below.push_back(member.key);
        walk(member.value, path.empty() ? member.key : path + "." + member.key, below);
      }
    }
    for (std::size_t item = 0; item < node.items.size(); ++item) {
      walk(node.items[item], path + "[" + std::to_string(item) + "]", keys);
    }
    if (keys.size() >= 2 && keys[keys.size() - 2] == "distribute" && key == "to") {
      complete_distribution(node, path);
    }
  }

  void leave_out_defaults(Node& node, const std::string& path) {
    std::erase_if(node.members, [&](const documents::Member& member) {
      const Node& value = member.value;
      const bool is_left_out = value.kind == documents::Kind::string && is_redaction(value.text) &&
                               has_default_value(member.key) && !with_defaults(value.text);
      if (is_left_out) {
        found_.values.push_back({value.text, "", path.empty() ? member.key : path + "." + member.key});
      }
      return is_left_out;
    });
  }

  void leave_out_ellipses(Node& node, const std::string& path) {
    std::erase_if(node.members, [&](const documents::Member& member) {
      const bool is_left_out = is_ellipsis_value(member.value) ||
                               (member.value.kind == documents::Kind::null && documents::is_ellipsis(member.key));
      if (is_left_out) {
        const bool is_key = member.value.kind == documents::Kind::null;
        found_.ellipses.push_back(path + (path.empty() || is_key ? "" : ".") + (is_key ? "" : member.key));
      }
      return is_left_out;
    });
    std::erase_if(node.items, [&](const Node& item) {
      if (is_ellipsis_value(item)) {
        found_.ellipses.push_back(path);
      }
      return is_ellipsis_value(item);
    });
  }

  void put_placeholder(Node& node, const std::string& path, const Path& keys) {
    const std::string written = node.text;
    const std::string key = keys.empty() ? std::string() : keys.back();
    const FieldValue wanted = field_value(original_, keys).value_or(by_its_key(key));
    const std::optional<std::string> given = with_defaults(written);
    node.text = given ? *given : placeholder(wanted, written, keys);
    const bool is_typed = wanted.kind == FieldKind::number || wanted.kind == FieldKind::flag;
    if (is_typed) {
      Diagnostics ignored;
      documents::type_plain_scalar(node, ignored);
    }
    if (!given && wanted.kind == FieldKind::number) {
      placeholders_.push_back(path);
    }
    found_.values.push_back({written, node.text, path});
  }

  std::string placeholder(const FieldValue& wanted, const std::string& written, const Path& keys) {
    const std::string& key = keys.empty() ? written : keys.back();
    const bool of_port = names_port(key) || (keys.size() >= 2 && names_port(keys[keys.size() - 2]));
    switch (wanted.kind) {
      case FieldKind::number:
        return std::to_string(
            of_port ? placeholder_port
                    : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max(wanted.least, 0.0))));
      case FieldKind::flag:
        return "true";
      case FieldKind::duration:
        return "1s";
      case FieldKind::word:
        return wanted.word;
      case FieldKind::text:
        break;
    }
    // 192.0.2.0/24 is for documentation (RFC 5737).
    return names_address(key) ? "192.0.2." + std::to_string(1 + addresses_++ % 254) : name_for(written);
  }

  // The percentages of a distribution add up to 100: placeholders share what the others leave.
  void complete_distribution(Node& to, const std::string& path) {
    double left = 100.0;
    std::vector<documents::Member*> open;
    for (documents::Member& member : to.members) {
      const std::string own = path + "." + member.key;
      if (std::find(placeholders_.begin(), placeholders_.end(), own) != placeholders_.end()) {
        open.push_back(&member);
      } else {
        left -= member.value.number;
      }
    }
    for (std::size_t at = 0; at < open.size() && left >= static_cast<double>(open.size()); ++at) {
      const auto whole = static_cast<std::uint64_t>(left);
      const std::uint64_t share = whole / open.size() + (at < whole % open.size() ? 1U : 0U);
      Node& value = open[at]->value;
      value.magnitude = share;
      value.number = static_cast<double>(share);
      value.text = std::to_string(share);
      const std::string own = path + "." + open[at]->key;
      for (Redaction& redaction : found_.values) {
        redaction.placeholder = redaction.key == own ? value.text : redaction.placeholder;
      }
    }
  }

  // Keeps letters and digits, and the dots of a host: "${SERVICE_HOST}.example.com" becomes "service-host.example.com",
  // "{{ .Values.cart.host }}" becomes "cart-host".
  static std::string name_for(const std::string& written) {
    std::string name;
    for (std::size_t at = 0; at < written.size(); ++at) {
      const auto byte = static_cast<unsigned char>(written[at]);
      const std::size_t end = written.compare(at, 2, "{{") == 0 ? written.find("}}", at) : std::string::npos;
      if (end != std::string::npos) {
        name += name_of_template(std::string_view(written).substr(at + 2, end - at - 2));
        at = end + 1;
      } else if (std::isalnum(byte) != 0) {
        name += static_cast<char>(std::tolower(byte));
      } else if (written[at] == '.') {
        while (name.ends_with('-')) {
          name.pop_back();
        }
        name += name.empty() || name.ends_with('.') ? "" : ".";
      } else if (!name.empty() && name.back() != '-' && name.back() != '.') {
        name += '-';
      }
    }
    while (!name.empty() && (name.back() == '-' || name.back() == '.')) {
      name.pop_back();
    }
    return name.empty() ? redacted_name : name;
  }

  const Node original_;
  Redactions found_;
  std::vector<std::string> placeholders_;  // paths of numbers
  std::size_t addresses_ = 0;
};

}  // namespace

Redactions replace_redactions_in(Node& document) {
  return Replacer(document).replace(document);
}

}  // namespace spillway::scenario::pasted
