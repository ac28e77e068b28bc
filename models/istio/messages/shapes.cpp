#include "models/istio/messages/shapes.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace spillway::messages {

namespace {

using documents::Kind;

// Parses 2026-01-31T23:59:59Z. A fraction of a second is cut off; an offset may replace the Z.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  std::optional<std::int64_t> read() {
    const std::optional<std::int64_t> day = days();
    if (!day || !(take('T') || take('t') || take(' '))) {
      return std::nullopt;
    }
    const auto hour = number(2, 23);
    const auto minute = take(':') ? number(2, 59) : std::nullopt;
    const auto second = take(':') ? number(2, 60) : std::nullopt;
    if (!hour || !minute || !second || !skip_fraction()) {
      return std::nullopt;
    }
    const std::optional<std::int64_t> offset = offset_minutes();
    if (!offset || !rest_.empty()) {
      return std::nullopt;
    }
    return ((*day * 24 + *hour) * 60 + *minute - *offset) * 60 + *second;
  }

 private:
  std::optional<std::int64_t> days() {
    const auto year = number(4, 9999);
    const auto month = take('-') ? number(2, 12) : std::nullopt;
    const auto day = take('-') ? number(2, 31) : std::nullopt;
    if (!year || !month || !day) {
      return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    return date.ok() ? std::optional<std::int64_t>(std::chrono::sys_days(date).time_since_epoch().count())
                     : std::nullopt;
  }

  bool skip_fraction() {
    if (!take('.')) {
      return true;
    }
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }

  std::optional<std::int64_t> offset_minutes() {
    if (take('Z') || take('z')) {
      return 0;
    }
    const bool west = !rest_.empty() && rest_.front() == '-';
    if (!take('+') && !take('-')) {
      return std::nullopt;
    }
    const auto hours = number(2, 23);
    const auto minutes = take(':') ? number(2, 59) : std::nullopt;
    if (!hours || !minutes) {
      return std::nullopt;
    }
    return (west ? -1 : 1) * (*hours * 60 + *minutes);
  }

  std::optional<std::int64_t> number(std::size_t digits, std::int64_t largest) {
    std::int64_t value = 0;
    const std::string_view text = rest_.substr(0, digits);
    const bool unsigned_digits = text.size() == digits && text.front() != '-';
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!unsigned_digits || error != std::errc{} || end != text.data() + text.size() || value > largest) {
      return std::nullopt;
    }
    rest_.remove_prefix(digits);
    return value;
  }

  bool take(char wanted) {
    const bool there = !rest_.empty() && rest_.front() == wanted;
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }

  std::string_view rest_;
};

}  // namespace

bool CreationTime::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == Kind::null) {
    return true;
  }
  constexpr std::string_view expected = "a time such as 2026-01-31T12:00:00Z";
  if (node.kind != Kind::string) {
    grammar::wrong_kind(node, what, expected, problems);
    return false;
  }
  into = TimeReader(node.text).read();
  if (!into) {
    grammar::wrong_spelling(node, what, expected, problems);
  }
  return into.has_value();
}

grammar::Schema CreationTime::schema(grammar::Definitions& /*definitions*/) const {
  // A pattern applies only to texts, so null passes.
  grammar::Schema schema;
  schema.pattern =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$";
  return schema;
}

// An element of `ownerReferences`: kind and name.
using Owner = std::pair<std::string, std::string>;
template <>
struct Grammar<Owner> {
  static constexpr const char* definition = "istio.OwnerReference";
  static void describe(Fields& fields, Owner& owner) {
    optional(fields, "kind", owner.first, grammar::Text{1, 253}, "of the owner");
    optional(fields, "name", owner.second, grammar::Text{1, 253}, "of the owner");
  }
};

namespace {

// A list of owners, of which the first is read.
struct FirstOwner {
  using Value = Owner;
  grammar::ListOf<Open<Owner>> list = {};
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    grammar::ListOf<Open<Owner>>::Value owners;
    const bool is_read = list.read(node, owners, what, problems);
    into = owners.empty() ? Owner{} : owners.front().value;
    return is_read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return list.schema(definitions); }
};

}  // namespace

void Grammar<istio::Meta>::describe(Fields& fields, istio::Meta& meta) {
  optional(fields, "name", meta.name, grammar::Text{1, 253}, "of the object");
  optional(fields, "namespace", meta.name_space, grammar::Text{1, 253}, "default: default");
  optional(fields, "labels", meta.labels, TagMap{}, "of the object");
  optional(fields, "annotations", meta.annotations, TagMap{}, "networking.istio.io/traffic-distribution and others");
  optional(fields, "creationTimestamp", meta.created, CreationTime{}, "decides which of several rules is the oldest");
  optional(fields, "ownerReferences", meta.owner, FirstOwner{}, "of a pod: the workload that it is a replica of");
  fields.without_influence({"deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generateName",
                            "generation", "managedFields", "resourceVersion", "selfLink", "uid"});
}

void Grammar<PortSelector>::describe(Fields& fields, PortSelector& port) {
  optional(fields, "number", port.number, Uint32{}, "of the service");
}

void Grammar<WorkloadSelector>::describe(Fields& fields, WorkloadSelector& selector) {
  optional(fields, "matchLabels", selector.labels, TagMap{}, "that a workload must have");
  optional(fields, "labels", selector.labels, TagMap{}, "that a workload must have");
  fields.at_most_one({"matchLabels", "labels"});
}

}  // namespace spillway::messages
