#include "reports/expectations/judge.hpp"

#include <fmt/format.h>
#include <utility>

#include "sim/study/verdict.hpp"

namespace spillway::reports {

void FitTests::add(std::size_t verdict, std::vector<Category> categories, Failure failure) {
  tests_.push_back({verdict, std::move(categories), std::move(failure)});
}

void FitTests::judge(Verdicts& verdicts) const {
  constexpr double false_alarm = 1e-6;
  for (const Test& test : tests_) {
    const double chance = statistics::chance_of_counts(test.categories);
    if (chance * static_cast<double>(tests_.size()) >= false_alarm) {
      continue;
    }
    Failure failure = test.failure;
    failure.message += chance == 0.0 ? " (impossible)" : fmt::format(" (chance {:.0e})", chance);
    verdicts[test.verdict].outcome = study::Verdict::missed;
    verdicts[test.verdict].failures.push_back(std::move(failure));
  }
}

}  // namespace spillway::reports
