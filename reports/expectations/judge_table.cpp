#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "reports/expectations/judge.hpp"
#include "reports/shares/measure.hpp"
#include "reports/shares/table_rows.hpp"
#include "reports/text/figures.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

using scenario::Cell;
using scenario::Column;
using scenario::ExpectedTable;
using scenario::Figure;
using scenario::Quantity;

// Counts requests by the set of columns that they belong to. If one zone proxy's requests belong to several sets, these
// sets are merged.
class CountsByColumns {
 public:
  using Columns = std::vector<bool>;

  Category& of(const Columns& columns) { return counts_[columns]; }

  void keep_together(const std::string& zone_proxy, const Columns& columns) {
    const Columns first = root(of_proxy_.try_emplace(zone_proxy, columns).first->second);
    if (const Columns own = root(columns); own != first) {
      joined_[own] = first;
    }
  }

  [[nodiscard]] std::vector<Category> categories() const {
    std::map<Columns, Category> sums;
    for (const auto& [columns, count] : counts_) {
      Category& sum = sums[root(columns)];
      sum.count += count.count;
      sum.share += count.share;
    }
    std::vector<Category> result;
    for (const auto& [columns, sum] : sums) {
      result.push_back(sum);
    }
    return result;
  }

 private:
  [[nodiscard]] Columns root(Columns columns) const {
    for (auto found = joined_.find(columns); found != joined_.end(); found = joined_.find(columns)) {
      columns = found->second;
    }
    return columns;
  }

  std::map<Columns, Category> counts_;
  std::map<std::string, Columns> of_proxy_;  // by name of a zone proxy: some columns of its requests
  std::map<Columns, Columns> joined_;        // maps a set to another set that it is merged with
};

// Judges the rows of one table against the epochs of its client and service.
class TableJudge {
 public:
  TableJudge(const ExpectedTable& table, Court& court)
      : table_(table),
        court_(court),
        rows_(row_epochs(table, court.scenario, court.results)),
        title_(fmt::format("table \"{}\"", printable(table.title))) {}

