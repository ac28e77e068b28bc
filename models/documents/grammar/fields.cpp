#include "models/documents/grammar/fields.hpp"

#include <algorithm>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/grammar/unit_suggestions.hpp"
#include "models/documents/problem.hpp"

namespace spillway::grammar {

std::string lower_camel_case(std::string_view snake_case) {
  std::string camel;
  bool upper = false;
  for (const char c : snake_case) {
    if (c == '_') {
      upper = true;
      continue;
    }
    camel += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return camel;
}

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) {
      text += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    }
    text += in_ticks(names[i]);
  }
  return text;
}

namespace {

// Longer lists of names are cut.
constexpr std::size_t most_listed = 12;

// Returns "`a`, `b` and 24 more".
std::string first_of(std::vector<std::string> names, std::string_view last) {
  if (names.size() <= most_listed) {
    return listed(names, last);
  }
  const std::size_t more = names.size() - 8;
  names.resize(8);
  std::string text;
  for (const std::string& name : names) {
    text += in_ticks(name) + ", ";
  }
  text.resize(text.size() - 2);
  return text + " " + std::string(last) + " " + std::to_string(more) + " more";
}

}  // namespace

std::vector<std::string> Fields::spellings(std::string_view name) const {
  std::vector<std::string> all{std::string(name)};
  if (message_) {
    if (std::string camel = lower_camel_case(name); camel != name) {
      all.push_back(std::move(camel));
    }
  }
  return all;
}

void Fields::add_property(const char* name, Schema schema, const char* documentation) {
  const std::vector<std::string> all = spellings(name);
  for (const std::string& spelling : all) {
    schema.description = spelling == name ? documentation : "the same as " + std::string(name);
    schema_->properties.push_back({spelling, schema});
  }
  if (all.size() > 1) {
    schema_->at_most_one.push_back(all);
  }
}

bool Fields::reading_else_add(const Names& names, std::vector<std::vector<std::string>> Schema::* rule) {
  if (schema_ != nullptr) {
    (schema_->*rule).push_back(all_spellings(names));
  }
  return object_ != nullptr;
}

void Fields::require(const char* name) {
  if (reading_else_add({name}, &Schema::exactly_one) && written(name) == nullptr) {
    problems_->error("SP021", object_->span, "missing key `{0}`", "has no `{0}`", {name});
  }
}

const documents::Member* Fields::written(std::string_view name) const {
  if (const documents::Member* member = object_->find(name)) {
    return member;
  }
  return message_ ? object_->find(lower_camel_case(name)) : nullptr;
}

const documents::Member* Fields::take(std::string_view name) {
  known_.push_back(name.data());
  const documents::Member* member = written(name);
  if (member == nullptr || !message_ || member->key != name) {
    return member;
  }
  const std::string camel = lower_camel_case(name);
  if (const documents::Member* again = camel == name ? nullptr : object_->find(camel)) {
    problems_->error("SP027", again->key_span, "`{}` and `{}` are one key", "written again here", {camel, name})
        .note("first written in {}", {place(member->key_span)});
  }
  return member;
}

std::vector<const documents::Member*> Fields::all_written(const Names& names) const {
  std::vector<const documents::Member*> found;
  for (const char* name : names) {
    if (const documents::Member* member = written(name)) {
      found.push_back(member);
    }
  }
  return found;
}

std::vector<std::string> Fields::all_spellings(const Names& names) const {
  std::vector<std::string> all;
  for (const char* name : names) {
    const auto of_name = spellings(name);
    all.insert(all.end(), of_name.begin(), of_name.end());
  }
  return all;
}

void Fields::exactly_one(const Names& names) {
  if (!reading_else_add(names, &Schema::exactly_one)) {
    return;
  }
  if (all_written(names).empty()) {
    problems_->error("SP021", object_->span, "missing key: {}", "one of them is required",
                     {listed({names.begin(), names.end()})});
  }
  at_most_one(names);
}

void Fields::at_least_one(const Names& names) {
  if (reading_else_add(names, &Schema::at_least_one) && all_written(names).empty()) {
    problems_->error("SP021", object_->span, "missing key: {}", "at least one of them is required",
                     {first_of({names.begin(), names.end()}, "or")});
  }
}

