#include "sim/sweep/space.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "models/documents/line_index.hpp"
#include "models/documents/problem.hpp"
#include "sim/sweep/sampling.hpp"

namespace spillway::sweep {
namespace {
class SpaceReader {
 public:
  SpaceReader(const SpaceText& text, Sources& sources) : text_(text), sources_(sources) {}

  std::variant<Space, Diagnostics> read() {
    for (const std::string& over : text_.over) {
      read_over(over, text_.over_option, false);
    }
    for (const std::string& set : text_.set) {
      read_over(set, "--set", true);
    }
    if (text_.block && text_.file) {
      read_block_keys(*text_.block, add_source(text_.file->name, text_.file->text));
    }
    if (text_.csv_name) {
      read_csv();
    }
    check_twice();
    if (problems_.empty() && text_.design != Design::grid) {
      check_sampled();
    }
    if (!problems_.empty()) {
      return problems_;
    }
    name_keys();
    return Space(std::move(keys_), std::move(axes_), text_);
  }

 private:
  [[nodiscard]] std::uint32_t add_source(const std::string& name, const std::string& text) {
    sources_.push_back({name, text});
    return static_cast<std::uint32_t>(sources_.size() - 1);
  }

  void refuse(const char* code, const std::string& message, const std::string& label, const std::string& help,
              std::uint32_t source, std::size_t begin, std::size_t length) {
    const auto span =
        documents::LineIndex(source, sources_[source].text).span(begin, begin + std::max<std::size_t>(length, 1));
    Diagnostic& problem = problems_.error(code, span, "{}", "{}", {message, label});
    if (!help.empty()) {
      problem.help("{}", {help});
    }
  }

  // Returns the position of the `=` that ends the path; one within brackets or quotes does not.
  static std::size_t end_of_path(const std::string& over) {
    int depth = 0;
    char quote = '\0';
    for (std::size_t at = 0; at < over.size(); ++at) {
      const char character = over[at];
      if (quote != '\0') {
        quote = character == quote ? '\0' : quote;
      } else if (character == '"' || character == '\'') {
        quote = character;
      } else if (character == '[' || character == ']') {
        depth += character == '[' ? 1 : -1;
      } else if (character == '=' && depth == 0) {
        return at;
      }
    }
    return std::string::npos;
  }

  // Reads `--over KEY=VALUES` or `--set KEY=VALUE`.
  void read_over(const std::string& over, const std::string& option, bool one_value) {
    const std::uint32_t source = add_source(option, over);
    const std::size_t end = end_of_path(over);
    if (end == std::string::npos || end == 0) {
      refuse("SP951", fmt::format("`{}` without {}", option, one_value ? "a value" : "values"),
             one_value ? "expected KEY=VALUE" : "expected KEY=VALUES",
             one_value ? "for example --set 'clients[shop].workload.rate=500rps'"
                       : "for example --over 'clients[shop].workload.rate=100..2000/20'",
             source, 0, over.size());
      return;
    }
    const std::string_view after = std::string_view(over).substr(end + 1);
    auto values = one_value && !after.empty() ? Values{{{std::string(after), 0, after.size()}}} : parse_values(after);
    if (const auto* wrong = std::get_if<ValueProblem>(&values)) {
      refuse("SP951", wrong->message, "not a value of a sweep", wrong->help, source,
             std::min(end + 1 + wrong->begin, over.size() - 1), wrong->length);
      return;
    }
    Values& read = std::get<Values>(values);
    for (Value& value : read.listed) {
      value.begin += end + 1;
    }
    if (read.range) {
      read.range->begin += end + 1;
    }
    const std::size_t rows = read.listed.size();
    if (add_key(over.substr(0, end), 0, source, std::move(read))) {
      axes_.push_back({{keys_.size() - 1}, rows});
    }
  }

  bool add_key(const std::string& path_text, std::size_t offset, std::uint32_t source, Values values) {
    auto path = parse_path(path_text);
    if (const auto* wrong = std::get_if<PathProblem>(&path)) {
      refuse("SP950", wrong->message, wrong->label, wrong->help, source, offset + wrong->begin, wrong->length);
      return false;
    }
    Path steps = std::get<Path>(std::move(path));
    for (PathStep& step : steps) {
      step.begin += offset;
    }
    keys_.push_back({path_text, "", std::move(steps), std::move(values.listed), values.range, source, offset});
    return true;
  }

  // Returns the offset [bytes] at which a text begins in the file; nullopt if it is written differently there.
  [[nodiscard]] std::optional<std::size_t> verbatim(const std::string& text, const Span& where,
                                                    std::uint32_t source) const {
    const std::string& file = sources_[source].text;
    std::size_t at = offset_of(file, where);
    at += at < file.size() && (file[at] == '"' || file[at] == '\'') ? 1 : 0;
    return file.compare(at, text.size(), text) == 0 ? std::optional(at) : std::nullopt;
  }

