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
      if (const auto smaller = refute(numbers, proved)) {
        numbers = *smaller;
        continue;
      }
      if (!level(numbers) || !can_shrink(numbers)) {
        return answer(numbers, proved);
      }
    }
  }

  // Whether the search ended early, but for the proof that nothing smaller is enough.
  [[nodiscard]] bool cut_short() const noexcept { return cut_short_; }

 private:
  [[nodiscard]] bool bounded() const noexcept { return work_ > most_work; }

  static constexpr std::size_t most_growths = 24;
  static constexpr std::size_t most_in_vain = 4;
  static constexpr std::uint32_t most_of_a_group = 100'000;
  static constexpr std::size_t most_tries = 4'000;  // of one proof
  // Endpoints that are looked at, over all failures and tries.
  static constexpr double most_work = 8e5;
  static constexpr double work_of_failure = 20.0;
  static constexpr double work_of_request = 0.5;

  struct Known {
    double growth = -1.0;  // how far requests could grow with these numbers; below 1: not enough
    bool by_load = true;   // if they are not enough, more endpoints would be
    bool exact = true;
    double met = 0.0;                       // of what ended the look: the part of the requests that would be met
    std::optional<std::size_t> group = {};  // likewise: of the busiest endpoint
  };

  double growth(const Numbers& numbers) { return look(numbers).growth; }

  // Once the work is done, nothing new is enough.
  Known look(const Numbers& numbers) {
    const auto known = known_.find(numbers);
    if (known != known_.end()) {
      return known->second;
    }
    if (bounded()) {
      cut_short_ = cut_short_ || !proving_;
      return {};
    }
    return known_.emplace(numbers, look_anew(numbers)).first->second;
  }

  Known look_anew(const Numbers& numbers) {
    Counts counts;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      counts[groups_[group].place] = numbers[group];
    }
    const auto world = worlds_->with(counts);
    if (!world) {
      return {};
    }
    Known known{unbounded};
    // What ended the last try is likely to end this one.
    std::vector<std::size_t> order(world->failures.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (last_end_ < order.size()) {
      std::swap(order[0], order[last_end_]);
    }
    for (const std::size_t failure : order) {
      const scenario::Scenario still = worlds_->still(*world, world->failures[failure]);
      const Loads loads = worlds_->loads(*world, world->failures[failure], still);
      const Row row = row_of(still, loads, world->failures[failure], *bounds_);
      work_ += work_of_failure + static_cast<double>(still.endpoints.size()) + work_of_request * requests_of(loads);
      known.exact = known.exact && row.exact;
      known.growth = std::min(known.growth, row.tightest ? row.tightest->growth() : unbounded);
      if (!row.has_no_traffic() && !row.holds()) {
        last_end_ = failure;
        known.growth = std::min(known.growth, enough_growth - 1.0);
        known.by_load = std::all_of(row.margins.begin(), row.margins.end(), [](const Margin& margin) {
          return margin.holds() || grows_with_rate(margin.bound.metric);
        });
        known.met = row.tightest ? row.tightest->growth() : 0.0;
        known.group = row.tightest ? group_of(still, *row.tightest) : std::nullopt;
        break;
      }
    }
    return known;
  }

  [[nodiscard]] std::optional<std::size_t> group_of(const scenario::Scenario& still, const Margin& margin) const {
    for (std::size_t group = 0; group < groups_.size() && margin.endpoint; ++group) {
      const config::NodeIndex node = still.endpoints[margin.endpoint->value].node;
      if (groups_[group].service == margin.bound.service && groups_[group].zone == still.nodes[node.value].zone) {
        return group;
      }
    }
    return std::nullopt;
  }

  // That were simulated for these loads.
  static double requests_of(const Loads& loads) {
    return std::accumulate(loads.services.begin(), loads.services.end(), 0.0,
                           [](double sum, const ServiceLoad& of) { return sum + static_cast<double>(of.requests); });
  }

  // A bound that is met but for rounding holds.
  static constexpr double enough_growth = 1.0 - 1e-9;
  bool enough(const Numbers& numbers) { return growth(numbers) >= enough_growth; }

  std::optional<Numbers> start() {
    Numbers numbers;
    for (const scenario::EndpointGroup& group : groups_) {
      numbers.push_back(group.count);
    }
    double best = 0.0;
    std::size_t steps_in_vain = 0;
    for (std::size_t step = 0; step < most_growths && steps_in_vain < most_in_vain && !bounded(); ++step) {
      if (enough(numbers)) {
        return numbers;
      }
      const Numbers even = evened(numbers);
      if (enough(even)) {
        return even;
      }
      // What fails for another reason than load needs no more endpoints, but other parts of them.
      if (!look(numbers).by_load && !look(even).by_load) {
        break;
      }
      // Where one connection is too much for any endpoint, no number of them is enough.
      steps_in_vain = look(numbers).met > best * (1.0 + 1e-9) ? 0 : steps_in_vain + 1;
      best = std::max(best, look(numbers).met);
      grow(numbers);
      if (sum(numbers) > most_of_a_group) {
        break;
      }
    }
    return std::nullopt;
  }

  // The group of the busiest endpoint by what it lacks; all by half where none is known or that was in vain before.
  void grow(Numbers& numbers) {
    const Known known = look(numbers);
    if (known.group && known.met > 0.0 && grown_ != known.group) {
      std::uint32_t& number = numbers[*known.group];
      const double needed = std::min(std::ceil(number / known.met), 1.0 * most_of_a_group);
      grown_ = number > 2 * needed / 3 ? known.group : std::nullopt;
      number = std::max(number + 1, static_cast<std::uint32_t>(needed));
      return;
    }
    grown_.reset();
    for (std::uint32_t& number : numbers) {
      number = std::min(most_of_a_group, number + (number + 1) / 2);
    }
  }

  // No fewer in all, and the same in each group of a service.
  [[nodiscard]] Numbers evened(const Numbers& numbers) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> of_service;  // endpoints and groups
    for (std::size_t group = 0; group < numbers.size(); ++group) {
      auto& [endpoints, groups] = of_service[groups_[group].service.value];
      endpoints += numbers[group];
      ++groups;
    }
    Numbers even;
    for (const scenario::EndpointGroup& group : groups_) {
      const auto& [endpoints, groups] = of_service[group.service.value];
      even.push_back((endpoints + groups - 1) / groups);
    }
    return even;
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

  bool can_shrink(Numbers numbers) {
    for (std::size_t group = 0; group < numbers.size(); ++group) {
      if (numbers[group] > 1 && try_moved(numbers, group, 1)) {
        return true;
      }
    }
    return false;
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

  // The same total with more left at the busiest. Whether there is any.
  bool level(Numbers& numbers) {
    bool leveled = false;
    bool better = look(numbers).exact;
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
            leveled = true;
          }
        }
      }
    }
    return leveled;
  }

  // The least of each group that is enough while all others are plenty; 1 where a smaller number failed for another
  // reason than load, so that plenty of others may be what does harm.
  Numbers needs(const Numbers& numbers) {
    Numbers plenty = numbers;
    for (std::uint32_t& number : plenty) {
      number = number * 4 + 16;
    }
    Numbers least;
    for (std::size_t group = 0; group < numbers.size(); ++group) {
      std::uint32_t low = 0;  // not enough
      std::uint32_t high = numbers[group];
      bool by_load = true;
      while (high - low > 1 && by_load) {
        Numbers changed = plenty;
        changed[group] = low + (high - low) / 2;
        const Known known = look(changed);
        by_load = known.growth >= enough_growth || known.by_load;
        (known.growth >= enough_growth ? high : low) = changed[group];
      }
      least.push_back(by_load ? high : 1);
    }
    return least;
  }

  // Fewer in all that are enough, if there are; else `proved` says whether every one was looked at.
  std::optional<Numbers> refute(const Numbers& numbers, bool& proved) {
    proving_ = true;
    const std::optional<Numbers> smaller = smaller_enough(numbers, proved);
    proving_ = false;
    return smaller;
  }

  std::optional<Numbers> smaller_enough(const Numbers& numbers, bool& proved) {
    const Numbers least = needs(numbers);
    std::size_t tries = 0;
    Numbers trial = least;
    std::optional<Numbers> found;
    // To place what is left of a total over the groups.
    const std::function<void(std::size_t, std::uint32_t)> place = [&](std::size_t group, std::uint32_t left) {
      if (found || tries > most_tries || bounded()) {
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
    for (std::uint32_t total = sum(numbers); total > sum(least) && !found; --total) {
      place(0, total - 1 - sum(least));
    }
    proved = !found && tries <= most_tries && !bounded();
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
  std::map<Numbers, Known> known_;
  double work_ = 0.0;
  std::size_t last_end_ = 0;
  std::optional<std::size_t> grown_ = {};  // the group that was made a little larger by what it lacked
  bool proving_ = false;
  bool cut_short_ = false;
};

}  // namespace

std::optional<Fewest> fewest_endpoints(const scenario::ScenarioTemplate& base, const Worlds& worlds,
                                       const std::vector<Bound>& bounds, bool& bounded) {
  Search search(base, worlds, bounds);
  auto fewest = search.find();
  bounded = search.cut_short();
  return fewest;
}

}  // namespace spillway::plan