void Fields::at_most_one(const Names& names) {
  if (!reading_else_add(names, &Schema::at_most_one)) {
    return;
  }
  const auto found = all_written(names);
  for (std::size_t i = 1; i < found.size(); ++i) {
    problems_
        ->error("SP027", found[i]->key_span, "`{}` and `{}` are mutually exclusive", "only one of them is allowed",
                {found[0]->key, found[i]->key})
        .note("`{}` is in {}", {found[0]->key, place(found[0]->key_span)});
  }
}

void Fields::needs(const char* name, const char* other) {
  if (schema_ != nullptr) {
    schema_->dependencies.emplace_back(name, other);
  }
  const documents::Member* const member = object_ == nullptr ? nullptr : written(name);
  if (member != nullptr && written(other) == nullptr) {
    problems_->error("SP027", member->key_span, "`{0}` without `{1}`", "needs `{1}`", {name, other});
  }
}

void Fields::without_influence(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (schema_ != nullptr) {
      add_property(name, Schema{}, "accepted; has no influence on where requests go");
    } else if (object_ != nullptr) {
      static_cast<void>(take(name));
    }
  }
}

void Fields::not_simulated(const char* name, const char* word) {
  not_simulated_.emplace_back(name, word);
}

void Fields::formerly(const char* old, const char* today) {
  formerly_.emplace_back(old, today);
}

// Reports a key that the description does not have, with a suggestion.
void Fields::report_left_over(const documents::Member& member, const std::vector<std::string>& known) {
  const auto is_key = [&](const auto& entry) {
    return member.key == entry.first || (message_ && member.key == lower_camel_case(entry.first));
  };
  if (const auto refused = std::find_if(not_simulated_.begin(), not_simulated_.end(), is_key);
      refused != not_simulated_.end()) {
    problems_->error("SP301", member.key_span, "`{}` is not supported yet", "{}", {member.key, refused->second})
        .note("keys without an effect are refused, so that nothing is ignored silently");
    return;
  }
  if (const auto old = std::find_if(formerly_.begin(), formerly_.end(), is_key); old != formerly_.end()) {
    problems_
        ->error("SP028", member.key_span, "`{}` is a key of an older Envoy", "today: `{}`", {member.key, old->second})
        .help("did you mean `{}`?", {old->second});
    return;
  }
  if (object_->reported) {
    problems_->warning("SP232", member.key_span, "an unknown field", "`{}` is left out", {member.key})
        .note("another version of Envoy knows it; its effect is not simulated");
    return;
  }
  Diagnostic problem = error("SP020", member.key_span, "unknown key `{}`", "no such key here", {member.key});
  if (problems_->size() >= most_with_suggestions) {
    problems_->push_back(std::move(problem));
    return;
  }
  std::vector<std::string> candidates = known;
  for (const auto& entry : not_simulated_) {
    candidates.emplace_back(entry.first);
  }
  std::string meant = meant_key(member.key, candidates);
  if (meant.empty()) {
    meant = nearest(member.key, candidates);
  }
  if (!meant.empty() && written(meant) == nullptr) {
    problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
  } else if (std::string where = right_place(member.key, known); !where.empty()) {
    problem.helps.push_back(std::move(where));
  } else {
    problem.notes.push_back("the keys are " + first_of({known_.begin(), known_.end()}, "and"));
    if (known_.size() > most_listed && !message_) {
      problem.help("`spillway docs scenario-keys` has them all");
    }
  }
  problems_->push_back(std::move(problem));
}

void Fields::finish() {
  if (object_ == nullptr) {
    return;
  }
  std::vector<std::string> known;
  for (const char* name : known_) {
    for (std::string& spelling : spellings(name)) {
      known.push_back(std::move(spelling));
    }
  }
  for (const documents::Member& member : object_->members) {
    if (std::find(known.begin(), known.end(), member.key) == known.end()) {
      report_left_over(member, known);
    }
  }
}

}  // namespace spillway::grammar