  void read_block_keys(const Block& block, std::uint32_t source) {
    for (const BlockKey& key : block.keys) {
      const std::size_t path_begin =
          verbatim(key.path, key.path_at, source).value_or(offset_of(sources_[source].text, key.path_at));
      auto values = values_of_block(key.values, source);
      if (values && add_key(key.path, path_begin, source, std::move(*values))) {
        axes_.push_back({{keys_.size() - 1}, keys_.back().values.size()});
      }
    }
    const auto place = [&](const Span& where) { return offset_of(sources_[source].text, where); };
    if (text_.design != Design::grid && text_.samples == 0) {
      refuse(
          "SP951", fmt::format("design {} without `samples`", design_names()[static_cast<std::size_t>(text_.design)]),
          "needs a number of points", "for example samples: 200", source, place(block.design_at.value_or(block.at)), 5);
    }
    if (text_.design == Design::grid && block.samples_at) {
      refuse("SP951", "`samples` in a grid, which has all combinations", "has no effect here",
             "add design: latin or design: sobol", source, place(*block.samples_at), block.samples_at->length);
    }
  }

  std::optional<Values> values_of_block(const documents::Node& node, std::uint32_t source) {
    using documents::Kind;
    const auto placed = [&](const documents::Node& item) {
      return Value{text_of_value(item), offset_of(sources_[source].text, item.span), item.span.length};
    };
    Values values;
    if (node.kind == Kind::array) {
      for (const auto& item : node.items) {
        values.listed.push_back(placed(item));
      }
      return values;
    }
    if (node.kind != Kind::string) {
      values.listed.push_back(placed(node));
      return values;
    }
    const auto begin = verbatim(node.text, node.span, source);
    const std::size_t otherwise = offset_of(sources_[source].text, node.span);
    const auto move = [&](std::size_t& at, std::size_t& length) {
      at = begin ? at + *begin : otherwise;
      length = begin ? length : node.span.length;
    };
    auto parsed = parse_values(node.text);
    if (auto* wrong = std::get_if<ValueProblem>(&parsed)) {
      move(wrong->begin, wrong->length);
      refuse("SP951", wrong->message, "not a value of a sweep", wrong->help, source, wrong->begin, wrong->length);
      return std::nullopt;
    }
    values = std::get<Values>(std::move(parsed));
    for (Value& value : values.listed) {
      move(value.begin, value.length);
    }
    if (values.range) {
      move(values.range->begin, values.range->length);
    }
    return values;
  }

  // Splits one line of RFC 4180 CSV into fields with their locations.
  static std::vector<Value> fields_of(std::string_view text, std::size_t begin, std::size_t end) {
    std::vector<Value> fields;
    std::size_t at = begin;
    while (at <= end) {
      Value field{"", at, 1};
      if (at < end && text[at] == '"') {
        for (++at; at < end && !(text[at] == '"' && (at + 1 >= end || text[at + 1] != '"')); ++at) {
          at += text[at] == '"' ? 1 : 0;
          field.text += text[at];
        }
        at = std::min(text.find(',', at), end);
      } else {
        const std::size_t stop = std::min(text.find(',', at), end);
        field.text = text.substr(at, stop - at);
        at = stop;
      }
      field.length = std::max<std::size_t>(at - field.begin, 1);
      fields.push_back(std::move(field));
      ++at;
    }
    return fields;
  }

  void read_csv() {
    const std::uint32_t source = add_source(*text_.csv_name, text_.csv_text);
    const std::string_view text = text_.csv_text;
    std::vector<std::vector<Value>> lines;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    for (std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::size_t stop = end > begin && text[end - 1] == '\r' ? end - 1 : end;
      if (stop > begin) {
        lines.push_back(fields_of(text, begin, stop));
      }
      begin = end + 1;
    }
    if (lines.size() < 2) {
      refuse("SP951", "a table without combinations", "expected a line of keys, and lines of values", "", source, 0, 1);
      return;
    }
    Axis axis{{}, lines.size() - 1};
    for (std::size_t column = 0; column < lines.front().size(); ++column) {
      Values values;
      for (std::size_t line = 1; line < lines.size(); ++line) {
        if (lines[line].size() != lines.front().size()) {
          refuse("SP951", fmt::format("{} values for {} keys", lines[line].size(), lines.front().size()),
                 "not as many as in the first line", "", source, lines[line].front().begin,
                 lines[line].back().begin + lines[line].back().length - lines[line].front().begin);
          return;
        }
        values.listed.push_back(lines[line][column]);
      }
      if (add_key(lines.front()[column].text, lines.front()[column].begin, source, std::move(values))) {
        axis.keys.push_back(keys_.size() - 1);
      }
    }
    axes_.push_back(std::move(axis));
  }

