#include "reports/diff/table_of_contexts.hpp"

#include <fmt/format.h>
#include <utility>

#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

constexpr std::size_t most_diff_rows = 30;

}  // namespace

TableOfContexts::TableOfContexts(const diff::Difference& difference, std::string subject)
    : difference_(difference), names_(context_names(difference)), sheet_{std::move(subject), {{"when"}}} {}

void TableOfContexts::row(std::size_t context, std::vector<std::string> cells) {
  const diff::Context::Kind kind = difference_.contexts[context].kind;
  const bool moment = kind == diff::Context::Kind::moment;
  std::vector<std::string> alike = cells;
  alike.insert(alike.begin(), moment ? names_[context].text : "");
  alike.insert(alike.begin(), std::to_string(static_cast<int>(kind)));
  const auto [place, is_new] = places_.try_emplace(std::move(alike), rows_.size());
  if (is_new) {
    rows_.push_back({context, std::move(cells), {}, 0});
  } else if (moment) {
    rows_[place->second].times.push_back(names_[context].time);
  } else {
    ++rows_[place->second].more;
  }
}

DiffTable TableOfContexts::finish() {
  DiffTable table{std::move(sheet_)};
  for (Row& row : rows_) {
    const ContextLabel& name = names_[row.context];
    row.times.insert(row.times.begin(), name.time);
    std::string when = name.time.empty() ? name.text : name.text + " from " + joined(row.times, ", ");
    if (row.more > 0) {
      when += fmt::format(", and {} {} more", row.more, row.more == 1 ? "failure" : "failures");
    }
    row.cells.insert(row.cells.begin(), std::move(when));
    table.sheet.rows.push_back(std::move(row.cells));
  }
  if (table.sheet.rows.size() > most_diff_rows) {
    table.more = table.sheet.rows.size() - most_diff_rows;
    table.sheet.rows.resize(most_diff_rows);
  }
  return table;
}

}  // namespace spillway::reports
