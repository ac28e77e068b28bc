#include "models/documents/tree_builder.hpp"

#include <utility>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"

namespace spillway::documents {
namespace {

constexpr std::size_t most_duplicates = 100;  // only this many are printed

}  // namespace

std::size_t count_values(const Node& node) {
  std::size_t values = 1;
  for (const Node& item : node.items) {
    values += count_values(item);
  }
  for (const Member& member : node.members) {
    values += count_values(member.value);
  }
  return values;
}

bool TreeBuilder::count(std::size_t values, Span span) {
  values_ += values;
  if (values_ <= max_values) {
    return true;
  }
  problems_.error("SP009", span, "too many values", "the value past the limit of 2,000,000");
  return false;
}

bool TreeBuilder::open(Kind kind, Span span) {
  if (open_.size() == max_depth) {
    problems_.error("SP008", span, "nested deeper than 128 levels", "level 129 starts here");
    return false;
  }
  Open opened;
  opened.node.kind = kind;
  opened.node.span = span;
  open_.push_back(std::move(opened));
  return count(1, span);
}

bool TreeBuilder::close() {
  Node node = std::move(open_.back().node);
  open_.pop_back();
  attach(std::move(node));
  return true;
}

bool TreeBuilder::key(std::string key, Span span) {
  Open& object = open_.back();
  const auto [first, fresh] = object.keys.emplace(key, span);
  if (!fresh) {
    Diagnostic& problem = problems_.error("SP010", span, "duplicate key `{}`", "written again here", {key})
                              .note("first written in {}", {place(first->second)});
    if (++duplicates_ == most_duplicates) {
      problem.note("reading ends here: 100 keys are written again");
      return false;
    }
  }
  // A block mapping starts at its first key. Its span is then the whole key.
  if (Span& start = object.node.span; start.line == span.line && start.column == span.column) {
    start.length = span.length;
  }
  object.key = std::move(key);
  object.key_span = span;
  object.has_key = true;
  return true;
}

bool TreeBuilder::value(Node node) {
  const Span span = node.span;
  const std::size_t values = node.items.empty() && node.members.empty() ? 1 : count_values(node);
  attach(std::move(node));
  return count(values, span);
}

bool TreeBuilder::wants_key() const noexcept {
  return !open_.empty() && open_.back().node.kind == Kind::object && !open_.back().has_key;
}

const Span* TreeBuilder::pending_key() const noexcept {
  return !open_.empty() && open_.back().has_key ? &open_.back().key_span : nullptr;
}

void TreeBuilder::attach(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
    last_ = &root_;
    return;
  }
  Open& parent = open_.back();
  if (parent.node.kind == Kind::array) {
    parent.node.items.push_back(std::move(node));
    last_ = &parent.node.items.back();
    return;
  }
  parent.node.members.push_back({std::move(parent.key), parent.key_span, std::move(node)});
  parent.has_key = false;
  last_ = &parent.node.members.back().value;
}

}  // namespace spillway::documents
