#include "models/documents/problem.hpp"

#include <algorithm>
#include <tuple>

#include "models/documents/secrets.hpp"
#include "models/documents/utf8.hpp"
#include "models/numeric/stable_sort.hpp"

namespace spillway {
namespace {

// Substitutes arguments in several texts, one after the other; `{}` continues counting from text to text.
class Substitution {
 public:
  explicit Substitution(MessageArguments arguments) : arguments_(arguments) {}

  // Returns the text without secrets.
  std::string apply(std::string_view format) {
    if (arguments_.size() == 0) {
      return documents::without_secrets(format);
    }
    std::string text;
    std::size_t at = 0;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{', open + 1)) {
      const MessageArgument* const argument = argument_at(format, open);
      if (argument == nullptr) {
        continue;
      }
      const std::size_t close = format.find('}', open);
      const bool in_backticks = open > 0 && format[open - 1] == '`' && format.substr(close + 1).starts_with('`');
      text += format.substr(at, open - at);
      if (in_backticks) {
        text.pop_back();
        text += in_ticks(argument->text());
      } else {
        text += argument->text();
      }
      at = close + (in_backticks ? 2 : 1);
    }
    return documents::without_secrets(text.append(format.substr(at)));
  }

 private:
  // Returns the argument of the placeholder that begins at `open`; null if none does.
  const MessageArgument* argument_at(std::string_view format, std::size_t open) {
    const std::string_view rest = format.substr(open + 1);
    std::size_t position = arguments_.size();
    if (rest.starts_with('}')) {
      position = next_++;
    } else if (rest.size() > 1 && rest[0] >= '0' && rest[0] <= '9' && rest[1] == '}') {
      position = static_cast<std::size_t>(rest[0] - '0');
    }
    return position < arguments_.size() ? arguments_.begin() + position : nullptr;
  }

  MessageArguments arguments_;
  std::size_t next_ = 0;
};

Diagnostic make(Severity severity, std::string_view code, Span where, MessageFormat message, MessageFormat label,
                MessageArguments arguments) {
  Substitution substitution(arguments);
  std::string text = substitution.apply(message.text());
  return {severity, std::string(code), std::move(text), where, substitution.apply(label.text()), {}, {}};
}

}  // namespace

std::string MessageArgument::text() const {
  return is_number_ ? std::to_string(number_) : std::string(text_);
}

Diagnostic& Diagnostic::note(MessageFormat format, MessageArguments arguments) & {
  notes.push_back(Substitution(arguments).apply(format.text()));
  return *this;
}

Diagnostic& Diagnostic::help(MessageFormat format, MessageArguments arguments) & {
  helps.push_back(Substitution(arguments).apply(format.text()));
  return *this;
}

Diagnostic&& Diagnostic::note(MessageFormat format, MessageArguments arguments) && {
  return std::move(note(format, arguments));
}

Diagnostic&& Diagnostic::help(MessageFormat format, MessageArguments arguments) && {
  return std::move(help(format, arguments));
}

Diagnostic& Diagnostics::error(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                               MessageArguments arguments) {
  return emplace_back(make(Severity::error, code, where, message, label, arguments));
}

Diagnostic& Diagnostics::warning(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                                 MessageArguments arguments) {
  return emplace_back(make(Severity::warning, code, where, message, label, arguments));
}

Diagnostic error(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                 MessageArguments arguments) {
  return make(Severity::error, code, where, message, label, arguments);
}

Diagnostic warning(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                   MessageArguments arguments) {
  return make(Severity::warning, code, where, message, label, arguments);
}

std::string in_ticks(std::string_view name) {
  constexpr std::size_t longest = 80;
  std::string text = "`";
  if (documents::count_characters(name) <= longest) {
    text += name;
    return text + "`";
  }
  std::size_t end = 0;
  for (std::size_t i = 0; i < longest; ++i) {
    end += documents::bytes_of_character(name[end]);
  }
  text += name.substr(0, end);
  return text + "...`";
}

std::string place(Span span) {
  return "line " + std::to_string(span.line) + ", column " + std::to_string(span.column);
}

bool has_errors(const Diagnostics& diagnostics) noexcept {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

void sort_by_position(Diagnostics& diagnostics) {
  numeric::stable_sort(diagnostics, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.file, a.where.line, a.where.column) < std::tie(b.where.file, b.where.line, b.where.column);
  });
}

}  // namespace spillway
