#include "models/kuma/documents/dropped_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/documents/problem.hpp"

namespace spillway::kuma {
namespace {

struct DroppedField {
  std::string_view in;  // the key of the object, or of the list that contains it
  std::string_view key;
};

constexpr std::array dropped_fields = std::to_array<DroppedField>({
    {"spec", "from"},
    {"targetRef", "name"},
    {"targetRef", "namespace"},
    {"targetRef", "mesh"},
    {"targetRef", "tags"},
    {"targetRef", "proxyTypes"},
    {"backendRefs", "name"},
    {"backendRefs", "namespace"},
    {"backendRefs", "mesh"},
    {"backendRefs", "tags"},
    {"backendRefs", "proxyTypes"},
    {"ringHash", "hashPolicies"},
    {"maglev", "hashPolicies"},
    {"default", "healthyPanicThreshold"},
    {"selector", "dataplaneTags"},
    {"networking", "advertisedAddress"},
    {"inbound", "tags"},
    {"outbound", "tags"},
});

bool is_dropped(std::string_view in, std::string_view key) {
  return std::any_of(dropped_fields.begin(), dropped_fields.end(),
                     [&](const DroppedField& field) { return field.in == in && field.key == key; });
}

void warn_in(const documents::Node& node, std::string_view in, Diagnostics& problems) {
  for (const documents::Member& member : node.members) {
    // Sections that a server keeps next to the spec contain fields of any name.
    if (member.key == "metadata" || member.key == "status" || member.key == "labels") {
      continue;
    }
    if (is_dropped(in, member.key)) {
      problems.warning("SP608", member.key_span, "head drops `{}` of `{}`",
                       "without an effect in `profile: { kuma: head }`", {member.key, in});
      continue;
    }
    warn_in(member.value, member.key, problems);
  }
  for (const documents::Node& item : node.items) {
    warn_in(item, in, problems);
  }
}

}  // namespace

void warn_of_dropped_fields(const documents::Node& document, Diagnostics& problems) {
  warn_in(document, "", problems);
}

}  // namespace spillway::kuma
