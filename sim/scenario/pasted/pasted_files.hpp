// Pasted files as they were read and completed. A scenario that names such a file under `resources` gets these
// documents, with the locations of the original text, instead of reading the file again.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

struct PastedFile {
  std::string name = {};
  std::string text = {};   // as shown in messages: line by line as pasted
  bool as_written = true;  // false if a document was completed or changed, so that the file itself cannot be used
  std::vector<documents::Node> documents = {};
};

// Keeps a file for the rest of the process.
void remember(PastedFile file);

// Returns the remembered file of this name; null if there is none.
[[nodiscard]] const PastedFile* remembered(const std::string& name);

// Sets the file of every location in the tree.
void move_to_file(documents::Node& node, std::uint32_t file);

}  // namespace spillway::scenario::pasted
