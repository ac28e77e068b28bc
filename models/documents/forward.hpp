// Forward declaration of the tree of documents, for headers that only refer to it.
#pragma once

namespace spillway::documents {

struct Node;  // node.hpp

}  // namespace spillway::documents
