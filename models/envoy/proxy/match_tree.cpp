#include "models/envoy/proxy/match_tree.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

enum class Holds : std::uint8_t { yes, no, unknown };

struct InputValue {
  bool known = true;
  std::optional<std::string> text = {};
};

const Node* typed_config_of(const Node& extension) {
  return find_value(extension, "typed_config");
}

// Returns the bytes of an address; empty if the text is not an address.
std::vector<unsigned char> bytes_of(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) {
    return {bytes.begin(), bytes.begin() + 4};
  }
  return inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1 ? std::vector(bytes.begin(), bytes.end())
                                                                 : std::vector<unsigned char>{};
}

class Evaluator {
 public:
  Evaluator(const MatchInputs& inputs, Diagnostics& problems) : inputs_(inputs), problems_(problems) {}

  MatchResult whole(const Node& matcher) {
    MatchResult result = evaluate(matcher);
    result.kept = kept_;
    return result;
  }

 private:
  MatchResult evaluate(const Node& matcher) {
    MatchResult result;
    if (const Node* const list = find_value(matcher, "matcher_list")) {
      result = of_list(*list);
    } else if (const Node* const tree = find_value(matcher, "matcher_tree")) {
      result = of_tree(*tree);
    }
    if (result.action != nullptr || result.unknown) {
      return result;
    }
    const Node* const otherwise = find_value(matcher, "on_no_match");
    return otherwise == nullptr ? result : of_branch(*otherwise);
  }

  MatchResult of_branch(const Node& branch) {
    if (is_true(branch, "keep_matching")) {
      kept_ = true;
      return {};
    }
    if (const Node* const matcher = find_value(branch, "matcher")) {
      return evaluate(*matcher);
    }
    const Node* const action = find_value(branch, "action");
    return {action == nullptr ? nullptr : typed_config_of(*action)};
  }

  MatchResult of_list(const Node& list) {
    const Node* const matchers = find_value(list, "matchers");
    for (std::size_t i = 0; matchers != nullptr && i < matchers->items.size(); ++i) {
      const Node* const predicate = find_value(matchers->items[i], "predicate");
      const Node* const branch = find_value(matchers->items[i], "on_match");
      const Holds well = predicate == nullptr ? Holds::no : holds(*predicate);
      if (well == Holds::unknown) {
        return {.unknown = true};
      }
      if (well == Holds::yes && branch != nullptr) {
        const MatchResult result = of_branch(*branch);
        if (result.action != nullptr || result.unknown) {
          return result;
        }
      }
    }
    return {};
  }

  // Combines predicates: the first that equals `decisive` decides.
  Holds any_or_all(const Node& list, Holds decisive) {
    const Node* const predicates = find_value(list, "predicate");
    Holds all = decisive == Holds::yes ? Holds::no : Holds::yes;
    for (std::size_t i = 0; predicates != nullptr && i < predicates->items.size(); ++i) {
      const Holds one = holds(predicates->items[i]);
      if (one == decisive) {
        return one;
      }
      all = one == Holds::unknown ? one : all;
    }
    return all;
  }

  Holds holds(const Node& predicate) {
    if (const Node* const any = find_value(predicate, "or_matcher")) {
      return any_or_all(*any, Holds::yes);
    }
    if (const Node* const all = find_value(predicate, "and_matcher")) {
      return any_or_all(*all, Holds::no);
    }
    if (const Node* const other = find_value(predicate, "not_matcher")) {
      const Holds well = holds(*other);
      return well == Holds::unknown ? well : well == Holds::yes ? Holds::no : Holds::yes;
    }
    const Node* const single = find_value(predicate, "single_predicate");
    return single == nullptr ? Holds::no : holds_single(*single);
  }

  Holds holds_single(const Node& single) {
    const Node* const input = find_value(single, "input");
    const Node* const wanted = find_value(single, "value_match");
    if (input == nullptr) {
      return Holds::no;
    }
    if (wanted == nullptr) {
      const Node* const custom = find_value(single, "custom_match");
      refuse(custom == nullptr ? single : *custom);
      return Holds::unknown;
    }
    const InputValue value = read(*input);
    if (!value.known || !value.text) {
      return value.known ? Holds::no : Holds::unknown;
    }
    return text_matches(*wanted, *value.text);
  }

