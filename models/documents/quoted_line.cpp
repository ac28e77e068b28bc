#include "models/documents/quoted_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace spillway::documents {
namespace {

constexpr std::size_t most_above = 65'536;   // bytes above a line in which enclosing keys are searched
constexpr std::size_t most_before = 16'384;  // hidden bytes of the line in which a secret's name is searched

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_flow(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

std::string_view text_at(std::string_view line, Stretch at) {
  return line.substr(at.begin, at.end - at.begin);
}

// True for empty, boolean and null values, and for numbers of up to four digits with a short unit.
bool is_harmless(std::string_view value) {
  if (value.empty() || value == "true" || value == "false" || value == "null" || value == "~") {
    return true;
  }
  std::size_t at = value[0] == '-' || value[0] == '+' ? 1 : 0;
  const std::size_t first = at;
  while (at < value.size() && (std::isdigit(static_cast<unsigned char>(value[at])) != 0 || value[at] == '.')) {
    ++at;
  }
  const std::size_t digits = at - first;
  const std::string_view unit = value.substr(at);
  return digits >= 1 && digits <= 4 && unit.size() <= 4 && std::all_of(unit.begin(), unit.end(), [](unsigned char c) {
           return std::isalpha(c) != 0 || c == '%' || c == ' ' || c == '/';
         });
}

// True for the path of a key in a scenario, as a sweep names it: `services[cart].endpoints[0].cores`.
bool is_path_of_a_key(std::string_view value) {
  constexpr std::array tops = std::to_array<std::string_view>(
      {"clients[", "services[", "clusters[", "load_assignments[", "routes[", "zones[", "links[", "timeline[",
       "policies[", "resources[", "serving[", "objectives[", "failures["});
  return std::any_of(tops.begin(), tops.end(), [&](std::string_view top) { return value.starts_with(top); }) &&
         std::all_of(value.begin(), value.end(), [](unsigned char c) {
           return std::isalpha(c) != 0 ||
                  std::string_view("-._[]*0123456789").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

// True for a label of these projects: `kuma.io/zone`.
bool is_label_of_a_mesh(std::string_view key) {
  constexpr std::array domains = std::to_array<std::string_view>({"kuma.io", "istio.io", "k8s.io", "kubernetes.io"});
  const std::size_t slash = key.find('/');
  return slash != std::string_view::npos && std::any_of(domains.begin(), domains.end(), [&](std::string_view domain) {
           return key.substr(0, slash).ends_with(domain);
         });
}

// True for the keys of labels and of what selects by them.
bool holds_labels(std::string_view key) {
  return key == "labels" || key == "matchLabels" || key == "selector" || key == "tags";
}

// True for names of objects, which locate a message, for labels, and for words of a fixed set: a line without them is
// useless, and they are not secrets.
bool is_name_of_a_thing(std::string_view key, std::string_view value, bool in_labels) {
  constexpr std::array keys = std::to_array<std::string_view>(
      {"name",         "zone",     "region",    "sub_zone",      "node",         "service",     "cluster",
       "cluster_name", "client",   "mesh",      "namespace",     "kind",         "type",        "@type",
       "apiVersion",   "simple",   "lb_policy", "lbPolicy",      "subset",       "version",     "h2UpgradePolicy",
       "resolution",   "location", "protocol",  "health_status", "healthStatus", "displayName", "trafficDistribution"});
  constexpr std::size_t longest = 80;
  if (key == "key") {
    return value.size() <= longest && is_path_of_a_key(value);
  }
  const bool is_name = in_labels || is_label_of_a_mesh(key) || std::find(keys.begin(), keys.end(), key) != keys.end();
  return is_name && value.size() <= longest && std::all_of(value.begin(), value.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 ||
                  std::string_view("-._/|: ").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

// True for the keys that hold the values of a Kubernetes or Kuma Secret.
bool holds_secrets(std::string_view key) {
  return key == "data" || key == "stringData";
}

std::size_t indent_of(std::string_view line) {
  std::size_t indent = 0;
  while (indent < line.size() &&
         (is_space(line[indent]) || (line[indent] == '-' && line.substr(indent + 1, 1) == " "))) {
    ++indent;
  }
  return indent;
}

// The first scalar of a line in block style, if it is a key, with its value if that is in the same line.
struct BlockMember {
  std::string_view key;
  std::string_view value;
};
BlockMember member_of(std::string_view line) {
  ScalarReader reader(line);
  const auto key = reader.next();
  if (!key || !key->is_key) {
    return {};
  }
  const auto value = reader.next();
  return {text_at(line, key->at), value && !value->is_key ? text_at(line, value->at) : std::string_view()};
}

// Returns the last whole lines of a text, `most_above` bytes at most.
std::string_view last_lines(std::string_view text) {
  if (text.size() <= most_above) {
    return text;
  }
  text.remove_prefix(text.size() - most_above);
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

// Calls visit(line, indent) for the lines of a text that are not empty, the last one first, until it returns false.
template <class Visit>
void for_each_line_above(std::string_view above, const Visit& visit) {
  above = last_lines(above);
  while (!above.empty()) {
    above.remove_suffix(above.ends_with('\n') ? 1 : 0);
    const std::size_t begin = above.rfind('\n') + 1;  // 0 if there is none
    const std::string_view line = above.substr(begin);
    above = above.substr(0, begin);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos && !visit(line, indent_of(line))) {
      return;
    }
  }
}

// True if the lines above mark a value of this line as secret: a PEM key, the key of its list, `data` of a Secret, or
// the name of its header or parameter.
bool is_secret_by_lines_above(std::string_view above, std::string_view line) {
  if (ends_within_pem(last_lines(above))) {
    return true;
  }
  std::size_t indent = indent_of(line);
  const bool is_item = line.substr(std::min(line.find_first_not_of(" \t"), line.size()), 2) == "- ";
  bool is_parent = false;
  bool is_secret = false;
  for_each_line_above(above, [&](std::string_view other, std::size_t other_indent) {
    if (indent == 0 || other_indent > indent) {
      return indent > 0;
    }
    const BlockMember member = member_of(other);
    if (other_indent == indent && !is_parent) {
      const bool names =
          member.key == "key" || member.key == "name" || member.key == "header_name" || member.key == "headerName";
      is_secret = names && may_be_secret(member.value);
    }
    if (other_indent < indent) {
      is_secret = holds_secrets(member.key) || (is_item && !is_parent && may_be_secret(member.key));
      is_parent = true;
      indent = other_indent;
    }
    return !is_secret;
  });
  return is_secret;
}

// True if the line is directly below a key of labels, in block style.
bool is_below_labels(std::string_view above, std::string_view line) {
  bool is_below = false;
  for_each_line_above(above, [&, indent = indent_of(line)](std::string_view other, std::size_t other_indent) {
    is_below = other_indent < indent && holds_labels(member_of(other).key);
    return other_indent >= indent;
  });
  return is_below;
}

}  // namespace

void ScalarReader::skip_structure() {
  while (position_ < line_.size()) {
    const char c = line_[position_];
    if (c == '{' || c == '[') {
      open_.push_back(key_);
      key_ = {};
    } else if (c == '}' || c == ']') {
      if (!open_.empty()) {
        open_.pop_back();
      }
      key_ = {};
      had_block_key_ = false;
    } else if (c == ',') {
      key_ = {};
      had_block_key_ = false;
    } else if (!is_space(c) && !((c == '-' || c == '?') && open_.empty() && is_space(at(position_ + 1)))) {
      return;
    }
    ++position_;
  }
}

bool ScalarReader::is_in_secret() const {
  const bool inside =
      std::any_of(open_.begin(), open_.end(), [&](Stretch key) { return holds_secrets(text_at(line_, key)); });
  return inside || (!open_.empty() && key_.begin == key_.end && may_be_secret(text_at(line_, open_.back())));
}

bool ScalarReader::ends_key(std::size_t colon, bool is_quoted) const {
  if (at(colon) != ':' || (open_.empty() && had_block_key_)) {
    return false;
  }
  const char behind = at(colon + 1);
  return is_quoted || behind == '\0' || is_space(behind) || (!open_.empty() && is_flow(behind));
}

void ScalarReader::finish(Scalar& scalar, bool is_quoted) {
  std::size_t colon = position_;
  while (is_space(at(colon))) {
    ++colon;
  }
  scalar.is_key = ends_key(colon, is_quoted);
  scalar.key = key_;
  scalar.in_secret = is_in_secret();
  scalar.in_labels = !open_.empty() && holds_labels(text_at(line_, open_.back()));
  if (scalar.is_key) {
    had_block_key_ = had_block_key_ || open_.empty();
    key_ = scalar.at;
    position_ = colon + 1;
  }
}

ScalarReader::Scalar ScalarReader::quoted() {
  const char quote = line_[position_];
  const std::size_t begin = position_ + 1;
  std::size_t end = begin;
  while (end < line_.size() && line_[end] != quote) {
    end += quote == '"' && line_[end] == '\\' ? 2 : 1;
  }
  end = std::min(end, line_.size());
  position_ = std::min(end + 1, line_.size());
  Scalar scalar{.at = {begin, end}, .whole = {begin - 1, position_}};
  finish(scalar, true);
  return scalar;
}

// True if this character ends a plain scalar. Within brackets that this line opened, each of `,[]{}` does. Outside of
// them the brackets may belong to a line above, or to the text itself: `clients[shop].rate=1,2`.
bool ScalarReader::ends_flow(std::size_t position, int& brackets) const {
  const char c = at(position);
  if (!open_.empty() || !is_flow(c)) {
    return is_flow(c);
  }
  if (c == '[' || c == '{') {
    ++brackets;
    return position > 0 && is_space(at(position - 1));
  }
  if (c != ',' && brackets > 0) {
    --brackets;
    return false;
  }
  const char behind = at(position + 1);
  return behind == '\0' || is_space(behind) || (c != ',' && is_flow(behind));
}

ScalarReader::Scalar ScalarReader::plain() {
  const std::size_t begin = position_;
  std::size_t end = begin;
  const bool is_comment = at(begin) == '#';
  int brackets = 0;
  while (end < line_.size()) {
    const char c = line_[end];
    const bool ends_here =
        ends_flow(end, brackets) || ends_key(end, false) || (c == '#' && end > begin && is_space(line_[end - 1]));
    if (ends_here && !is_comment) {
      break;
    }
    ++end;
  }
  position_ = std::max(end, begin + 1);  // `: x` begins with no scalar
  while (end > begin && is_space(line_[end - 1])) {
    --end;
  }
  Scalar scalar{.at = {begin, end}, .whole = {begin, end}};
  const std::string_view text = text_at(line_, scalar.at);
  scalar.is_structure =
      text == "---" || text == "..." || (text.size() <= 3 && (text.starts_with('|') || text.starts_with('>')));
  if (is_comment) {
    scalar.at.begin = std::min(begin + 1, end);
  } else {
    finish(scalar, false);
  }
  return scalar;
}

std::optional<ScalarReader::Scalar> ScalarReader::next() {
  skip_structure();
  if (position_ >= line_.size()) {
    return std::nullopt;
  }
  const char c = line_[position_];
  return c == '"' || c == '\'' ? quoted() : plain();
}

std::string QuotedLine::part(std::size_t from, const About& about, std::size_t longest) {
  if (from < read_to_ || !ahead_) {
    reader_ = ScalarReader(line_);
    ahead_ = reader_.next();
  }
  read_to_ = from;
  while (ahead_ && ahead_->at.end <= from) {
    ahead_ = reader_.next();
  }
  const std::string_view shown = line_.substr(from, longest);
  const std::size_t before = std::min(from, most_before);
  std::vector<bool> hidden = secret_bytes(line_.substr(from - before, before + longest));
  hidden.erase(hidden.begin(), hidden.begin() + static_cast<std::ptrdiff_t>(before));
  const auto hide = [&](Stretch at) {
    for (std::size_t byte = std::max(at.begin, from); byte < std::min(at.end, from + shown.size()); ++byte) {
      hidden[byte - from] = true;
    }
  };
  const auto is_about = [&](Stretch at) { return about.at.begin < at.end && at.begin < about.at.end; };
  std::optional<bool> below_labels;
  const auto in_labels = [&](const ScalarReader::Scalar& scalar) {
    if (!scalar.in_labels && !below_labels) {
      below_labels = is_below_labels(above_, line_);
    }
    return scalar.in_labels || *below_labels;
  };
  ScalarReader reader = reader_;
  for (auto scalar = ahead_; scalar && scalar->at.begin < from + shown.size(); scalar = reader.next()) {
    const std::string_view text = text_at(line_, scalar->at);
    if (scalar->is_key || scalar->is_structure) {
      continue;
    }
    const bool has_key = scalar->key.begin < scalar->key.end;
    const bool is_meant = is_about(scalar->whole) || (about.with_value && has_key && is_about(scalar->key));
    const std::string_view key = text_at(line_, scalar->key);
    const bool is_secret = scalar->in_secret || (has_key && may_be_secret(key));
    if (is_meant ? is_secret || is_secret_by_lines_above(above_, line_)
                 : is_secret || !(is_harmless(text) || is_name_of_a_thing(key, text, has_key && in_labels(*scalar)))) {
      hide(scalar->at);
    }
  }
  return starred(shown, hidden);
}

}  // namespace spillway::documents
