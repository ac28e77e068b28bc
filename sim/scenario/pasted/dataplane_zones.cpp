#include "sim/scenario/pasted/dataplane_zones.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

bool is_dataplane(const Node& node) {
  return text_below(node, {"type"}) == "Dataplane" || text_below(node, {"kind"}) == "Dataplane";
}

// Returns the zone that a part of a Dataplane names; empty if it names none.
std::string zone_in(const Node& node) {
  std::string zone;
  for (const documents::Member& member : node.members) {
    zone = !zone.empty() ? zone : member.key == zone_tag ? member.value.text : zone_in(member.value);
  }
  for (const Node& item : node.items) {
    zone = !zone.empty() ? zone : zone_in(item);
  }
  return zone;
}

void put_into_zone(Node& inbound, const std::string& zone) {
  if (inbound.kind != documents::Kind::object) {
    return;
  }
  if (member_of(inbound, "tags") == nullptr) {
    add_member(inbound, "tags", object_at(inbound.span));
  }
  Node& tags = *member_of(inbound, "tags");
  if (tags.kind == documents::Kind::object) {
    add_member(tags, zone_tag, text_at_place(inbound.span, zone));
  }
}

}  // namespace

void put_dataplanes_into_a_zone(PastedDocuments& documents, std::vector<std::string>& assumed) {
  std::string assumed_zone;
  for (const Node* const node : documents.documents()) {
    assumed_zone = !assumed_zone.empty() || !is_dataplane(*node) ? assumed_zone : zone_in(*node);
  }
  const bool no_other = assumed_zone.empty();
  assumed_zone = no_other ? "zone-1" : assumed_zone;
  std::size_t placed = 0;
  for (PastedFile& file : documents.files) {
    for (Node& node : file.documents) {
      if (!is_dataplane(node) || !zone_in(node).empty()) {
        continue;
      }
      Node* const spec = member_of(node, "spec");
      Node* const networking = member_of(spec == nullptr ? node : *spec, "networking");
      Node* const inbounds = networking == nullptr ? nullptr : member_of(*networking, "inbound");
      for (std::size_t inbound = 0; inbounds != nullptr && inbound < inbounds->items.size(); ++inbound) {
        put_into_zone(inbounds->items[inbound], assumed_zone);
      }
      if (Node* const gateway = networking == nullptr ? nullptr : member_of(*networking, "gateway")) {
        put_into_zone(*gateway, assumed_zone);
      }
      ++placed;
      file.as_written = false;
    }
  }
  if (placed > 0) {
    assumed.push_back(fmt::format("{} Dataplane{} in {} `{}`: no tag `{}` names another", placed,
                                  placed == 1 ? "" : "s", no_other ? "one zone," : "zone", assumed_zone, zone_tag));
  }
}

}  // namespace spillway::scenario::pasted