  // Matches a StringMatcher of xds, which works like Envoy's for headers.
  Holds text_matches(const Node& wanted, const std::string& text) {
    messages::StringMatcher matcher;
    if (!messages::Message<messages::StringMatcher>{}.read(wanted, matcher, "value_match", problems_)) {
      return Holds::unknown;
    }
    return envoy::routes::matches(matcher.of_header("value"), {.headers = {{"value", text}}}) ? Holds::yes : Holds::no;
  }

  MatchResult of_tree(const Node& tree) {
    const Node* const input = find_value(tree, "input");
    if (input == nullptr) {
      return {};
    }
    const InputValue value = read(*input);
    if (!value.known || !value.text) {
      return {.unknown = !value.known};
    }
    if (const Node* const exact = find_value(tree, "exact_match_map")) {
      return of_map(*exact, [&](const std::string& key) { return key == *value.text; });
    }
    if (const Node* const prefixes = find_value(tree, "prefix_match_map")) {
      return of_map(*prefixes, [&](const std::string& key) { return value.text->starts_with(key); });
    }
    const Node* const custom = find_value(tree, "custom_match");
    return custom == nullptr ? MatchResult{} : of_custom(*custom, *value.text);
  }

  // Tries the longest matching key, then shorter ones.
  template <class IsRight>
  MatchResult of_map(const Node& match_map, const IsRight& is_right) {
    const Node* const map = find_value(match_map, "map");
    std::vector<const documents::Member*> right;
    for (std::size_t i = 0; map != nullptr && i < map->members.size(); ++i) {
      if (is_right(map->members[i].key)) {
        right.push_back(&map->members[i]);
      }
    }
    std::sort(right.begin(), right.end(), [](const documents::Member* left, const documents::Member* other) {
      return left->key.size() > other->key.size();
    });
    for (const documents::Member* const member : right) {
      const MatchResult result = of_branch(member->value);
      if (result.action != nullptr || result.unknown) {
        return result;
      }
    }
    return {};
  }

  MatchResult of_custom(const Node& custom, const std::string& text) {
    const Node* const config = typed_config_of(custom);
    const std::string type = config == nullptr ? std::string() : type_of(*config);
    if (type == "xds.type.matcher.v3.IPMatcher") {
      return best_of(*config, "range_matchers", [&](const Node& one) { return longest_range(one, text); });
    }
    if (type == "xds.type.matcher.v3.ServerNameMatcher") {
      return best_of(*config, "domain_matchers", [&](const Node& one) { return longest_domain(one, text); });
    }
    refuse(custom);
    return {.unknown = true};
  }

  // Returns the result of the closest matching branch; of equals the first.
  template <class Suits>
  MatchResult best_of(const Node& config, std::string_view key, const Suits& suits) {
    const Node* const all = find_value(config, key);
    std::vector<std::pair<std::size_t, const Node*>> right;
    for (std::size_t i = 0; all != nullptr && i < all->items.size(); ++i) {
      const Node* const branch = find_value(all->items[i], "on_match");
      if (const std::size_t well = suits(all->items[i]); well > 0 && branch != nullptr) {
        const auto place =
            std::find_if(right.begin(), right.end(), [&](const auto& other) { return other.first < well; });
        right.insert(place, {well, branch});
      }
    }
    for (const auto& [well, branch] : right) {
      const MatchResult result = of_branch(*branch);
      if (result.action != nullptr || result.unknown) {
        return result;
      }
    }
    return {};
  }

  static std::size_t longest_range(const Node& matcher, const std::string& address) {
    const Node* const ranges = find_value(matcher, "ranges");
    std::size_t best = 0;
    for (std::size_t i = 0; ranges != nullptr && i < ranges->items.size(); ++i) {
      const Node* const length = find_value(ranges->items[i], "prefix_len");
      const std::uint64_t bits = length == nullptr ? 0 : length->magnitude;
      if (lies_within(address, text_at(ranges->items[i], "address_prefix"), bits)) {
        best = std::max<std::size_t>(best, bits + 1);
      }
    }
    return best;
  }

