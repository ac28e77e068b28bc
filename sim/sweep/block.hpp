// What a scenario's own `sweep:` asks for, with the places of its keys and values in the file.
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
  // A text is what the command line would say, 100..2000/20; what stands in a list is taken as it is.
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

// Of a scenario's tree, which must be right by the schema. Nothing: it has no such block.
[[nodiscard]] std::optional<Block> read_block(const documents::Node& root);

// A value as node_of() would read it back: JSON where it is not plain.
[[nodiscard]] std::string text_of_value(const documents::Node& node);

// Where a place of a text begins, in bytes.
[[nodiscard]] std::size_t offset_of(const std::string& text, const Span& place);

}  // namespace spillway::sweep
