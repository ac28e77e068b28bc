#include "sim/plan/fewest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/plan/rows.hpp"

namespace spillway::plan {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// By group.
using Numbers = std::vector<std::uint32_t>;

class Search {
 public:
  Search(const scenario::ScenarioTemplate& base, const Worlds& worlds, const std::vector<Bound>& bounds)
      : groups_(base.groups()), worlds_(&worlds), bounds_(&bounds) {}

  std::optional<Fewest> find() {
    if (groups_.empty()) {
      return std::nullopt;
    }
    std::optional<Numbers> enough = start();
    if (!enough) {
      return std::nullopt;
    }
    Numbers numbers = *std::move(enough);
    bool proved = false;
    while (true) {
      shrink(numbers);
      if (exchange(numbers)) {
        continue;
      }
      const auto smaller = refute(numbers, proved);
      if (!smaller) {
        break;
      }
      numbers = *smaller;
    }
    level(numbers);
    return answer(numbers, proved);
  }

 private:
  static constexpr std::size_t most_growths = 24;
  static constexpr std::uint32_t most_of_a_group = 100'000;
  static constexpr std::size_t most_tries = 4'000;  // of one proof

  // How far requests could grow with these numbers; below 1: not enough.
  double growth(const Numbers& numbers) {
    const auto known = known_.find(numbers);
    if (known != known_.end()) {
      return known->second;
    }
    Counts counts;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      counts[groups_[group].place] = numbers[group];
    }
    double least = -1.0;
    if (const auto world = worlds_->with(counts)) {
      least = unbounded;
      // What ended the last try is likely to end this one.
      std::vector<std::size_t> order(world->failures.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      if (last_end_ < order.size()) {
        std::swap(order[0], order[last_end_]);
      }
      for (const std::size_t failure : order) {
        const scenario::Scenario still = worlds_->still(*world, world->failures[failure]);
        const Row row = row_of(still, Worlds::loads(still), world->failures[failure], *bounds_);
        least = std::min(least, row.tightest ? row.tightest->growth() : unbounded);
        if (!row.holds()) {
          last_end_ = failure;
          least = std::min(least, enough_growth - 1.0);
          break;
        }
      }
    }
    return known_.emplace(numbers, least).first->second;
  }

  // A bound that is met but for rounding holds.
  static constexpr double enough_growth = 1.0 - 1e-9;
  bool enough(const Numbers& numbers) { return growth(numbers) >= enough_growth; }

  std::optional<Numbers> start() {
    Numbers numbers;
    for (const scenario::EndpointGroup& group : groups_) {
      numbers.push_back(group.count);
    }
    for (std::size_t step = 0; step < most_growths; ++step) {
      if (enough(numbers)) {
        return numbers;
      }
      for (std::uint32_t& number : numbers) {
        number = std::min(most_of_a_group, number + (number + 1) / 2);
      }
      if (std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}) > most_of_a_group) {
        break;
      }
    }
    return std::nullopt;
  }

  // As long as some group can do with fewer while the others stay.
  void shrink(Numbers& numbers) {
    bool shrunk = true;
    while (shrunk) {
      shrunk = false;
      for (std::size_t group = 0; group < numbers.size(); ++group) {
        for (std::uint32_t step = numbers[group] / 2; step >= 1; step /= 2) {
          while (numbers[group] > step && try_moved(numbers, group, step)) {
            shrunk = true;
          }
        }
      }
    }
  }

  bool try_moved(Numbers& numbers, std::size_t group, std::uint32_t fewer) {
    Numbers changed = numbers;
    changed[group] -= fewer;
    if (!enough(changed)) {
      return false;
    }
    numbers = std::move(changed);
    return true;
  }

  // One more here for two fewer elsewhere.
  bool exchange(Numbers& numbers) {
    const std::size_t count = numbers.size();
    for (std::size_t more = 0; more < count && count <= 24; ++more) {
      for (std::size_t first = 0; first < count; ++first) {
        for (std::size_t second = first; second < count; ++second) {
          if (first == more || second == more) {
            continue;
          }
          Numbers changed = numbers;
          ++changed[more];
          if (changed[first] < 2 || changed[second] < (first == second ? 3U : 2U)) {
            continue;
          }
          --changed[first];
          --changed[second];
          if (enough(changed)) {
            numbers = std::move(changed);
            return true;
          }
        }
      }
    }
    return false;
  }

  // The same total with more left at the busiest.
  void level(Numbers& numbers) {
    bool better = true;
    while (better) {
      better = false;
      for (std::size_t from = 0; from < numbers.size(); ++from) {
        for (std::size_t to = 0; to < numbers.size(); ++to) {
          Numbers changed = numbers;
          if (from == to || changed[from] < 2) {
            continue;
          }
          --changed[from];
          ++changed[to];
          if (growth(changed) > growth(numbers) * (1.0 + 1e-9)) {
            numbers = std::move(changed);
            better = true;
          }
        }
      }
    }
  }

  // The least of each group that is enough while all others are plenty.
  Numbers needs(const Numbers& numbers) {
    Numbers plenty = numbers;
    for (std::uint32_t& number : plenty) {
      number = number * 4 + 16;
    }
    Numbers least;
    for (std::size_t group = 0; group < numbers.size(); ++group) {
      std::uint32_t low = 0;  // not enough
      std::uint32_t high = numbers[group];
      while (high - low > 1) {
        Numbers changed = plenty;
        changed[group] = low + (high - low) / 2;
        (enough(changed) ? high : low) = changed[group];
      }
      least.push_back(high);
    }
    return least;
  }

  // Fewer in all that are enough, if there are; else `proved` says whether every one was looked at.
  std::optional<Numbers> refute(const Numbers& numbers, bool& proved) {
    const Numbers least = needs(numbers);
    const std::uint32_t total = sum(numbers);
    const std::uint32_t floor = sum(least);
    proved = true;
    if (total <= floor) {
      return std::nullopt;
    }
    std::size_t tries = 0;
    Numbers trial = least;
    std::optional<Numbers> found;
    // To place what is left of a total one below this one over the groups.
    const std::function<void(std::size_t, std::uint32_t)> place = [&](std::size_t group, std::uint32_t left) {
      if (found || tries > most_tries) {
        return;
      }
      if (group + 1 == trial.size()) {
        trial[group] = least[group] + left;
        ++tries;
        if (tries <= most_tries && enough(trial)) {
          found = trial;
        }
        return;
      }
      for (std::uint32_t here = 0; here <= left; ++here) {
        trial[group] = least[group] + here;
        place(group + 1, left - here);
      }
    };
    place(0, total - 1 - floor);
    proved = !found && tries <= most_tries;
    return found;
  }

  static std::uint32_t sum(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint32_t{0});
  }

  Fewest answer(const Numbers& numbers, bool proved) {
    Fewest fewest;
    fewest.proved = proved;
    Counts counts;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      fewest.parts.push_back({groups_[group], numbers[group]});
      fewest.endpoints += numbers[group];
      fewest.now += groups_[group].count;
      counts[groups_[group].place] = numbers[group];
    }
    fewest.headroom = headroom_of(rows_of(*worlds_, *worlds_->with(counts), *bounds_));
    return fewest;
  }

  std::vector<scenario::EndpointGroup> groups_;
  const Worlds* worlds_;
  const std::vector<Bound>* bounds_;
  std::map<Numbers, double> known_;
  std::size_t last_end_ = 0;
};

}  // namespace

std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Worlds& worlds,
                                       const std::vector<Bound>& bounds) {
  return Search(base, worlds, bounds).find();
}

}  // namespace spillway::plan
