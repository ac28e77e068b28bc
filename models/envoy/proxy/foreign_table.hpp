// The table of documents of other programs: the marks by which each is recognised, its name, and the advice. Data only;
// foreign.cpp looks it up. tests/models/envoy/proxy/foreign_table_test.cpp goes over all rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace spillway::proxy {

enum class ForeignMark : std::uint8_t {
  api_group,        // `apiVersion` is of this group, or of one whose name ends in it behind a point; with `kind`
  whole_api_group,  // `apiVersion` is of this group
  end_of_api_group,
  any_api_group,
  type,           // Kuma's documents outside Kubernetes: `type: Dataplane`
  begin_of_type,  // `type: MeshTimeout`
  list,           // `items` whose first has one of these types
  keys,           // all of them at the top
  texts,          // no document: both are in the file's text
  containers,     // docker-compose: an object of services, one of them with an image
  json_schema
};

struct ForeignDocument {
  ForeignMark by;
  std::array<std::string_view, 2> marks;  // the second may be empty
  std::string_view what;                  // groups and types: the owner of the kind; the group itself if empty
  std::string_view help;
};

// Returns the rows; the first matching row counts.
[[nodiscard]] std::span<const ForeignDocument> foreign_documents() noexcept;

}  // namespace spillway::proxy
