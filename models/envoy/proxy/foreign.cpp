#include "models/envoy/proxy/foreign.hpp"

#include <algorithm>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/envoy/proxy/foreign_table.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

std::string with_article(const std::string& kind) {
  const bool vowel = std::string_view("AEIOUaeiou").find(kind.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + kind;
}

// The texts at the top of a document that rows of the table are compared with.
struct Marks {
  bool is_object_of_kubernetes = false;  // has both `apiVersion` and `kind`
  std::string group;                     // of `apiVersion`
  std::string kind;
  std::string type;  // empty if the document has an `@type`
};

Marks marks_of(const documents::Node& root) {
  Marks marks;
  const std::string version = text_at(root, "apiVersion");
  marks.kind = text_at(root, "kind");
  marks.is_object_of_kubernetes = !version.empty() && !marks.kind.empty();
  if (marks.is_object_of_kubernetes) {
    marks.group = version.substr(0, version.find('/'));
  }
  marks.type = root.find("@type") == nullptr ? text_at(root, "type") : std::string();
  return marks;
}

bool has_keys(const documents::Node& root, const ForeignDocument& row) {
  return std::all_of(row.marks.begin(), row.marks.end(),
                     [&](std::string_view key) { return key.empty() || root.find(key) != nullptr; });
}

// True if `services` is an object of containers, as in docker-compose.
bool is_compose(const documents::Node& root) {
  const documents::Member* const services = root.find("services");
  return services != nullptr && services->value.kind == documents::Kind::object &&
         std::any_of(services->value.members.begin(), services->value.members.end(),
                     [](const documents::Member& service) {
                       return service.value.find("image") != nullptr || service.value.find("build") != nullptr;
                     });
}

bool has_type(const Marks& marks, const ForeignDocument& row) {
  const std::string_view type = row.marks[0];
  return row.by == ForeignMark::type ? marks.type == type
                                     : row.by == ForeignMark::begin_of_type && marks.type.starts_with(type);
}

// True for a list `items` of typed documents.
bool is_list(const documents::Node& root, std::string_view key) {
  const documents::Member* const items = root.find(key);
  if (items == nullptr || items->value.kind != documents::Kind::array || items->value.items.empty() ||
      items->value.items.front().kind != documents::Kind::object) {
    return false;
  }
  const Marks marks = marks_of(items->value.items.front());
  const auto rows = foreign_documents();
  return std::any_of(rows.begin(), rows.end(), [&](const ForeignDocument& row) { return has_type(marks, row); });
}

bool fits(const documents::Node& root, const Marks& marks, const ForeignDocument& row) {
  const std::string_view mark = row.marks[0];
  const std::string_view group = marks.group;
  switch (row.by) {
    case ForeignMark::api_group:
      return group.ends_with(mark) && (group.size() == mark.size() || group[group.size() - mark.size() - 1] == '.');
    case ForeignMark::whole_api_group:
      return group == mark;
    case ForeignMark::end_of_api_group:
      return group.ends_with(mark);
    case ForeignMark::any_api_group:
      return marks.is_object_of_kubernetes;
    case ForeignMark::type:
    case ForeignMark::begin_of_type:
      return has_type(marks, row);
    case ForeignMark::list:
      return is_list(root, mark);
    case ForeignMark::keys:
      return has_keys(root, row);
    case ForeignMark::texts:
      return false;  // recognise_foreign_text
    case ForeignMark::containers:
      return is_compose(root);
    case ForeignMark::json_schema:
      return has_keys(root, row) && text_at(root, mark).starts_with("http");
  }
  return false;
}

Foreign foreign_of(const Marks& marks, const ForeignDocument& row) {
  if (row.by > ForeignMark::begin_of_type) {
    return {std::string(row.what), std::string(row.help)};
  }
  const bool is_typed = row.by == ForeignMark::type || row.by == ForeignMark::begin_of_type;
  const std::string owner = row.what.empty() ? marks.group : std::string(row.what);
  return {with_article(is_typed ? marks.type : marks.kind) + " of " + owner, std::string(row.help)};
}

constexpr const char* read_with_rate =
    "`spillway share` and `spillway explain` read it; `spillway run` and `spillway plan` with --rate 100rps";

std::optional<Foreign> compose() {
  const auto rows = foreign_documents();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const ForeignDocument& one) { return one.by == ForeignMark::containers; });
  return row == rows.end() ? std::nullopt : std::optional(foreign_of({}, *row));
}

}  // namespace

std::optional<Foreign> recognise_foreign(const documents::Node& root) {
  if (root.kind != documents::Kind::object) {
    return std::nullopt;
  }
  const Marks marks = marks_of(root);
  for (const ForeignDocument& row : foreign_documents()) {
    if (fits(root, marks, row)) {
      return foreign_of(marks, row);
    }
  }
  return std::nullopt;
}

std::optional<Foreign> recognise_foreign_text(std::string_view text) {
  for (const ForeignDocument& row : foreign_documents()) {
    const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
    if (row.by == ForeignMark::texts && std::all_of(row.marks.begin(), row.marks.end(), has)) {
      return foreign_of({}, row);
    }
  }
  return std::nullopt;
}

std::optional<Foreign> recognise_no_scenario(const documents::Node& root) {
  const documents::Node& one = root.kind == documents::Kind::array && !root.items.empty() ? root.items.front() : root;
  switch (kind_of(one)) {
    case Kind::bootstrap:
    case Kind::cluster:
    case Kind::load_assignment:
    case Kind::route_configuration:
    case Kind::scoped_route_configuration:
    case Kind::listener:
    case Kind::discovery_response:
    case Kind::secret:
    case Kind::counters:
    case Kind::server_info:
      return Foreign{"a document of Envoy", read_with_rate};
    case Kind::kubernetes:
    case Kind::other:
      break;
    case Kind::scenario:
      return is_compose(one) ? compose() : std::nullopt;
    case Kind::cluster_list:  // or a scenario with few keys
      return std::nullopt;
  }
  if (const documents::Member* const configs = one.find("configs"); configs != nullptr) {
    return Foreign{"a config_dump of Envoy", read_with_rate};
  }
  return recognise_foreign(one);
}

Diagnostic foreign_document(const Foreign& foreign, Span where) {
  return error("SP149", where, "a document that is not read by itself", "this is {}", {foreign.what})
      .help("{}", {foreign.help});
}

}  // namespace spillway::proxy
