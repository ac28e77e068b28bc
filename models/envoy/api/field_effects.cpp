#include "models/envoy/api/field_effects.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/check_document.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::api {
namespace {

std::string_view next_word(std::string_view& text, char end) {
  const std::string_view word = text.substr(0, text.find(end));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

Effect effect_in(std::string_view word) {
  constexpr std::array words = {
      std::pair{"simulated", Effect::simulated}, std::pair{"none", Effect::none},
      std::pair{"answers", Effect::answers},     std::pair{"changes", Effect::changes},
      std::pair{"both", Effect::both},           std::pair{"unsupported", Effect::unsupported}};
  const auto* const found =
      std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.first == word; });
  return found == words.end() ? Effect::both : found->second;
}

std::uint8_t parts_in(std::string_view names) {
  constexpr std::array words = {std::pair{"headers", part::headers},   std::pair{"source", part::source},
                                std::pair{"metadata", part::metadata}, std::pair{"filter_state", part::filter_state},
                                std::pair{"route", part::route},       std::pair{"after_filters", part::after_filters},
                                std::pair{"anything", part::anything}};
  std::uint8_t parts = part::nothing;
  while (!names.empty()) {
    const std::string_view name = next_word(names, ',');
    for (const auto& [word, bits] : words) {
      parts = static_cast<std::uint8_t>(parts | (word == name ? bits : 0));
    }
  }
  return parts;
}

FieldEffect effect_in_line(std::string_view line) {
  FieldEffect effect;
  effect.effect = effect_in(next_word(line, ' '));
  effect.parts = part::nothing;
  effect.name = next_word(line, ' ');
  if (effect.effect == Effect::unsupported) {
    effect.written = line;
    return effect;
  }
  while (!line.empty()) {
    std::string_view value = next_word(line, ' ');
    const std::string_view name = next_word(value, '=');
    if (name == "parts") {
      effect.parts = parts_in(value);
    } else if (name == "writes") {
      effect.written = value;
    } else if (name == "needs") {
      effect.needs = value;
    }
  }
  return effect;
}

// A line of a message with its name and words as C strings, which descriptions need.
struct IdleField {
  std::string name;
  std::string words;
  const ApiField* field = nullptr;
};

// The lines of the data file. Its own tables stay as they are once it is complete, so that threads may share it.
class Index {
 public:
  Index() {
    for (const auto& [message, lines] : effect_blocks()) {
      add(message, lines);
    }
  }

  [[nodiscard]] const std::vector<FieldEffect>& effects(std::string_view message) const {
    static const std::vector<FieldEffect> none;
    const auto found = effects_.find(message);
    return found == effects_.end() ? none : found->second;
  }
  [[nodiscard]] const std::vector<IdleField>& idle(std::string_view message) const {
    return idle_.find(message)->second;
  }

 private:
  void add(std::string_view message, std::string_view lines) {
    std::vector<FieldEffect>& effects = effects_[message];
    std::vector<IdleField>& idle = idle_[message];
    const ApiMessage* const type = tables_.message(message);
    while (!lines.empty()) {
      const FieldEffect effect = effect_in_line(next_word(lines, '\n'));
      const bool is_idle = effect.effect == Effect::none || effect.effect == Effect::unsupported;
      effects.push_back(effect);
      if (const ApiField* const field = type == nullptr || !is_idle ? nullptr : type->field(effect.name)) {
        idle.push_back({std::string(effect.name),
                        effect.effect == Effect::unsupported ? std::string(effect.written) : std::string(), field});
      }
    }
  }

  Tables tables_;
  std::map<std::string_view, std::vector<FieldEffect>> effects_;
  std::map<std::string_view, std::vector<IdleField>> idle_;
};

const Index& index() {
  static const Index all;
  return all;
}

bool is_named(const FieldEffect& effect, std::string_view name) {
  return effect.name == name ||
         (effect.name.ends_with('*') && name.starts_with(effect.name.substr(0, effect.name.size() - 1)));
}

}  // namespace

const std::vector<FieldEffect>& effects_of(std::string_view message) {
  return index().effects(message);
}

FieldEffect effect_of(std::string_view message, std::string_view name) {
  const std::vector<FieldEffect>& effects = effects_of(message);
  const auto found =
      std::find_if(effects.begin(), effects.end(), [&](const FieldEffect& effect) { return is_named(effect, name); });
  FieldEffect effect = found == effects.end() ? FieldEffect{} : *found;
  effect.name = name;
  return effect;
}

void describe_idle_fields(grammar::Fields& fields, std::string_view message) {
  for (const IdleField& idle : index().idle(message)) {
    if (idle.words.empty()) {
      fields.idle(idle.name.c_str(), TableField{idle.field});
    } else {
      fields.not_simulated(idle.name.c_str(), idle.words.c_str());
    }
  }
}

bool TableField::read(const documents::Node& node, Value& into, std::string_view /*what*/,
                      Diagnostics& problems) const {
  const std::size_t before = problems.size();
  check_field(node, *field, problems);
  for (std::size_t i = before; i < problems.size(); ++i) {
    problems[i].note("Envoy checks this field, which has no influence here");
  }
  into = true;
  return problems.size() == before;
}

grammar::Schema TableField::schema(grammar::Definitions& definitions) const {
  return messages::Unread{}.schema(definitions);
}

TableField table_field(std::string_view message, std::string_view field) {
  static thread_local Tables tables;
  return {tables.message(message)->field(field)};
}

}  // namespace spillway::api
