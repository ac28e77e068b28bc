#include "sim/scenario/pasted/dataplane_zones.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

constexpr const char* assumed_zone = "zone-1";

bool is_dataplane(const Node& node) {
  return text_below(node, {"type"}) == "Dataplane" || text_below(node, {"kind"}) == "Dataplane";
}

bool names_zone(const Node& node) {
  return std::any_of(
             node.members.begin(), node.members.end(),
             [](const documents::Member& member) { return member.key == zone_tag || names_zone(member.value); }) ||
         std::any_of(node.items.begin(), node.items.end(), names_zone);
}

void put_into_zone(Node& inbound) {
  if (inbound.kind != documents::Kind::object) {
    return;
  }
  if (member_of(inbound, "tags") == nullptr) {
    add_member(inbound, "tags", object_at(inbound.span));
  }
  Node& tags = *member_of(inbound, "tags");
  if (tags.kind == documents::Kind::object) {
    add_member(tags, zone_tag, text_at_place(inbound.span, assumed_zone));
  }
}

}  // namespace

void put_dataplanes_into_a_zone(PastedDocuments& documents, std::vector<std::string>& assumed) {
  const std::vector<const Node*> all = documents.documents();
  if (std::any_of(all.begin(), all.end(), [](const Node* node) { return is_dataplane(*node) && names_zone(*node); })) {
    return;
  }
  std::size_t placed = 0;
  for (PastedFile& file : documents.files) {
    for (Node& node : file.documents) {
      if (!is_dataplane(node)) {
        continue;
      }
      Node* const spec = member_of(node, "spec");
      Node* const networking = member_of(spec == nullptr ? node : *spec, "networking");
      Node* const inbounds = networking == nullptr ? nullptr : member_of(*networking, "inbound");
      for (std::size_t inbound = 0; inbounds != nullptr && inbound < inbounds->items.size(); ++inbound) {
        put_into_zone(inbounds->items[inbound]);
      }
      ++placed;
      file.as_written = false;
    }
  }
  if (placed > 0) {
    assumed.push_back(fmt::format("{} Dataplane{} in one zone, `{}`: no tag `{}` names another", placed,
                                  placed == 1 ? "" : "s", assumed_zone, zone_tag));
  }
}

}  // namespace spillway::scenario::pasted
