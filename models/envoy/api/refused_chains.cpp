#include "models/envoy/api/refused_chains.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/envoy/api/ip_text.hpp"

namespace spillway::api {
namespace {

std::string plain(const MessageView& value) {
  return value.node().text.empty() ? std::to_string(number_of(value.node()).value_or(0)) : value.node().text;
}

std::string lower(const MessageView& value) {
  return config::to_lower_ascii(value.node().text);
}

// Returns a range without the bits that do not count.
std::string range(const MessageView& value) {
  const std::string address = value.text("address_prefix");
  const std::size_t longest = address.find(':') == std::string::npos ? 32 : 128;
  const auto bits = std::min(longest, static_cast<std::size_t>(value.number("prefix_len")));
  return canonical_ip(address, bits) + "/" + std::to_string(bits);
}

// A condition of a match: each of its values is one entry of Envoy's table.
struct Condition {
  const char* field;
  std::string (*text)(const MessageView&);
};
constexpr std::array conditions = std::to_array<Condition>({{"prefix_ranges", range},
                                                            {"server_names", lower},
                                                            {"transport_protocol", plain},
                                                            {"application_protocols", plain},
                                                            {"direct_source_prefix_ranges", range},
                                                            {"source_prefix_ranges", range},
                                                            {"source_ports", plain}});
constexpr std::size_t most_combinations = 1'000'000;

// Returns the connections that a match takes: a text for each combination of its values. Empty if there are more than
// `most`.
std::vector<std::string> combinations_of(const MessageView& match, std::size_t most) {
  // Source types: ANY, SAME_IP_OR_LOOPBACK, EXTERNAL.
  const int source = match.is("source_type", "EXTERNAL", 2) ? 2 : match.is("source_type", "ANY", 0) ? 0 : 1;
  std::vector<std::string> ways = {std::to_string(static_cast<std::int64_t>(match.number("destination_port"))) + " " +
                                   std::to_string(source)};
  for (const Condition& condition : conditions) {
    std::vector<std::string> values;
    for (const MessageView& value : match.items(condition.field)) {
      values.push_back(condition.text(value));
    }
    if (values.empty()) {
      values.emplace_back();
    }
    if (ways.size() * values.size() > most) {
      return {};
    }
    std::vector<std::string> longer;
    for (const std::string& way : ways) {
      for (const std::string& value : values) {
        longer.push_back(fmt::format("{}\n{}", way, value));
      }
    }
    ways = std::move(longer);
  }
  return ways;
}

void check_names(const std::vector<MessageView>& chains, CheckedDocument& document) {
  std::set<std::string> names;
  for (const MessageView& chain : chains) {
    const std::string name = chain.text("name");
    if (name.empty()) {
      document.refuse(chain.node().span, "\"name\" field is required when using a listener matcher");
    } else if (!names.insert(name).second) {
      document.refuse(chain.place("name"), "\"name\" field is duplicated with value '" + name + "'");
    }
  }
}

}  // namespace

void check_filter_chains(const MessageView& listener, CheckedDocument& document) {
  const auto chains = listener.items("filter_chains");
  if (listener.has("filter_chain_matcher")) {
    check_names(chains, document);
    return;
  }
  std::map<std::string, std::size_t> owners;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const auto ways = combinations_of(chains[i].message("filter_chain_match"), most_combinations - owners.size());
    counts.push_back(ways.size());
    std::size_t taken = 0;
    std::size_t owner = i;
    for (const std::string& way : ways) {
      if (const auto [entry, is_new] = owners.emplace(way, i); !is_new) {
        ++taken;
        owner = entry->second;
      }
    }
    if (taken > 0 && owner != i && taken == ways.size() && taken == counts[owner]) {
      document.refuse(chains[i].node().span, "filter chain '" + chains[i].text("name") +
                                                 "' has the same matching rules defined as '" +
                                                 chains[owner].text("name") + "'");
    } else if (taken > 0) {
      document.refuse(chains[i].node().span, "multiple filter chains with overlapping matching rules are defined");
    }
  }
}

}  // namespace spillway::api
