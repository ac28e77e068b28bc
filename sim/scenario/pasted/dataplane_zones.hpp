// A zone for pasted Dataplanes that name none.
#pragma once

#include <string>
#include <vector>

namespace spillway::scenario::pasted {

struct PastedDocuments;  // pasted_documents.hpp

inline constexpr const char* zone_tag = "kuma.io/zone";
inline constexpr const char* service_tag = "kuma.io/service";

// Puts Dataplanes that name no zone into that of the first one that does, or into `zone-1`, by a tag of their inbounds
// and gateways. Says so in `assumed`.
void put_dataplanes_into_a_zone(PastedDocuments& documents, std::vector<std::string>& assumed);

}  // namespace spillway::scenario::pasted
