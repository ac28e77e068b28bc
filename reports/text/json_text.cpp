#include "reports/text/json_text.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/expectation.hpp"

namespace spillway::reports {

namespace {

class LineBreaker {
 public:
  // Prepares the output; `depth` is the number of enclosing objects and arrays.
  explicit LineBreaker(std::string_view compact, int depth = 0) : compact_(compact), depth_(depth) {}

  std::string text() {
    for (; at_ < compact_.size(); ++at_) {
      const char character = compact_[at_];
      if (character == '"') {
        copy_string();
      } else if (character == '{' || character == '[') {
        open(character);
      } else if (character == '}' || character == ']') {
        close(character);
      } else if (character == ',') {
        text_ += breaks() ? "," : ", ";
        if (breaks()) {
          new_line();
        }
      } else {
        text_ += character;
        if (character == ':') {
          text_ += ' ';
        }
      }
    }
    return std::move(text_);
  }

 private:
  // True if elements have lines of their own: in the outermost object and in arrays directly inside it.
  [[nodiscard]] bool breaks() const { return depth_ == 1 || (depth_ == 2 && array_in_outermost_); }

  void new_line() { text_ += '\n' + std::string(static_cast<std::size_t>(2 * depth_), ' '); }

  void open(char bracket) {
    text_ += bracket;
    ++depth_;
    if (depth_ == 2) {
      array_in_outermost_ = bracket == '[';
    }
    const char next = compact_[at_ + 1];
    if (breaks() && next != ']' && next != '}') {
      new_line();
    }
  }

  void close(char bracket) {
    const bool broken = breaks();
    const char last = compact_[at_ - 1];
    --depth_;
    if (broken && last != '[' && last != '{') {
      new_line();
    }
    text_ += bracket;
  }

  void copy_string() {
    const std::size_t begin = at_++;
    while (compact_[at_] != '"') {
      at_ += compact_[at_] == '\\' ? 2 : 1;
    }
    text_ += compact_.substr(begin, at_ - begin + 1);
  }

  std::string_view compact_;
  int depth_;
  std::string text_;
  std::size_t at_ = 0;
  bool array_in_outermost_ = false;
};

using Json = documents::JsonText;

// Returns a figure in the unit of its column: a percentage, or a boolean for panic. Rounds the last digits of sums of
// doubles, so that ten times 8 % is 80, as in the document.
Json figure(const std::optional<double>& number, const scenario::Column& column) {
  if (!number) {
    return nullptr;
  }
  if (column.quantity == scenario::Quantity::panic) {
    return *number != 0.0;
  }
  return std::round(*number * 1e9) / 1e9;
}

Json table_json(const DocumentedTable& table) {
  Json columns = json_array(table.columns, [&](const scenario::Column& column) { return Json(column.title); });
  Json rows = Json::array();
  for (const DocumentedRow& row : table.rows) {
    Json documented = Json::array();
    Json exact = Json::array();
    Json simulated = Json::array();
    Json differences = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const DocumentedCell& cell = row.cells[i];
      documented.push_back(cell.documented.text == "-" ? Json(nullptr)
                                                       : figure(cell.documented.number, table.columns[i]));
      exact.push_back(figure(cell.exact, table.columns[i]));
      simulated.push_back(figure(cell.simulated, table.columns[i]));
      if (cell.differs) {
        differences.push_back({{"column", table.columns[i].title}, {"reason", cell.reason}});
      }
    }
    Json entry = {{"epoch", row.epoch ? Json(*row.epoch) : Json(nullptr)},
                  {"documented", std::move(documented)},
                  {"exact", std::move(exact)},
                  {"simulated", std::move(simulated)},
                  {"differences", std::move(differences)}};
    if (!row.client.empty()) {
      entry.add("client", row.client);
    }
    rows.push_back(entry);
  }
  return {{"title", table.title}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

}  // namespace

std::string json_lines(std::string_view compact) {
  return LineBreaker(compact).text() + '\n';
}

void JsonLines::add(std::string_view key, std::string_view value) {
  begin_member(key);
  text_ += LineBreaker(value, 2).text();
  write_full();
}

void JsonLines::begin_array(std::string_view key) {
  begin_member(key);
  text_ += '[';
  first_row_ = true;
}

void JsonLines::add_row(std::string_view value) {
  text_ += first_row_ ? "\n    " : ",\n    ";
  first_row_ = false;
  text_ += LineBreaker(value, 2).text();
  write_full();
}

void JsonLines::end_array() {
  text_ += first_row_ ? "]" : "\n  ]";
}

void JsonLines::end() {
  text_ += first_member_ ? "}\n" : "\n}\n";
  write_(text_);
  text_.clear();
}

void JsonLines::begin_member(std::string_view key) {
  text_ += first_member_ ? "\n  \"" : ",\n  \"";
  text_ += key;
  text_ += "\": ";
  first_member_ = false;
}

void JsonLines::write_full() {
  constexpr std::size_t full = 1U << 16U;
  if (text_.size() >= full) {
    write_(text_);
    text_.clear();
  }
}

documents::JsonText profile_json(const config::Profile& profile) {
  return {{"envoy", name_of(profile.envoy)}, {"kuma", name_of(profile.kuma)}, {"istio", name_of(profile.istio)}};
}

std::vector<documents::JsonText> tables_json(const std::vector<DocumentedTable>& tables) {
  std::vector<Json> array;
  for (const DocumentedTable& table : tables) {
    array.push_back(table_json(table));
  }
  return array;
}

}  // namespace spillway::reports
