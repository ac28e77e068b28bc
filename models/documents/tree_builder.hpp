// Builds the tree from the events of either parser, and enforces their common rules: depth, number of values, unique
// keys.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::documents {

// Each function returns true if parsing may continue, false after a fatal problem.
class TreeBuilder {
 public:
  explicit TreeBuilder(Diagnostics& problems) : problems_(problems) {}

  [[nodiscard]] bool open(Kind kind, Span span);
  [[nodiscard]] bool close();
  [[nodiscard]] bool key(std::string key, Span span);
  [[nodiscard]] bool value(Node node);

  // True if the innermost open value is an object that waits for a key.
  [[nodiscard]] bool wants_key() const noexcept;
  // Returns the location of the key that waits for its value; null if none does.
  [[nodiscard]] const Span* pending_key() const noexcept;
  [[nodiscard]] std::size_t depth() const noexcept { return open_.size(); }
  // Returns the value completed last; valid until the next call.
  [[nodiscard]] const Node* last_completed() const noexcept { return last_; }
  [[nodiscard]] Node take_root() { return std::move(root_); }

 private:
  struct Open {
    Node node;
    std::string key;
    Span key_span;
    bool has_key = false;
    std::unordered_map<std::string, Span> keys;
  };

  [[nodiscard]] bool count(std::size_t values, Span span);
  void attach(Node node);

  Diagnostics& problems_;
  std::vector<Open> open_;
  Node root_;
  const Node* last_ = nullptr;
  std::size_t values_ = 0;
  std::size_t duplicates_ = 0;
};

// Returns the number of values in a tree, including its root.
[[nodiscard]] std::size_t count_values(const Node& node);

}  // namespace spillway::documents
