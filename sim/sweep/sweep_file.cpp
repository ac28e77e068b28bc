#include "sim/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include "models/documents/grammar/suggestion.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::sweep {

std::string sql_text(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) {
    quoted += character == '\'' ? std::string("''") : std::string(1, character);
  }
  return quoted + "'";
}

SweepFile::SweepFile(const std::string& path) : database_(path, Database::Use::read) {
  row_ = checked_sweep(database_, path);
  Statement keys(database_, "SELECT key, name, path FROM keys ORDER BY key");
  while (keys.step()) {
    const std::int64_t key = keys.integer(0);
    const auto sql = [&](const char* column) {
      return fmt::format("(SELECT {} FROM inputs WHERE setting = p.setting AND key = {})", column, key);
    };
    dimensions_.push_back({keys.text(1), sql("value"), sql("number")});
    paths_.push_back(keys.text(2));
  }
  dimensions_.push_back({"side", "(SELECT name FROM sides WHERE side = p.side)", "NULL"});
  paths_.emplace_back("side");
}

void SweepFile::refuse(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  const std::string nearest = grammar::nearest(name, names);
  throw StoreProblem("SP956", fmt::format("`{}` is not a {} of this sweep", name, what),
                     nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                     : fmt::format("did you mean `{}`?", nearest));
}

const Dimension& SweepFile::dimension(const std::string& option, const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t key = 0; key < dimensions_.size(); ++key) {
    if (dimensions_[key].name == name || paths_[key] == name) {
      return dimensions_[key];
    }
    names.push_back(dimensions_[key].name);
  }
  refuse(fmt::format("key ({})", option), name, names);
}

// Compares as a number or as the text in the file.
std::string SweepFile::conditions(const std::vector<std::pair<std::string, std::string>>& where, bool refused_too) {
  std::string sql = refused_too ? "TRUE" : "p.refusal IS NULL";
  for (const auto& [key, value] : where) {
    const Dimension& of = dimension("--where", key);
    const std::string condition = fmt::format("({0} = {2} OR ({1} IS NOT NULL AND CAST({1} AS TEXT) = {2}))", of.value,
                                              of.number, sql_text(value));
    if (!Statement(database_, fmt::format("SELECT 1 FROM points AS p WHERE {} LIMIT 1", condition)).step()) {
      refuse_value(of, value);
    }
    sql += " AND " + condition;
  }
  return sql;
}

void SweepFile::refuse_value(const Dimension& of, const std::string& value) {
  constexpr std::size_t most = 9;
  std::vector<std::string> values;
  Statement select(database_, fmt::format("SELECT DISTINCT {} FROM points AS p ORDER BY {} LIMIT {}", of.value,
                                          of.number, most + 1));
  while (select.step()) {
    values.push_back(select.text(0));
  }
  if (values.size() > most) {
    values.back() = "...";
  }
  throw StoreProblem(
      "SP956", fmt::format("no point of this sweep has {} `{}`", of.name, value),
      values.empty() ? "no point is done yet" : fmt::format("{} is {}", of.name, fmt::join(values, ", ")));
}

}  // namespace spillway::sweep
