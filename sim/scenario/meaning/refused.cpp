#include "sim/scenario/meaning/refused.hpp"

#include <string_view>
#include <tuple>

#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

// Small letters and digits alone: "table_size", "TableSize" and "table size" become one.
std::string bare(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      result += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      result += c;
    }
  }
  return result;
}

// A value before an object, then what is spoken of first, then the longer name: EnforcingSuccessRate is not about
// success_rate.
struct Best {
  bool object = true;
  std::size_t position = std::string::npos;
  std::size_t length = 0;
  std::optional<Span> where;

  [[nodiscard]] bool worse_than(const Best& other) const {
    return std::tuple(object, position, other.length) > std::tuple(other.object, other.position, length);
  }
};

void search(const document::Node& node, const std::string& reason, Best& best) {
  for (const document::Member& member : node.members) {
    const std::string name = bare(member.key);
    const std::size_t position = name.empty() ? std::string::npos : reason.find(name);
    if (position != std::string::npos) {
      const Best found{!member.value.members.empty(), position, name.size(), member.value.span};
      best = best.worse_than(found) ? found : best;
    }
    search(member.value, reason, best);
  }
  for (const document::Node& item : node.items) {
    search(item, reason, best);
  }
}

}  // namespace

std::optional<Span> field_of_reason(const document::Node& object, const std::string& reason) {
  const std::string last_cause = "caused by ";
  const std::size_t cause = reason.rfind(last_cause);
  Best best;
  search(object, bare(cause == std::string::npos ? reason : reason.substr(cause + last_cause.size())), best);
  return best.where;
}

bool refuse(const std::optional<std::string>& reason, const Refused& refused, Diagnostics& problems) {
  if (!reason) {
    return false;
  }
  const auto field = refused.object == nullptr ? std::nullopt : field_of_reason(*refused.object, *reason);
  problems.push_back(error("SP139", "Envoy refuses " + refused.what, field.value_or(refused.otherwise), *reason));
  return true;
}

}  // namespace spillway::scenario::meaning
