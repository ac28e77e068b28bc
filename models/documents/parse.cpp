#include "models/documents/parse.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "models/documents/front_ends.hpp"
#include "models/documents/overlay.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::documents {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// An open file or standard input. Closes only what it opened itself.
class Input {
 public:
  // Opens a file. If it must be regular, does not block: opening a pipe would wait for its writer.
  Input(const std::string& path, Reads reads)
      : owned_(path != "-"),
        descriptor_(owned_
                        ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (reads == Reads::regular_files ? O_NONBLOCK : 0))
                        : STDIN_FILENO) {}
  ~Input() {
    if (owned_ && descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  bool owned_;
  int descriptor_;
};

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (name.ends_with(ending)) {
      return true;
    }
  }
  return false;
}

std::optional<std::size_t> find_control_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') {
      return at;
    }
  }
  return std::nullopt;
}

bool refuse_bad_characters(std::string_view text, const LineIndex& lines, Diagnostics& problems) {
  if (const auto at = find_invalid_utf8(text)) {
    problems.error("SP004", lines.span(*at, *at + 1), "not UTF-8", "no character starts with this byte");
    return true;
  }
  if (const auto at = find_control_character(text)) {
    problems.error("SP005", lines.span(*at, *at + 1), "a control character", "only tabs and line ends are allowed");
    return true;
  }
  return false;
}

std::optional<Node> parse_text(Sources& sources, std::uint32_t file, bool several, Diagnostics& problems) {
  SourceFile& source = sources[file];
  if (source.text.starts_with(byte_order_mark)) {
    source.text.erase(0, byte_order_mark.size());
  }
  const LineIndex lines(file, source.text);
  if (refuse_bad_characters(source.text, lines, problems)) {
    return std::nullopt;
  }
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    problems.error("SP003", lines.span(0, 1), "nothing in the file", "no value in here");
    return std::nullopt;
  }
  if (syntax_of(source) == Syntax::yaml) {
    return several ? parse_yaml_documents(source.text, lines, problems) : parse_yaml(source.text, lines, problems);
  }
  auto root = parse_json(source.text, lines, problems);
  if (root && several) {
    Node list;
    list.kind = Kind::array;
    list.span = root->span;
    list.items.push_back(*std::move(root));
    return list;
  }
  return root;
}

// True for `[user@host dir]# kubectl get pods`.
bool is_bracketed_prompt(std::string_view line) {
  const std::size_t end = std::min(line.find("]# "), line.find("]$ "));
  return line.starts_with('[') && end != std::string_view::npos && line.find('@') < end;
}

// True for `$ kubectl get pods`, or for such a command after any other prompt if JSON follows.
bool is_of_a_shell(std::string_view line, bool before_json) {
  if (line == "$" || line.starts_with("$ ") || is_bracketed_prompt(line)) {
    return true;
  }
  const auto has = [&](std::string_view command) { return line.find(command) != std::string_view::npos; };
  return before_json &&
         (has("curl ") || has("wget ") || has("kubectl ") || has("istioctl ") || has("egctl ") || has("kumactl "));
}

// Blanks lines of a shell. Documents are pasted with the command above and the prompt below them. Blanks keep all other
// lines in place; no document has a line that begins so.
void blank_lines_of_a_shell(std::string& text) {
  constexpr const char* blank = " \t\r\n";
  const auto fill = [&](std::size_t begin, std::size_t end) { text.replace(begin, end - begin, end - begin, ' '); };
  std::size_t begin = text.find_first_not_of(blank);
  while (begin != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const std::size_t next = text.find_first_not_of(blank, end);
    const bool before_json = next != std::string::npos && (text[next] == '{' || text[next] == '[');
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool is_json = line.front() == '{' || (line.front() == '[' && !is_bracketed_prompt(line));
    if (is_json || !is_of_a_shell(line, before_json)) {
      break;
    }
    fill(begin, end);
    begin = next;
  }
  const std::size_t last = text.find_last_not_of(blank);
  if (last != std::string::npos) {
    const std::size_t first = text.find_last_of("\r\n", last) + 1;
    if (is_of_a_shell(std::string_view(text).substr(first, last + 1 - first), false)) {
      fill(first, last + 1);
    }
  }
}

}  // namespace

std::optional<SourceFile> load_source(const std::string& path, std::uint32_t file, Diagnostics& problems, Reads reads) {
  SourceFile source{path == "-" ? "<stdin>" : path, {}};
  if (const std::string* const text = laid_over(path)) {
    source.text = *text;
    return source;
  }
  const Span nowhere{file, 1, 1, 1};
  const auto refuse_because = [&](const std::string& reason) {
    problems.error("SP001", nowhere, "cannot read `{}`", "{}", {source.name, reason});
    return std::nullopt;
  };
  const auto refuse = [&](int reason) {
    return refuse_because(std::error_code(reason, std::generic_category()).message());
  };
  const Input input(path, reads);
  if (input.descriptor() < 0) {
    return refuse(errno);
  }
  struct stat status{};
  const bool may_end = reads == Reads::anything || fstat(input.descriptor(), &status) != 0 || S_ISREG(status.st_mode) ||
                       S_ISDIR(status.st_mode);
  if (!may_end) {
    return refuse_because("a pipe or a device, which may never end; must be a regular file");
  }
  std::array<char, std::size_t{1} << 16U> block{};
  for (;;) {
    const ssize_t got = ::read(input.descriptor(), block.data(), block.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return refuse(errno);
    }
    if (got == 0) {
      blank_lines_of_a_shell(source.text);
      return source;
    }
    source.text.append(block.data(), static_cast<std::size_t>(got));
    if (source.text.size() > max_bytes) {
      problems.error("SP002", nowhere, "`{}` is too large", "longer than 64 MiB", {source.name});
      return std::nullopt;
    }
  }
}

Syntax syntax_of(const SourceFile& source) {
  if (ends_with_any(source.name, {".json", ".jsonc"})) {
    return Syntax::json;
  }
  if (ends_with_any(source.name, {".yaml", ".yml"})) {
    return Syntax::yaml;
  }
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && std::string_view("{[/").find(source.text[first]) != std::string_view::npos
             ? Syntax::json
             : Syntax::yaml;
}

std::optional<Node> parse(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  auto root = parse_text(sources, file, false, problems);
  if (root && root->kind == Kind::null) {
    problems.error("SP003", root->span, "nothing in the file", "no value in here");
    return std::nullopt;
  }
  return root;
}

std::optional<Node> parse_documents(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  return parse_text(sources, file, true, problems);
}

}  // namespace spillway::documents
