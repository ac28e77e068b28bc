#include "sim/scenario/pasted/redactions.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "sim/scenario/pasted/pasted_text.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

constexpr std::uint64_t placeholder_port = 8080;

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
  if (text == redacted_text || text.find("${") != std::string::npos || text.find("$(") != std::string::npos ||
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

enum class Wanted { name, port, number, share_of_requests, address, left_out };

Wanted wanted_at(std::string_view key) {
  if (key == "port" || key == "number" || key == "targetPort" || key == "containerPort" || key == "nodePort") {
    return Wanted::port;
  }
  if (key == "weight" || key == "replicas" || key == "httpStatus") {
    return Wanted::number;
  }
  // The localities of `distribute.to`; a share of requests.
  if (key.find('/') != std::string_view::npos || key == "percentage" || key == "percent") {
    return Wanted::share_of_requests;
  }
  for (const std::string_view begin : {"max", "min", "consecutive", "http1", "http2"}) {
    if (key.starts_with(begin)) {
      return Wanted::left_out;
    }
  }
  for (const std::string_view end : {"imeout", "Time", "uration", "nterval", "Percent", "Threshold", "Policy"}) {
    if (key.ends_with(end)) {
      return Wanted::left_out;
    }
  }
  for (const std::string_view known :
       {"attempts", "retryOn", "ttl", "enabled", "simple", "splitExternalLocalOriginErrors", "tableSize", "choiceCount",
        "protocol", "appProtocol"}) {
    if (key == known) {
      return Wanted::left_out;
    }
  }
  return key == "address" || key == "addresses" || key == "podIP" || key == "ip" || key == "clusterIP" ||
                 key == "externalIPs"
             ? Wanted::address
             : Wanted::name;
}

// True for keys whose values do not affect where requests go, so that any text is accepted.
bool may_be_anything(std::string_view key) {
  return key == "annotations" || key == "data" || key == "stringData" || key == "env" || key == "args" ||
         key == "command" || key == "image" || key == "uid" || key == "status" || key == "creationTimestamp" ||
         key == "managedFields" || key == "imagePullSecrets" || key == "volumes" || key == "ownerReferences";
}

class Replacer {
 public:
  std::vector<Redaction> replace(Node& document) {
    walk(document, "", "");
    return std::move(found_);
  }

 private:
  void walk(Node& node, const std::string& path, const std::string& key) {
    // `host: [REDACTED]` is a list of YAML, which the author did not mean.
    const bool is_list = node.kind == documents::Kind::array && node.items.size() == 1 && !key.ends_with('s') &&
                         node.items.front().kind == documents::Kind::string && is_redaction(node.items.front().text);
    if (is_list) {
      Node only = std::move(node.items.front());
      node = std::move(only);
    }
    const bool names_host = key == "host" || key == "hosts" || key == "namespace";
    if (node.kind == documents::Kind::string && (is_redaction(node.text) || (names_host && has_variable(node.text)))) {
      put_placeholder(node, path, key);
    }
    const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
    std::erase_if(node.members, [&](documents::Member& member) {
      const bool gone = wanted_at(member.key) == Wanted::left_out && member.value.kind == documents::Kind::string &&
                        is_redaction(member.value.text) && !has_default(member.value.text);
      if (gone) {
        found_.push_back({member.value.text, "", below(member.key)});
      }
      return gone;
    });
    for (documents::Member& member : node.members) {
      if (!may_be_anything(member.key)) {
        walk(member.value, below(member.key), member.key);
      }
    }
    for (std::size_t item = 0; item < node.items.size(); ++item) {
      walk(node.items[item], path + "[" + std::to_string(item) + "]", key);
    }
  }

  // True for `{{ .Values.x | default 3 }}`.
  static bool has_default(const std::string& text) {
    return text.find("{{") != std::string::npos && !is_redaction(without_actions(text));
  }

  static void put_number(Node& node, std::uint64_t number) {
    node.kind = documents::Kind::integer;
    node.magnitude = number;
    node.number = static_cast<double>(number);
    node.text = std::to_string(number);
  }

  void put_placeholder(Node& node, const std::string& path, const std::string& key) {
    const std::string written = node.text;
    if (has_default(written)) {
      node.text = without_actions(written);
      if (node.text.size() < 10 && !node.text.empty() &&
          node.text.find_first_not_of("0123456789") == std::string::npos) {
        put_number(node, std::stoull(node.text));
      }
      found_.push_back({written, node.text, path});
      return;
    }
    switch (wanted_at(key)) {
      case Wanted::port:
        put_number(node, placeholder_port);
        break;
      case Wanted::number:
        put_number(node, 1);
        break;
      case Wanted::share_of_requests:
        put_number(node, key.find('/') != std::string::npos ? 100 : 50);
        break;
      case Wanted::address:
        // 192.0.2.0/24 is for documentation (RFC 5737).
        node.text = "192.0.2." + std::to_string(1 + addresses_++ % 254);
        break;
      case Wanted::name:
      case Wanted::left_out:  // of a list
        node.text = name_for(written.find("{{") == std::string::npos ? written : without_actions(written));
        break;
    }
    found_.push_back({written, node.text, path});
  }

  // Keeps letters and digits: "${SERVICE_HOST}.example.com" becomes "service-host.example.com".
  static std::string name_for(const std::string& written) {
    std::string name;
    for (const char letter : written) {
      const auto byte = static_cast<unsigned char>(letter);
      if (std::isalnum(byte) != 0) {
        name += static_cast<char>(std::tolower(byte));
      } else if (letter == '.') {
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
    return name.empty() ? redacted_text : name;
  }

  std::vector<Redaction> found_;
  std::size_t addresses_ = 0;
};

}  // namespace

std::vector<Redaction> replace_redactions_in(Node& document) {
  return Replacer().replace(document);
}

}  // namespace spillway::scenario::pasted
