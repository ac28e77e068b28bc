#include "sim/sweep/block.hpp"

#include <algorithm>

#include "models/documents/json_writer.hpp"
#include "sim/scenario/messages/sweep.hpp"

namespace spillway::sweep {

using documents::Kind;
using documents::Node;

std::optional<Block> read_block(const Node& root) {
  const auto* member = root.find("sweep");
  if (member == nullptr) {
    return std::nullopt;
  }
  messages::Sweep written;
  Diagnostics known_already;
  if (!grammar::Record<messages::Sweep>{}.read(member->value, written, "sweep", known_already)) {
    return std::nullopt;
  }
  Block block;
  block.at = member->value.span;
  for (const auto& key : *written.over) {
    block.keys.push_back({*key->key, key->key.where, **key->values});
  }
  if (written.design) {
    block.design = *written.design;
    block.design_at = written.design.where;
  }
  if (written.samples) {
    block.samples = *written.samples;
    block.samples_at = written.samples.where;
  }
  if (written.replications) {
    block.replications = static_cast<std::uint32_t>(*written.replications);
  }
  return block;
}

std::string text_of_value(const Node& node) {
  const bool structured = node.kind == Kind::array || node.kind == Kind::object;
  const bool misread = node.kind == Kind::string && (node.text.empty() || node.text.find_first_of("{[\"") == 0 ||
                                                     node_of(node.text, Span{}).kind != Kind::string);
  if (structured || misread) {
    return documents::JsonText::of(node).text();
  }
  return node.kind == Kind::boolean ? (node.boolean ? "true" : "false") : node.kind == Kind::null ? "null" : node.text;
}

std::size_t offset_of(const std::string& text, const Span& place) {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  for (std::uint32_t column = 1; column < place.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && continues(text[at])) {
      ++at;
    }
  }
  return std::min(at, text.size());
}

}  // namespace spillway::sweep