  void judge() {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      judge_row(row);
    }
    for (std::size_t row = table_.rows.size(); row < rows_.size(); ++row) {
      add_missing_row(row);
    }
  }

 private:
  void judge_row(std::size_t row) {
    const auto& cells = table_.rows[row];
    row_ = row_title(row, row < rows_.size() ? &rows_[row] : nullptr);
    Verdict verdict;
    verdict.title = title_ + " " + row_;
    verdict.where = cells.empty() ? table_.where : cells.front().where;
    court_.verdicts.push_back(verdict);
    if (row >= rows_.size()) {
      add_failure(verdict.where, {},
                  fmt::format("{}: the run has only {} for it", verdict.title, counted_epochs(rows_.size())));
      return;
    }
    for (std::size_t column = 0; column < std::min(cells.size(), table_.columns.size()); ++column) {
      judge_cell(cells[column], table_.columns[column], *rows_[row].epoch);
    }
    judge_sum(cells, *rows_[row].epoch);
    test_counts(cells, *rows_[row].epoch);
  }

  // Checks sums. A documented figure with an `exact` beside it cannot be computed, but if the columns are parts of a
  // whole, their sum can. Rounded half up (0 % and 100 % are not rounded), they must add up to the whole or to nothing.
  // It is also enough if only the documented figures with an `exact` add up to the whole.
  void judge_sum(const std::vector<Cell>& cells, const run::Epoch& epoch) {
    constexpr double noise = 1e-9;
    constexpr double whole = 100.0;
    double documented = 0.0;
    double beside_exact = 0.0;
    double exact = 0.0;
    double rounding = 0.0;
    for (std::size_t column = 0; column < std::min(cells.size(), table_.columns.size()); ++column) {
      const Figure& figure = cells[column].documented;
      if (table_.columns[column].quantity != Quantity::share || cells[column].expects_nothing()) {
        continue;
      }
      const Measured measured = measure(court_.scenario, court_.results, epoch, table_.columns[column]);
      if (!measured.exact) {
        return;
      }
      documented += figure.number;
      beside_exact += cells[column].exact ? figure.number : 0.0;
      rounding += figure.number > 0.0 && figure.number < whole ? 0.5 * std::pow(10.0, -figure.decimals) : 0.0;
      exact += *measured.exact;
    }
    const auto is_about = [&](double sum, double wanted) {
      const double off = sum - wanted;  // halves are rounded up
      return std::abs(off) < noise || (off > noise - rounding && off < rounding + noise);
    };
    const bool differs =
        std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.exact.has_value(); });
    const bool adds_up = is_about(documented, whole) || is_about(documented, 0.0) || is_about(beside_exact, whole);
    const bool are_all = std::abs(exact - whole) < 1e-6;
    if (differs && !adds_up && are_all && court_.verdicts.back().failures.empty()) {
      add_failure(cells.front().where, {},
                  fmt::format("{} {}: the documented figures add up to {:.2f} %, the exact ones to 100 %", title_, row_,
                              documented));
    }
  }

  void add_missing_row(std::size_t row) {
    Verdict verdict;
    verdict.title = title_ + " " + row_title(row, &rows_[row]);
    verdict.where = table_.where;
    court_.verdicts.push_back(verdict);
    add_failure(table_.where, {},
                fmt::format("{}: missing: the table has {} {}, the run {}", verdict.title, table_.rows.size(),
                            table_.rows.size() == 1 ? "row" : "rows", counted_epochs(rows_.size())));
  }

  static std::string counted_epochs(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "epoch" : "epochs");
  }

  void add_failure(const Span& where, Failure failure, std::string message) {
    failure.row = row_;
    failure.where = where;
    failure.message = std::move(message);
    fail(court_.verdicts.back(), std::move(failure));
  }

  [[nodiscard]] std::string cell_title(const Column& column) const {
    return fmt::format("{} {}, column {}", title_, row_, printable(column.title));
  }

  void judge_cell(const Cell& cell, const Column& column, const run::Epoch& epoch) {
    if (cell.expects_nothing()) {
      return;
    }
    const Measured measured = measure(court_.scenario, court_.results, epoch, column);
    const Figure& expected = cell.exact ? *cell.exact : cell.documented;
    Failure failure;
    failure.column = column.title;
    failure.documented = figure_text(cell.documented, column.quantity);
    failure.expected = figure_text(expected, column.quantity);
    if (measured.exact) {
      failure.exact = measured_text(*measured.exact, column.quantity);
    }
    if (measured.simulated) {
      failure.simulated = simulated_percent(*measured.simulated / 100.0);
    }
    const std::string title = cell_title(column);
    if (!measured.exact) {
      judge_without_exact(cell, column, epoch, measured, failure);
    } else if (!prints_as(*measured.exact, expected)) {
      const std::string beside = cell.exact ? fmt::format(" where the document has {}", failure.documented) : "";
      add_failure(cell.where, failure,
                  fmt::format("{}: expected {}{}, exact {}", title, failure.expected, beside, failure.exact));
    } else if (cell.exact && prints_as(*measured.exact, cell.documented)) {
      add_failure(cell.where, failure,
                  fmt::format("{}: stale difference: the documented {} is what exact {} prints as", title,
                              failure.documented, failure.exact));
    }
  }

  void judge_without_exact(const Cell& cell, const Column& column, const run::Epoch& epoch, const Measured& measured,
                           Failure failure) {
    failure.where = cell.where;
    failure.row = row_;
    const std::string title = cell_title(column);
    if (!measured.simulated) {
      leave_open(court_.verdicts.back(),
                 fmt::format("column {}: no closed form gives this figure, and no requests were counted",
                             printable(column.title)));
      return;
    }
    const bool of_attempts = column.quantity == Quantity::attempts;
    const Attempts attempts = attempts_in(court_.results, epoch, column.selector);
    const std::uint64_t part = of_attempts ? attempts.part : counted(court_.results, epoch, column.selector);
    const std::uint64_t all = of_attempts ? attempts.all : sent_in(court_.results, epoch);
    failure.message = fmt::format("{}: expected {}, simulated {} of {} {}", title, failure.documented,
                                  failure.simulated, with_thousands(all), of_attempts ? "attempts" : "requests");
    const double share = *measured.simulated / 100.0;
    court_.fit_tests.add(court_.verdicts.size() - 1,
                         part_and_rest(part, all, nearest_printing_as(share, cell.documented)), std::move(failure));
  }

  // Tests counts. Zone proxies balance connections, not requests: counts behind one of them are not independent, so
  // only their sum is tested. Rows of the epoch are merged by their share columns (columns may overlap). Rows with only
  // a joint exact share are merged too. Rows in no column form one category, together with requests that found no host.
  void test_counts(const std::vector<Cell>& cells, const run::Epoch& epoch) {
    const std::uint64_t sent = sent_in(court_.results, epoch);
    if (sent == 0) {
      return;
    }
    CountsByColumns counts;
    Category rest{sent, 1.0};
    std::map<std::uint32_t, std::uint32_t> joint;  // rows not yet visited
    for_each_share(court_.results, epoch, [&](const run::SharePlace& place, const run::ShareCell& share) {
      std::vector<bool> belongs;
      for (const Column& column : table_.columns) {
        belongs.push_back(column.quantity == Quantity::share && selects(column.selector, place));
      }
      if (!place.via.empty()) {
        counts.keep_together(place.via.substr(0, place.via.find(" > ")), belongs);
      }
      if (share.joint != 0) {
        counts.keep_together(fmt::format("joint share {}", share.joint), belongs);
        joint.try_emplace(share.joint, share.joint_rows).first->second -= 1;
      }
      if (std::find(belongs.begin(), belongs.end(), true) == belongs.end()) {
        return;
      }
      Category& category = counts.of(belongs);
      category.count += share.requests.value_or(0);
      category.share += share.at_rest;
      rest.count -= std::min(rest.count, share.requests.value_or(0));
      rest.share -= share.at_rest;
    });
    if (std::any_of(joint.begin(), joint.end(), [](const auto& of) { return of.second > 0; })) {
      return;  // even the sums are not exact
    }
    counts.of(std::vector<bool>(table_.columns.size(), false)) = {rest.count, std::max(0.0, rest.share)};
    add_fit_test(counts.categories(), cells, epoch);
  }

  void add_fit_test(std::vector<Category> categories, const std::vector<Cell>& cells, const run::Epoch& epoch) {
    const auto [column, measured] = furthest_column(epoch);
    if (column == table_.columns.size()) {
      return;
    }
    Failure failure;
    failure.row = row_;
    failure.column = table_.columns[column].title;
    failure.where = cells.size() > column ? cells[column].where : table_.where;
    failure.exact = exact_percent(*measured.exact / 100.0);
    failure.simulated = simulated_percent(*measured.simulated / 100.0);
    failure.expected = failure.exact;
    failure.message = fmt::format("{}: the counts do not fit the exact shares: exact {}, simulated {} of {} requests",
                                  cell_title(table_.columns[column]), failure.exact, failure.simulated,
                                  with_thousands(sent_in(court_.results, epoch)));
    court_.fit_tests.add(court_.verdicts.size() - 1, std::move(categories), std::move(failure));
  }

  // Returns the share column whose simulated figure is furthest from its exact one.
  [[nodiscard]] std::pair<std::size_t, Measured> furthest_column(const run::Epoch& epoch) const {
    std::pair<std::size_t, Measured> furthest{table_.columns.size(), {}};
    double distance = -1.0;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].quantity != Quantity::share) {
        continue;
      }
      const Measured measured = measure(court_.scenario, court_.results, epoch, table_.columns[i]);
      if (!measured.exact || !measured.simulated) {
        continue;
      }
      const double apart = std::abs(*measured.exact - *measured.simulated);
      if (apart <= distance) {
        continue;
      }
      distance = apart;
      furthest = {i, measured};
    }
    return furthest;
  }

  const ExpectedTable& table_;
  Court& court_;
  std::vector<RowEpoch> rows_;
  std::string title_;
  std::string row_;
};

}  // namespace

void judge_table(const ExpectedTable& table, Court& court) {
  const run::Results results = results_for(table, court.scenario, court.results);
  Court own{court.scenario, results, court.verdicts, court.fit_tests};
  TableJudge(table, own).judge();
}

}  // namespace spillway::reports
