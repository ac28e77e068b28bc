#include <map>
#include <string>
#include <utility>

#include "sim/diff/changes.hpp"
#include "sim/diff/places.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {
namespace {

std::vector<Lint> all_lints(const Side& side, bool gained) {
  std::vector<Lint> lints;
  for (const Diagnostic& diagnostic : side.reading().diagnostics) {
    lints.push_back(
        {diagnostic.code, place_of(side.tree(), diagnostic.where), diagnostic.message, diagnostic.where, gained});
  }
  return lints;
}

void add_unmatched(const std::vector<Lint>& lints, const std::vector<Lint>& others, std::vector<Lint>& unmatched) {
  std::map<std::pair<std::string, std::string>, std::size_t> left;
  for (const Lint& other : others) {
    ++left[{other.code, other.place}];
  }
  for (const Lint& lint : lints) {
    std::size_t& same = left[{lint.code, lint.place}];
    if (same > 0) {
      --same;
    } else {
      unmatched.push_back(lint);
    }
  }
}

}  // namespace

std::vector<Lint> lints_of(const Side& before, const Side& after) {
  const std::vector<Lint> old_lints = all_lints(before, false);
  const std::vector<Lint> new_lints = all_lints(after, true);
  std::vector<Lint> lints;
  add_unmatched(new_lints, old_lints, lints);
  add_unmatched(old_lints, new_lints, lints);
  return lints;
}

}  // namespace spillway::diff
