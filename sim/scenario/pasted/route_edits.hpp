// Edits VirtualServices: converts a gateway's routes to a sidecar's, and removes what is not simulated.
#pragma once

#include <string>
#include <vector>

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::scenario::pasted {

struct PastedFile;  // pasted_files.hpp

// Edits the VirtualServices of the files: removes `gateways` without `mesh`, removes `mirror`, and replaces a
// `delegate` by the routes that it names. Adds the edits to `assumed`. Returns "namespace/name" of those of a gateway.
[[nodiscard]] std::vector<std::string> edit_virtual_services(std::vector<PastedFile>& files,
                                                             std::vector<std::string>& assumed);

}  // namespace spillway::scenario::pasted