  void check_twice() {
    std::set<std::string> seen;
    for (const Key& key : keys_) {
      if (!seen.insert(key.text).second) {
        refuse("SP951", fmt::format("{} appears twice", in_ticks(key.text)), "already swept over",
               "write all of its values in one list", key.source, key.begin, key.text.size());
      }
    }
  }

  void check_sampled() {
    if (text_.csv_name) {
      refuse("SP951", "a table is a list of combinations, not a space to draw from", "not for a sampled design",
             "leave --design out", keys_.back().source, 0, 1);
    }
    for (const Key& key : keys_) {
      if (!key.range && key.values.size() < 2) {
        refuse("SP951", fmt::format("{} has one value", in_ticks(key.text)), "nothing to draw from",
               "a sampled design takes ranges such as 100..2000, or lists", key.source, key.begin, key.text.size());
      }
    }
  }

  // Names each key by its last key if that is unique, else by its path.
  void name_keys() {
    for (Key& key : keys_) {
      const std::string last = last_key(key.path);
      const auto so_called =
          std::count_if(keys_.begin(), keys_.end(), [&](const Key& other) { return last_key(other.path) == last; });
      key.name = so_called == 1 && !last.empty() ? last : key.text;
    }
  }

  const SpaceText& text_;
  Sources& sources_;
  std::vector<Key> keys_;
  std::vector<Axis> axes_;
  Diagnostics problems_;
};

}  // namespace

const std::vector<std::string>& design_names() {
  static const std::vector<std::string> names{"grid", "latin", "sobol", "morris", "saltelli"};
  return names;
}

std::optional<Design> design_of(std::string_view name) {
  const auto& names = design_names();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Design>(found - names.begin()));
}

Space::Space(std::vector<Key> keys, std::vector<Axis> axes, const SpaceText& text)
    : keys_(std::move(keys)), axes_(std::move(axes)), design_(text.design), samples_(text.samples) {
  const auto points = static_cast<std::size_t>(std::min<std::uint64_t>(samples_, most_points));
  switch (design_) {
    case Design::grid:
      for (const Axis& axis : axes_) {
        // Saturates instead of overflowing.
        settings_ = std::min<std::uint64_t>(settings_, most_points + 1) * axis.rows;
      }
      samples_ = settings_;
      return;
    case Design::latin:
      parts_ = latin_hypercube(points, keys_.size(), text.seed);
      break;
    case Design::sobol:
      parts_ = sobol_sequence(points, keys_.size());
      break;
    case Design::morris:
      parts_ = morris_ways(points, keys_.size(), text.seed);
      break;
    case Design::saltelli:
      parts_ = saltelli_points(points, keys_.size());
      break;
  }
  settings_ = parts_.size() / std::max<std::size_t>(keys_.size(), 1);
}

Value Space::sampled(std::size_t key, double part) const {
  const Key& of = keys_[key];
  if (of.range) {
    return {of.range->at(part), of.range->begin, of.range->length};
  }
  const auto position = static_cast<std::size_t>(part * static_cast<double>(of.values.size()));
  return of.values[std::min(position, of.values.size() - 1)];
}

std::vector<Value> Space::values_of(std::uint64_t setting) const {
  std::vector<Value> values(keys_.size());
  if (design_ != Design::grid) {
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      values[key] = sampled(key, part_of(setting, key));
    }
    return values;
  }
  // The last axis varies fastest.
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const auto row = static_cast<std::size_t>(setting % axis->rows);
    setting /= axis->rows;
    for (const std::size_t key : axis->keys) {
      values[key] = keys_[key].values[row];
    }
  }
  return values;
}

std::vector<std::vector<Value>> Space::look_at_all_values() const {
  std::vector<std::vector<Value>> all{values_of(0)};
  for (const Axis& axis : axes_) {
    for (std::size_t row = 0; row < axis.rows; ++row) {
      std::vector<Value> values = all.front();
      for (const std::size_t key : axis.keys) {
        const bool drawn = design_ != Design::grid && keys_[key].range;
        values[key] = drawn ? sampled(key, row == 0 ? 0.0 : 1.0) : keys_[key].values[row];
      }
      all.push_back(std::move(values));
      // A sampled range has only its ends listed.
      if (design_ != Design::grid && keys_[axis.keys.front()].range && row == 1) {
        break;
      }
    }
  }
  return all;
}

std::variant<Space, Diagnostics> read_space(const SpaceText& text, Sources& sources) {
  return SpaceReader(text, sources).read();
}

}  // namespace spillway::sweep
