#include "sim/scenario/binding/names.hpp"

#include <algorithm>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"

namespace spillway::scenario::binding {
namespace {

// Limit of the suggestions per kind, and of the names searched for them. It bounds the time for a huge file full of
// mistakes.
constexpr int most_suggestions = 50;
constexpr std::size_t most_candidates = 5'000;
constexpr std::size_t most_listed = 12;

bool is_printable(std::string_view name) {
  return std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

bool Names::add(const std::string& name, Span where, Diagnostics& problems) {
  if (!first_) {
    first_ = where;
  }
  if (!is_printable(name)) {
    problems.error("SP102", where, "a {} with a control character in its name", "names are printed as they are",
                   {kind_});
  }
  const auto [known, fresh] = known_.emplace(name, Known{count(), where});
  // An empty name could not be read, which is already reported.
  if (!fresh && !name.empty()) {
    problems.error("SP101", where, "duplicate {} `{}`", "this name is taken", {kind_, name})
        .note("the first one is in {}", {place(known->second.where)});
  }
  all_.push_back(name);
  return fresh;
}

void Names::add_alias(const std::string& alias, std::uint32_t position) {
  if (!known_.contains(alias)) {
    aliases_[alias].push_back(position);
  }
}

std::optional<std::uint32_t> Names::find(const std::string& name) const {
  if (const auto known = known_.find(name); known != known_.end()) {
    return known->second.position;
  }
  const auto alias = aliases_.find(name);
  return alias == aliases_.end() || alias->second.size() > 1 ? std::nullopt : std::optional(alias->second.front());
}

bool Names::is_ambiguous(const std::string& name) const {
  const auto alias = aliases_.find(name);
  return alias != aliases_.end() && alias->second.size() > 1;
}

std::string Names::name_of(const grammar::Field<std::string>& reference) const {
  const auto position = reference ? find(*reference) : std::nullopt;
  return position ? all_[*position] : reference.value_or("");
}

Diagnostic Names::ambiguous(const std::string& alias, Span where) const {
  std::vector<std::string> ways;
  for (const std::uint32_t position : aliases_.at(alias)) {
    ways.push_back(all_[position]);
  }
  const std::string kind(kind_);
  return error("SP170", where, "ambiguous {0} `{1}`", "{2} {0}s have this name", {kind, alias, ways.size()})
      .help("write {}", {grammar::listed(ways)});
}

std::optional<std::uint32_t> Names::resolve(const grammar::Field<std::string>& reference, Diagnostics& problems) const {
  if (!reference) {
    return std::nullopt;
  }
  const auto position = find(*reference);
  if (position || incomplete_) {
    return position;
  }
  if (aliases_.contains(*reference)) {
    problems.push_back(ambiguous(*reference, reference.where));
    return std::nullopt;
  }
  Diagnostic& problem =
      problems.error(unknown_code_, reference.where, "unknown {0} `{1}`", "no {0} of this name", {kind_, *reference});
  if (!all_.empty()) {
    problem.notes.push_back(note());
  }
  if (all_.size() <= most_candidates && suggested_ < most_suggestions) {
    ++suggested_;
    grammar::suggest(problem, *reference, all_);
  }
  return std::nullopt;
}

std::string_view Names::longest_at_start(std::string_view text) const {
  for (std::size_t end = text.size(); end > 0 && end != std::string_view::npos;) {
    const std::string name(text.substr(0, end));
    if (known_.contains(name) || aliases_.contains(name)) {
      return text.substr(0, end);
    }
    end = text.rfind(' ', end - 1);
  }
  return {};
}

std::string Names::note() const {
  std::string text =
      all_.size() == 1 ? "the only " + std::string(kind_) + " is " : "the " + std::string(kind_) + "s are ";
  for (std::size_t i = 0; i < std::min(all_.size(), most_listed); ++i) {
    text += (i > 0 ? ", " : "") + all_[i];
  }
  if (all_.size() > most_listed) {
    text += ", and " + std::to_string(all_.size() - most_listed) + " more";
  }
  return first_ ? text + " (line " + std::to_string(first_->line) + ")" : text;
}

}  // namespace spillway::scenario::binding
