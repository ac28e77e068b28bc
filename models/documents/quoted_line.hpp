// Quotes a line of a file in a message: its keys and structure, the value that the message is about, short numbers, and
// names of objects (`name`, `zone`, `kind`), labels and words of a fixed set (`simple`). Other values become stars,
// because a document may have secrets anywhere, under any name.
//
//   QuotedLine line("{ name: cart, hook: abc, healthy: many }", {});
//   line.part(0, {{34, 38}}, 100);        // "{ name: cart, hook: ***, healthy: many }"
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/secrets.hpp"

namespace spillway::documents {

// Reads the scalars of a YAML or JSON line from left to right. A copy continues at the same position.
class ScalarReader {
 public:
  struct Scalar {
    Stretch at;     // without quotes
    Stretch whole;  // including quotes
    bool is_key = false;
    Stretch key = {};           // for a value: its key; empty if this line has none
    bool in_secret = false;     // inside a member called `data` or `stringData`, or in a list whose key means a secret
    bool in_labels = false;     // directly inside braces behind `labels` or `selector`
    bool is_structure = false;  // `---`, or the `|` and `>` of multi-line texts
  };

  explicit ScalarReader(std::string_view line) : line_(line) {}
  [[nodiscard]] std::optional<Scalar> next();

 private:
  [[nodiscard]] char at(std::size_t position) const { return position < line_.size() ? line_[position] : '\0'; }
  void skip_structure();
  [[nodiscard]] Scalar quoted();
  [[nodiscard]] Scalar plain();
  [[nodiscard]] bool ends_flow(std::size_t position, int& brackets) const;
  [[nodiscard]] bool ends_key(std::size_t colon, bool is_quoted) const;
  void finish(Scalar& scalar, bool is_quoted);
  [[nodiscard]] bool is_in_secret() const;

  std::string_view line_;
  std::size_t position_ = 0;
  std::vector<Stretch> open_;  // keys of the objects and lists that are open
  Stretch key_ = {};           // key of the next value
  bool had_block_key_ = false;
};

class QuotedLine {
 public:
  // Prepares a line. `above` is the text of the file before it.
  QuotedLine(std::string_view line, std::string_view above) : line_(line), above_(above), reader_(line) {}

  [[nodiscard]] std::string_view line() const noexcept { return line_; }

  // The subject of a message: bytes of the line, and whether a key there includes its value.
  struct About {
    Stretch at;
    bool with_value = true;
  };

  // Returns the line from byte `from` on, up to `longest` bytes, with stars in place of hidden characters. O(longest)
  // for calls with increasing `from`.
  [[nodiscard]] std::string part(std::size_t from, const About& about, std::size_t longest);

 private:
  std::string_view line_;
  std::string_view above_;
  ScalarReader reader_;  // has already returned `ahead_`
  std::optional<ScalarReader::Scalar> ahead_ = {};
  std::size_t read_to_ = 0;
};

}  // namespace spillway::documents
