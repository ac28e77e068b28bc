#include "models/documents/problem.hpp"

#include <algorithm>
#include <tuple>

#include "models/documents/secrets.hpp"
#include "models/documents/utf8.hpp"
#include "models/numeric/stable_sort.hpp"

namespace spillway {
namespace {

Diagnostic make(Severity severity, std::string code, const std::string& message, Span where, const std::string& label) {
  return {severity, std::move(code), documents::without_secrets(message), where, documents::without_secrets(label), {}, {}};
}

}  // namespace

Diagnostic error(std::string code, const std::string& message, Span where, const std::string& label) {
  return make(Severity::error, std::move(code), message, where, label);
}

Diagnostic warning(std::string code, const std::string& message, Span where, const std::string& label) {
  return make(Severity::warning, std::move(code), message, where, label);
}

Diagnostic with_note(Diagnostic diagnostic, const std::string& note) {
  diagnostic.notes.push_back(documents::without_secrets(note));
  return diagnostic;
}

Diagnostic with_help(Diagnostic diagnostic, const std::string& help) {
  diagnostic.helps.push_back(documents::without_secrets(help));
  return diagnostic;
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