  static std::size_t longest_domain(const Node& matcher, const std::string& name) {
    const Node* const domains = find_value(matcher, "domains");
    std::size_t best = 0;
    for (std::size_t i = 0; domains != nullptr && i < domains->items.size(); ++i) {
      const std::string& domain = domains->items[i].text;
      if (domain == name) {
        best = std::string::npos;
      } else if (domain == "*") {
        best = std::max<std::size_t>(best, 1);
      } else if (domain.starts_with("*.") && name.ends_with(std::string_view(domain).substr(1))) {
        best = std::max(best, domain.size());
      }
    }
    return best;
  }

  // Reads an input from the request.
  InputValue read(const Node& input) {
    const Node* const config = typed_config_of(input);
    const std::string type = config == nullptr ? std::string() : type_of(*config);
    if (type == "envoy.type.matcher.v3.HttpRequestHeaderMatchInput") {
      return header(text_at(*config, "header_name"));
    }
    if (type == "envoy.type.matcher.v3.HttpRequestQueryParamMatchInput") {
      return {true, query_parameter(inputs_.request, text_at(*config, "query_param"))};
    }
    const std::string_view name = std::string_view(type).substr(type.find_last_of('.') + 1);
    const Connection& connection = inputs_.connection;
    std::optional<std::string> reported;
    if (name == "ServerNameInput") {
      if (connection.server_name == "") {
        return {true, std::nullopt};
      }
      reported = connection.server_name;
    } else if (name == "DestinationIPInput") {
      reported = connection.destination_ip;
    } else if (name == "DestinationPortInput" && connection.destination_port) {
      reported = std::to_string(*connection.destination_port);
    } else if (name == "TransportProtocolInput") {
      reported = connection.transport_protocol;
    }
    if (!reported) {
      refuse(input);
    }
    return {reported.has_value(), reported};
  }

  [[nodiscard]] InputValue header(const std::string& name) const {
    std::string joined;
    const std::vector<std::string> values = all_values(inputs_.request, name);
    for (const std::string& value : values) {
      joined += (joined.empty() ? "" : ",") + value;
    }
    return {true, values.empty() ? std::nullopt : std::optional(std::move(joined))};
  }

  void refuse(const Node& extension) {
    const Node* const config = typed_config_of(extension);
    const std::string type = config == nullptr ? text_at(extension, "name") : type_of(*config);
    problems_.error("SP301", extension.span, "`{}` in a matcher is not supported yet",
                    "the request's value for it is unknown", {type});
  }

  const MatchInputs& inputs_;
  Diagnostics& problems_;
  bool kept_ = false;
};

void collect_actions(const Node& node, std::vector<const Node*>& found) {
  for (const documents::Member& member : node.members) {
    if (member.key == "action") {
      if (const Node* const config = typed_config_of(member.value)) {
        found.push_back(config);
      }
    } else {
      collect_actions(member.value, found);
    }
  }
  for (const Node& item : node.items) {
    collect_actions(item, found);
  }
}

}  // namespace

MatchResult evaluate(const Node& matcher, const MatchInputs& inputs, Diagnostics& problems) {
  return Evaluator(inputs, problems).whole(matcher);
}

std::vector<const Node*> actions_of(const Node& matcher) {
  std::vector<const Node*> found;
  collect_actions(matcher, found);
  return found;
}

bool lies_within(const std::string& address, const std::string& prefix, std::uint64_t bits) {
  const std::vector<unsigned char> own = bytes_of(address);
  const std::vector<unsigned char> range = bytes_of(prefix);
  if (own.empty() || own.size() != range.size()) {
    return false;
  }
  constexpr std::uint64_t bits_a_byte = 8;
  for (std::size_t byte = 0; byte < own.size() && byte * bits_a_byte < bits; ++byte) {
    const std::uint64_t left = bits - byte * bits_a_byte;
    const unsigned mask = left >= bits_a_byte ? 0xffU : (0xff00U >> left) & 0xffU;
    if ((own[byte] & mask) != (range[byte] & mask)) {
      return false;
    }
  }
  return true;
}

}  // namespace spillway::proxy
