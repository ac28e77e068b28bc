// Reads a bootstrap: its node, runtime and cluster manager, and its resources.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::proxy {

enum class Standing : std::uint8_t;  // documents.hpp
struct Documents;                    // documents.hpp

// Collects the bootstrap's contents. `reported`: the document was written by a program.
void collect_bootstrap(documents::Node& root, bool reported, Documents& documents, Diagnostics& problems);

// Adds a resource. Precondition: its tree is normalised (grammar/protobuf_json.hpp).
void add_cluster(const documents::Node& node, bool reported, Standing standing, Documents& documents);
void add_listener(const documents::Node& node, bool reported, Documents& documents);

// Returns "1.36.2" for "c9fd5...6e5/1.36.2/Clean/RELEASE/BoringSSL" or "1.36.2"; empty if there is no version.
[[nodiscard]] std::string version_in(std::string_view text);

}  // namespace spillway::proxy
