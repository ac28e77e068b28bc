// Diagnostics: located errors and warnings about the input. Values, never exceptions; one pass reports many.
//
//   problems.error("SP104", where, "unknown zone `{}`", "no zone of this name", {name}).help("write it in `zones`");
//
// `{}` is the next argument, `{0}` to `{9}` an argument by its position; message and label share the arguments. In
// backticks, `{}` cuts a long argument as in_ticks() does. Other braces are ordinary characters, and so are all braces
// if there are no arguments. All texts are masked (secrets.hpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway {

enum class Severity : std::uint8_t { error, warning };

// A text known at compile time. Text from a document can therefore never be taken for a format.
class MessageFormat {
 public:
  consteval MessageFormat(const char* text) : text_(text) {}
  consteval MessageFormat(std::string_view text) : text_(text) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
};

// An argument for a placeholder: a text or a whole number. Lifetime: valid until the end of the statement.
class MessageArgument {
 public:
  MessageArgument(std::string_view text) noexcept : text_(text) {}
  MessageArgument(const std::string& text) noexcept : text_(text) {}
  MessageArgument(const char* text) noexcept : text_(text) {}
  MessageArgument(std::uint32_t number) noexcept : number_(number), is_number_(true) {}
  MessageArgument(std::uint64_t number) noexcept : number_(number), is_number_(true) {}
  MessageArgument(std::int32_t number) = delete;  // numbers in messages are counts
  MessageArgument(std::int64_t number) = delete;
  MessageArgument(bool) = delete;
  MessageArgument(char) = delete;
  MessageArgument(double) = delete;

  [[nodiscard]] std::string text() const;

 private:
  std::string_view text_;
  std::uint64_t number_ = 0;
  bool is_number_ = false;
};

using MessageArguments = std::initializer_list<MessageArgument>;

// Codes are stable and listed in docs/diagnostics.md: SP0xx the file and its syntax or structure, SP1xx what it means,
// SP2xx and SP750 to SP789 lints (warnings), SP3xx what this version does not simulate yet, SP4xx what cannot be
// exported, SP6xx Kuma's documents, SP9xx the command line.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     // "SP104"
  std::string message;  // "unknown zone `zone-4`"
  Span where;
  std::string label;               // the words next to the caret: "no zone of this name"
  std::vector<std::string> notes;  // what Envoy or Kuma would do, or which names exist
  std::vector<std::string> helps;  // what to write instead

  Diagnostic& note(MessageFormat format, MessageArguments arguments = {}) &;
  Diagnostic& help(MessageFormat format, MessageArguments arguments = {}) &;
  Diagnostic&& note(MessageFormat format, MessageArguments arguments = {}) &&;
  Diagnostic&& help(MessageFormat format, MessageArguments arguments = {}) &&;
};

struct Diagnostics : std::vector<Diagnostic> {
  using std::vector<Diagnostic>::vector;

  // Adds a diagnostic. Returns it, so that notes and helps can be added.
  Diagnostic& error(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                    MessageArguments arguments = {});
  Diagnostic& warning(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                      MessageArguments arguments = {});
};

}  // namespace spillway
