// The contents of a scenario's own `sweep:`, with the locations of its keys and values in the file.
//
//   std::optional<Block> block = read_block(side.root);
//   if (block) { block->keys[0].path; block->design; }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "sim/sweep/values.hpp"

namespace spillway::sweep {

struct BlockKey {
  std::string path;
  Span path_at;
  // A text as on the command line (100..2000/20), or a list whose values are used unchanged.
  documents::Node values;
};

struct Block {
  std::vector<BlockKey> keys;
  std::size_t design = 0;  // position in design_names()
  std::optional<Span> design_at = {};
  std::optional<std::uint64_t> samples = {};
  std::optional<Span> samples_at = {};
  std::optional<std::uint32_t> replications = {};
  Span at;  // of the block
};

// Returns the block of a scenario's tree; nullopt if it has none. Precondition: the tree is valid by the schema.
[[nodiscard]] std::optional<Block> read_block(const documents::Node& root);

// Returns a value as text that node_of() reads back: JSON if it is not plain.
[[nodiscard]] std::string text_of_value(const documents::Node& node);

// Returns the offset [bytes] of a location in a text.
[[nodiscard]] std::size_t offset_of(const std::string& text, const Span& place);

}  // namespace spillway::sweep
