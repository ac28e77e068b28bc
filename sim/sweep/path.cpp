#include "sim/sweep/path.hpp"

#include <algorithm>

namespace spillway::sweep {
namespace {

// A parser that reads a path from left to right.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  std::variant<Path, PathProblem> read() {
    while (!problem_ && at_ < text_.size()) {
      read_step();
    }
    if (!problem_ && (path_.empty() || path_.back().kind == PathStep::Kind::anywhere_below)) {
      fail("the path ends before a key", "a key is missing here", at_);
    }
    if (problem_) {
      return *problem_;
    }
    return std::move(path_);
  }

 private:
  void fail(std::string message, std::string label, std::size_t begin) {
    problem_ = PathProblem{std::move(message), std::move(label), "for example clients[shop].workload.rate",
                           std::min(begin, text_.empty() ? 0 : text_.size() - 1), 1};
  }

  void read_step() {
    if (text_[at_] == '[') {
      read_brackets();
      return;
    }
    if (text_.substr(at_).starts_with("...")) {
      path_.push_back({PathStep::Kind::anywhere_below, "", "", at_, 3});
      at_ += 3;
    } else if (text_[at_] == '.') {
      if (path_.empty()) {
        fail("a path begins with a key", "no key before the dot", at_);
        return;
      }
      ++at_;
    }
    const std::size_t begin = at_;
    const std::string name = read_name(".[");
    if (name.empty()) {
      fail("a key is missing in the path", "expected a key", begin);
      return;
    }
    path_.push_back({PathStep::Kind::member, name, "", begin, at_ - begin});
  }

  void read_brackets() {
    const std::size_t begin = ++at_;
    std::string name = read_name("]=");
    PathStep step{PathStep::Kind::element, std::move(name), "", begin, 1};
    if (at_ < text_.size() && text_[at_] == '=') {
      ++at_;
      step.kind = PathStep::Kind::elements_where;
      step.value = read_name("]");
    } else if (step.name == "*") {
      step.kind = PathStep::Kind::every_element;
    }
    if (at_ >= text_.size() || step.name.empty()) {
      fail(step.name.empty() ? "the brackets are empty" : "a bracket is not closed",
           step.name.empty() ? "expected a name or a position" : "`]` is missing", begin - 1);
      return;
    }
    step.length = at_ - begin;
    ++at_;
    path_.push_back(std::move(step));
  }

  // Reads a name up to one of `ends`, or in quotes.
  std::string read_name(std::string_view ends) {
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const char quote = text_[at_];
      const std::size_t end = std::min(text_.find(quote, at_ + 1), text_.size());
      std::string name(text_.substr(at_ + 1, end - at_ - 1));
      at_ = std::min(end + 1, text_.size());
      return name;
    }
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Path path_;
  std::optional<PathProblem> problem_;
};

}  // namespace

std::variant<Path, PathProblem> parse_path(std::string_view text) {
  return PathReader(text).read();
}

std::string last_key(const Path& path) {
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    if (step->kind == PathStep::Kind::member || step->kind == PathStep::Kind::element) {
      return step->name;
    }
  }
  return "";
}

}  // namespace spillway::sweep
