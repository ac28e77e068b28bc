#include "sim/plan/fewest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "sim/plan/fewest_of_parts.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {
namespace {

using scenario::ScenarioTemplate;

std::uint32_t sum(const Layout& layout) {
  return std::accumulate(layout.begin(), layout.end(), std::uint32_t{0});
}

class Search {
 public:
  Search(const scenario::ScenarioTemplate& base, const Variants& variants, const std::vector<Bound>& bounds,
         const std::function<void(double done)>& progress, double most_work)
      : layouts_(groups_in_question(base, bounds), variants, bounds, progress, most_work),
        variants_(&variants),
        bounds_(&bounds) {}

  std::optional<Fewest> find() {
    if (layouts_.groups().empty()) {
      return std::nullopt;
    }
    Layout layout;
    for (const scenario::EndpointGroup& group : layouts_.groups()) {
      layout.push_back(group.count);
    }
    needs_ = needs_of(*variants_, *variants_->with({}), layouts_.groups(), *bounds_);
    least_total_ = least_total();
    while (true) {
      std::optional<Layout> enough = start(layout);
      if (!enough && !is_hopeless(layout)) {
        enough = near(layout);
        enough = enough ? enough : anywhere(layout);
      }
      if (!enough) {
        return std::nullopt;
      }
      layout = *std::move(enough);
      scale_down(layout);
      const bool proved = lower(layout);
      if (layouts_.confirmed(layout)) {
        return answer(layout, proved);
      }
    }
  }

  // Returns the cheapest layout that is enough; `fewest` is one that is. nullopt if a group has no price.
  std::optional<Fewest> find_cheapest(const Fewest& fewest) {
    if (!weigh_by_price()) {
      return std::nullopt;
    }
    if (std::all_of(weights_.begin(), weights_.end(), [&](double price) { return price == weights_.front(); })) {
      return fewest;
    }
    Layout layout = layout_of(fewest);
    const bool proved = cheapen(layout);
    return layouts_.confirmed(layout) ? answer(layout, proved) : fewest;
  }

  // Returns the cheapest layout with as few endpoints as `fewest`; `fewest` itself if a group has no price. `cheapest`
  // is the cheapest of any number.
  Fewest cheapest_of_fewest(const Fewest& fewest, const std::optional<Fewest>& cheapest) {
    if (cheapest && cheapest->endpoints == fewest.endpoints) {
      Fewest both = *cheapest;
      both.proved = fewest.proved;
      both.at_least = fewest.at_least;
      return both;
    }
    if (!weigh_by_price() || std::ranges::adjacent_find(weights_, std::ranges::not_equal_to{}) == weights_.end()) {
      return fewest;
    }
    // All prices together count less than one endpoint.
    Layout layout = layout_of(fewest);
    const double most = total(layout) + static_cast<double>(sum(layout)) * *std::ranges::max_element(weights_);
    for (double& weight : weights_) {
      weight = 1.0 + weight / most;
    }
    cheapen(layout);
    at_least_ = fewest.at_least;
    return layouts_.confirmed(layout) ? answer(layout, fewest.proved) : fewest;
  }

  // Returns the present layout with the cheapest endpoints more that are enough; the fewest, if a group has no price.
  // `fewest` is a layout that is enough.
  std::optional<Fewest> find_purchase(const Fewest& fewest) {
    if (!weigh_by_price()) {
      weights_.clear();
    }
    Layout layout = layout_of(fewest);
    for (const scenario::EndpointGroup& group : layouts_.groups()) {
      floor_.push_back(group.count);
      layout[floor_.size() - 1] = std::max(layout[floor_.size() - 1], group.count);
    }
    if (!enough(layout)) {
      auto enough_nearby = near(floor_);
      if (!enough_nearby) {
        return std::nullopt;
      }
      layout = *std::move(enough_nearby);
    }
    const bool proved = cheapen(layout);
    return layouts_.confirmed(layout) ? std::optional(answer(layout, proved)) : std::nullopt;
  }

  // Returns the answer to a layout of which each part is known to be enough; nullopt if the whole is not.
  std::optional<Fewest> of_parts(const Fewest& parts) {
    Counts counts;
    for (const Part& part : parts.parts) {
      counts[part.group.place] = part.count;
    }
    Layout layout;
    for (const scenario::EndpointGroup& group : layouts_.groups()) {
      layout.push_back(counts.try_emplace(group.place, group.count).first->second);
    }
    at_least_ = parts.at_least;
    const Fewest whole = answer(layout, parts.proved);
    return whole.headroom.growth >= 1.0 - rounding ? std::optional(whole) : std::nullopt;
  }

  // True if the search ended early, not counting the proof that no smaller layout is enough.
  [[nodiscard]] bool cut_short() const noexcept { return layouts_.cut_short() || layouts_.bounded(); }

 private:
  static constexpr double rounding = 1e-9;
  static constexpr double small_weight = 1e-6;
  static constexpr double unreached = 1e9;
  static constexpr std::uint32_t most_among = 32;  // times the endpoints, so that failing ones are few among them
  static constexpr std::uint32_t most_of_any = 4;  // times all endpoints of a layout
  static constexpr std::size_t most_growths = 24;
  static constexpr std::size_t most_in_vain = 4;
  static constexpr std::size_t most_added = 6;
  static constexpr std::size_t most_near = 400;
  static constexpr std::uint32_t most_of_a_group = 100'000;

  bool enough(const Layout& layout) { return layouts_.enough(layout); }

  static Layout layout_of(const Fewest& fewest) {
    Layout layout;
    for (const Part& part : fewest.parts) {
      layout.push_back(part.count);
    }
    return layout;
  }

  // Sets the weights to the prices. False if a group has none, or all are free.
  bool weigh_by_price() {
    double dearest = 0.0;
    weights_.clear();
    for (const scenario::EndpointGroup& group : layouts_.groups()) {
      if (!group.price) {
        return false;
      }
      dearest = std::max(dearest, *group.price);
      weights_.push_back(*group.price);
    }
    for (double& weight : weights_) {
      weight += dearest * small_weight;  // of two layouts of one price, the one with fewer endpoints
    }
    return dearest > 0.0;
  }

  // Lowers the total of the weights. True if no lower one is possible.
  bool cheapen(Layout& layout) {
    if (bisect(layout)) {
      lower_anywhere(layout);
      return true;
    }
    shrink(layout);
    while (trade(layout)) {
      shrink(layout);
    }
    return false;
  }

  // Returns the least number of a group's endpoints.
  [[nodiscard]] std::uint32_t least(std::size_t group) const { return floor_.empty() ? 1 : floor_[group]; }

  std::optional<Layout> start(Layout layout) {
    double best = -unreached;
    std::size_t steps_in_vain = 0;
    const std::uint32_t of_start = sum(layout);
    for (std::size_t step = 0; step < most_growths && steps_in_vain < most_in_vain && !layouts_.bounded(); ++step) {
      if (enough(layout)) {
        return layout;
      }
      Layout even = step == 0 ? able(evened(layout)) : evened(layout);
      if (enough(even)) {
        return even;
      }
      const Layouts::Known known = layouts_.look(layout);
      // A failure for a reason other than load needs a different distribution of endpoints, unless fewer requests meet
      // it among more of them.
      if (!known.by_load && !layouts_.look(even).by_load &&
          (sum(layout) > most_among * of_start || !fails_less(twice(layout), known))) {
        break;
      }
      // No count is enough if one connection is too much for any endpoint.
      const double met = known.by_load ? known.met : known.met - known.failed;
      steps_in_vain = met > best + 1e-9 * std::abs(best) ? 0 : steps_in_vain + 1;
      best = std::max(best, met);
      grow(layout);
      if (sum(layout) > most_of_a_group) {
        break;
      }
    }
    return std::nullopt;
  }

  // Returns the least number of endpoints that any layout needs for its load.
  [[nodiscard]] std::uint32_t least_total() const {
    // Within one service, a group counts in all of its needs but those in which it is lost. Summed over the needs, each
    // endpoint therefore counts at most `most_times`.
    std::map<std::uint32_t, std::vector<const Need*>> of_service;
    for (const Need& need : needs_) {
      of_service[need.service.value].push_back(&need);
    }
    const auto needed = [](const Need& need) {
      double ablest = 0.0;
      for (const auto& [group, able] : need.able) {
        ablest = std::max(ablest, able);
      }
      return ablest > 0.0 && std::isfinite(ablest) ? std::ceil(need.rate / ablest - 1e-6) : 0.0;
    };
    double sum = 0.0;
    for (const auto& [service, needs] : of_service) {
      double least = 0.0;
      double all = 0.0;
      std::map<std::size_t, double> times;  // by group
      double most_times = 0.0;
      for (const Need* const need : needs) {
        least = std::max(least, needed(*need));
        if (need->loses) {
          for (const auto& [group, able] : need->able) {
            most_times = std::max(most_times, ++times[group]);
          }
          all += needed(*need);
        }
      }
      sum += std::max(least, most_times > 0.0 ? std::ceil(all / most_times - 1e-6) : 0.0);
    }
    return static_cast<std::uint32_t>(std::max(sum, 1.0 * static_cast<double>(layouts_.groups().size())));
  }

  // True if some need is not met by as many endpoints.
  [[nodiscard]] bool lacks(const Layout& layout) const {
    return std::any_of(needs_.begin(), needs_.end(), [&](const Need& need) {
      const double able = std::accumulate(need.able.begin(), need.able.end(), 0.0, [&](double sum, const auto& of) {
        return sum + of.second * layout[of.first];
      });
      return able < need.rate * (1.0 - rounding);
    });
  }

  static Layout twice(Layout layout) {
    for (std::uint32_t& number : layout) {
      number *= 2;
    }
    return layout;
  }

  // True if fewer requests fail with these endpoints than are known to, or for lack of endpoints only.
  bool fails_less(const Layout& layout, const Layouts::Known& known) {
    const Layouts::Known other = layouts_.look(layout);
    return other.by_load || other.failed < known.failed - rounding;
  }

  // True if twice the endpoints fail as many requests for a reason other than load, and so do even groups, and twice
  // the endpoints of any one group.
  bool is_hopeless(const Layout& layout) {
    const Layouts::Known known = layouts_.look(layout);
    std::vector<Layout> others = {twice(layout), evened(layout)};
    constexpr std::size_t few = 8;
    for (std::size_t group = 0; group < layout.size() && layout.size() <= few; ++group) {
      others.push_back(layout);
      others.back()[group] *= 2;
    }
    return !known.by_load && known.failed > 0.0 &&
           std::none_of(others.begin(), others.end(), [&](const Layout& other) { return fails_less(other, known); });
  }

  // Tries a few more endpoints in some groups, the fewest first. Used if scaling everything up does not help.
  std::optional<Layout> near(const Layout& layout) {
    std::vector<Layout> last = {layout};
    std::size_t looks = 0;
    const double most_work = layouts_.work() + work_of_start();
    for (std::size_t more = 0; more < most_added; ++more) {
      std::set<Layout> next;
      for (const Layout& before : last) {
        for (std::size_t group = 0; group < before.size(); ++group) {
          Layout larger = before;
          ++larger[group];
          next.insert(std::move(larger));
        }
      }
      for (const Layout& larger : next) {
        if (++looks > most_near || layouts_.work() > most_work) {
          return std::nullopt;
        }
        if (enough(larger)) {
          return larger;
        }
      }
      last.assign(next.begin(), next.end());
    }
    return std::nullopt;
  }

  // Tries all layouts, the fewest endpoints first. Used if neither more endpoints nor even ones are enough.
  std::optional<Layout> anywhere(const Layout& layout) {
    const double most_work = layouts_.work() + work_of_start();
    const auto groups = static_cast<std::uint32_t>(layout.size());
    for (std::uint32_t endpoints = groups; endpoints <= sum(layout) + most_added; ++endpoints) {
      Layout one(groups, 1);
      one.back() = endpoints - groups + 1;
      do {
        if (layouts_.work() > most_work) {
          return std::nullopt;
        }
        if (enough(one)) {
          return one;
        }
      } while (next_of_same_sum(one));
    }
    return std::nullopt;
  }

  // Returns the layout scaled up to the load at best.
  [[nodiscard]] Layout able(Layout layout) const {
    for (std::size_t step = 0; step < most_in_vain; ++step) {
      const double lacking = layouts_.lacking(layout);
      if (lacking <= 1.0 + 1e-9 || !std::isfinite(lacking) || sum(layout) * lacking > most_of_a_group) {
        break;
      }
      layout = scaled(std::move(layout), 1.0 / lacking);
    }
    return layout;
  }

  // Returns the layout with the same load per endpoint at that growth.
  [[nodiscard]] static Layout scaled(Layout layout, double growth) {
    for (std::uint32_t& number : layout) {
      number = static_cast<std::uint32_t>(std::ceil(number / growth - 1e-6));
    }
    return layout;
  }

  // Grows the busiest endpoint's group by what it lacks. Grows all groups by half if that group is unknown or the last
  // such growth did not help.
  void grow(Layout& layout) {
    const Layouts::Known known = layouts_.look(layout);
    if (known.group && known.met > 0.0 && grown_ != known.group) {
      std::uint32_t& number = layout[*known.group];
      const double needed = std::min(std::ceil(number / known.met), 1.0 * most_of_a_group);
      grown_ = number > 2 * needed / 3 ? known.group : std::nullopt;
      number = std::max(number + 1, static_cast<std::uint32_t>(needed));
      return;
    }
    grown_.reset();
    for (std::uint32_t& number : layout) {
      number = std::min(most_of_a_group, number + (number + 1) / 2);
    }
  }

  // Scales all groups down by their excess while the layout stays enough; the remaining search is smaller.
  void scale_down(Layout& layout) {
    for (std::size_t step = 0; step < most_growths; ++step) {
      const double growth = layouts_.look(layout).growth;
      if (!std::isfinite(growth) || growth <= 1.0) {
        return;
      }
      Layout fewer = scaled(layout, growth);
      if (fewer == layout || !enough(fewer)) {
        return;
      }
      layout = std::move(fewer);
    }
  }

  // Returns a layout with at least the same total and equal counts in the groups of a service.
  [[nodiscard]] Layout evened(const Layout& layout) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> of_service;  // endpoints and groups
    for (std::size_t group = 0; group < layout.size(); ++group) {
      auto& [endpoints, groups] = of_service[layouts_.groups()[group].service.value];
      endpoints += layout[group];
      ++groups;
    }
    Layout even;
    for (const scenario::EndpointGroup& group : layouts_.groups()) {
      const auto& [endpoints, groups] = of_service[group.service.value];
      even.push_back((endpoints + groups - 1) / groups);
    }
    return even;
  }

  // Lowers the layout to the fewest endpoints. True if that is proven.
  bool lower(Layout& layout) {
    while (bisect(layout)) {
      if (sum(layout) > least_total_ && lower_anywhere(layout)) {
        at_least_ = 0;
        continue;
      }
      if (sum(layout) <= least_total_ || !can_shrink(layout)) {
        level(layout);
        return true;
      }
      // More endpoints are not always better here.
      at_least_ = 0;
      break;
    }
    while (true) {
      shrink(layout);
      if (!exchange(layout) && (!level(layout) || !can_shrink(layout))) {
        return false;
      }
    }
  }

  // Tries every layout of a lower total, if there are few. Ruling out ranges assumes that fewer endpoints have more
  // load; priorities, weights and panic can break this. True if one of the layouts is enough.
  bool lower_anywhere(Layout& layout) {
    constexpr std::size_t most_tried = 200'000;
    const double most_work = layouts_.work() + work_of_start();
    std::size_t tried = 0;
    bool found = false;
    Layout one(layout.size(), 0);
    double floors = 0.0;  // of the groups that are not set yet
    for (std::size_t group = 0; group < layout.size(); ++group) {
      floors += weight(group) * least(group);
    }
    const std::function<void(std::size_t, double, double)> set = [&](std::size_t group, double spent, double others) {
      if (group == one.size()) {
        if (!lacks(one) && enough(one)) {
          layout = one;
          found = true;
        }
        return;
      }
      others -= weight(group) * least(group);
      for (one[group] = least(group); spent + weight(group) * one[group] + others < total(layout) * (1.0 - rounding);
           ++one[group]) {
        if (++tried > most_tried || layouts_.work() > most_work) {
          return;
        }
        set(group + 1, spent + weight(group) * one[group], others);
      }
    };
    set(0, 0.0, floors);
    return found;
  }

  // Steps through layouts of one sum in the order of the groups. Starts with all free endpoints in the last group and
  // ends with them in the first.
  static bool next_of_same_sum(Layout& layout) {
    std::size_t group = layout.size() - 1;
    while (group > 0 && layout[group] == 1) {
      --group;
    }
    if (group == 0) {
      return false;
    }
    const std::uint32_t free = layout[group] - 2;
    layout[group] = 1;
    ++layout[group - 1];
    layout.back() += free;
    return true;
  }

  // All layouts between `low` and `high`.
  struct Box {
    double least = 0.0;      // total of endpoints, or of prices
    std::size_t number = 0;  // number of boxes created before
    Layout low;
    Layout high;
    // Orders the box with the smallest possible total first; the older of equals.
    bool operator<(const Box& other) const { return std::pair(least, number) > std::pair(other.least, other.number); }
  };

  // Bisects for the smallest layout that is enough. A box whose largest corner is ruled out is discarded, any other is
  // split. True if no box is left.
  bool bisect(Layout& layout) {
    std::priority_queue<Box> boxes;
    std::size_t number = 0;
    const double most_work = layouts_.work() + work_of_proof();
    const Layout lowest = floor_.empty() ? Layout(layout.size(), 1) : floor_;
    boxes.push({total(lowest), number, lowest, Layout(layout.size(), most_of_any * sum(layout))});
    while (!boxes.empty() && boxes.top().least < total(layout) * (1.0 - rounding)) {
      if (weights_.empty() && sum(layout) <= least_total_) {
        break;
      }
      Box box = boxes.top();
      at_least_ = weights_.empty() ? std::max(at_least_, static_cast<std::uint32_t>(box.least)) : at_least_;
      if (layouts_.work() > most_work || layouts_.bounded()) {
        return false;
      }
      boxes.pop();
      const double room = total(layout) * (1.0 - rounding) - box.least;
      for (std::size_t group = 0; group < layout.size(); ++group) {
        const double more = std::min(std::floor(room / weight(group)), 1e9);
        box.high[group] = std::min(box.high[group], box.low[group] + static_cast<std::uint32_t>(more));
      }
      layouts_.raise_low(box.low, box.high);
      if (total(box.low) > box.least * (1.0 + rounding)) {
        box.least = total(box.low);
        boxes.push(std::move(box));
        continue;
      }
      if (box.low == box.high) {
        layout = enough(box.low) ? box.low : layout;
        continue;
      }
      if (lacks(box.high) || layouts_.ruled_out(box.high)) {
        continue;
      }
      if (total(box.high) < total(layout) * (1.0 - rounding) && enough(box.high)) {
        layout = box.high;
      }
      for (Box& half : halves(box)) {
        half.number = ++number;
        boxes.push(std::move(half));
      }
    }
    at_least_ = weights_.empty() ? sum(layout) : at_least_;
    return true;
  }

  // Returns what is minimised: the number of endpoints, or the sum of their prices.
  [[nodiscard]] double total(const Layout& layout) const {
    double sum = 0.0;
    for (std::size_t group = 0; group < layout.size(); ++group) {
      sum += weight(group) * layout[group];
    }
    return sum;
  }
  [[nodiscard]] double weight(std::size_t group) const { return weights_.empty() ? 1.0 : weights_[group]; }

  // Splits the box along the group with the widest range.
  [[nodiscard]] std::array<Box, 2> halves(const Box& box) const {
    std::size_t widest = 0;
    for (std::size_t group = 1; group < box.low.size(); ++group) {
      widest = box.high[group] - box.low[group] > box.high[widest] - box.low[widest] ? group : widest;
    }
    const std::uint32_t middle = box.low[widest] + (box.high[widest] - box.low[widest]) / 2;
    Box lower = box;
    lower.high[widest] = middle;
    Box upper = box;
    upper.least += (middle + 1 - box.low[widest]) * weight(widest);
    upper.low[widest] = middle + 1;
    return {std::move(lower), std::move(upper)};
  }

  // Removes endpoints from single groups, with the others fixed, while the layout stays enough.
  void shrink(Layout& layout) {
    bool shrunk = true;
    while (shrunk) {
      shrunk = false;
      for (std::size_t group = 0; group < layout.size(); ++group) {
        for (std::uint32_t step = layout[group] / 2; step >= 1; step /= 2) {
          while (layout[group] >= step + least(group) && try_moved(layout, group, step)) {
            shrunk = true;
          }
        }
      }
    }
  }

  bool can_shrink(Layout layout) {
    for (std::size_t group = 0; group < layout.size(); ++group) {
      if (layout[group] > 1 && try_moved(layout, group, 1)) {
        return true;
      }
    }
    return false;
  }

  bool try_moved(Layout& layout, std::size_t group, std::uint32_t fewer) {
    Layout changed = layout;
    changed[group] -= fewer;
    if (!enough(changed)) {
      return false;
    }
    layout = std::move(changed);
    return true;
  }

  // Adds one endpoint to a group for two fewer elsewhere.
  bool exchange(Layout& layout) {
    const std::size_t count = layout.size();
    for (std::size_t more = 0; more < count && count <= 24; ++more) {
      for (std::size_t first = 0; first < count; ++first) {
        for (std::size_t second = first; second < count; ++second) {
          if (first == more || second == more) {
            continue;
          }
          Layout changed = layout;
          ++changed[more];
          if (changed[first] < 2 || changed[second] < (first == second ? 3U : 2U)) {
            continue;
          }
          --changed[first];
          --changed[second];
          if (enough(changed)) {
            layout = std::move(changed);
            return true;
          }
        }
      }
    }
    return false;
  }

  // Adds cheap endpoints to a group for a dearer one elsewhere.
  bool trade(Layout& layout) {
    for (std::size_t from = 0; from < layout.size(); ++from) {
      for (std::size_t to = 0; to < layout.size(); ++to) {
        Layout changed = layout;
        if (from == to || changed[from] <= least(from)) {
          continue;
        }
        --changed[from];
        for (++changed[to]; total(changed) < total(layout) * (1.0 - rounding); ++changed[to]) {
          if (layouts_.bounded()) {
            return false;
          }
          if (enough(changed)) {
            layout = std::move(changed);
            return true;
          }
        }
      }
    }
    return false;
  }

  // Looks for a layout of the same total with more headroom at the busiest endpoint. True if there is one.
  bool level(Layout& layout) {
    bool leveled = false;
    bool better = layouts_.look(layout).exact;
    while (better) {
      better = false;
      for (std::size_t from = 0; from < layout.size(); ++from) {
        for (std::size_t to = 0; to < layout.size(); ++to) {
          if (from == to || layout[from] < 2 || layouts_.bounded()) {
            continue;
          }
          Layout changed = layout;
          --changed[from];
          ++changed[to];
          if (is_better(layouts_.look(changed), layouts_.look(layout))) {
            layout = std::move(changed);
            better = true;
            leveled = true;
          }
        }
      }
    }
    return leveled;
  }

  // True if more requests are possible, or as many with less costs of traffic.
  [[nodiscard]] static bool is_better(const Layouts::Known& left, const Layouts::Known& right) {
    return left.growth > right.growth * (1.0 + rounding) ||
           (left.growth >= right.growth * (1.0 - rounding) && left.growth >= 1.0 - rounding &&
            left.cost < right.cost * (1.0 - rounding));
  }

  Fewest answer(const Layout& layout, bool proved) {
    Fewest fewest;
    fewest.proved = proved;
    const auto one_each = static_cast<std::uint32_t>(layout.size());
    fewest.at_least = proved ? sum(layout) : std::clamp(std::max(at_least_, least_total_), one_each, sum(layout));
    for (std::size_t group = 0; group < layout.size(); ++group) {
      fewest.parts.push_back({layouts_.groups()[group], layout[group]});
      fewest.endpoints += layout[group];
      fewest.now += layouts_.groups()[group].count;
    }
    fewest.price = price_of(fewest.parts);
    if (layouts_.limit() < Layouts::most_work) {
      return fewest;  // of a part; its headroom is not that of the whole
    }
    const auto variant = variants_->with(layouts_.counts_of(layout));
    const std::vector<Row> rows = rows_of(*variants_, *variant, *bounds_);
    fewest.headroom = headroom_of(rows);
    if (fewest.headroom.margin) {
      fewest.failure = rows[fewest.headroom.row].failure.name;
      const auto endpoint = fewest.headroom.margin->endpoint;
      fewest.endpoint = endpoint ? variant->scenario.endpoints[endpoint->value].id : "";
    }
    return fewest;
  }

  // Work limit of the bisection. The rest is for finding a start and for layouts that bisection did not reach.
  [[nodiscard]] double work_of_proof() const { return 0.5 * layouts_.limit(); }
  [[nodiscard]] double work_of_start() const { return 0.1 * layouts_.limit(); }

  Layouts layouts_;
  const Variants* variants_;
  const std::vector<Bound>* bounds_;
  std::optional<std::size_t> grown_ = {};  // the group that was last enlarged because of its deficit
  std::uint32_t at_least_ = 0;
  std::vector<Need> needs_ = {};
  std::uint32_t least_total_ = 0;
  Layout floor_ = {};                 // lower limit of each group; empty means 1
  std::vector<double> weights_ = {};  // weights of groups in a search by price; empty means 1 per endpoint
};

FewestAndCheapest fewest_of_whole(const scenario::ScenarioTemplate& base, const Variants& variants,
                                  const std::vector<Bound>& bounds, bool purchase,
                                  const std::function<void(double done)>& progress, double most_work) {
  Search search(base, variants, bounds, progress, most_work);
  FewestAndCheapest found{search.find()};
  found.bounded = search.cut_short() && !(found.fewest && found.fewest->proved);
  if (found.fewest) {
    found.cheapest = search.find_cheapest(*found.fewest);
    found.fewest = search.cheapest_of_fewest(*found.fewest, found.cheapest);
    found.purchase = purchase ? search.find_purchase(*found.fewest) : std::nullopt;
  }
  return found;
}

}  // namespace

std::optional<double> price_of(const std::vector<Part>& parts) {
  std::optional<double> sum = 0.0;
  for (const Part& part : parts) {
    sum = sum && part.group.price ? std::optional(*sum + *part.group.price * part.count) : std::nullopt;
  }
  return sum;
}

FewestAndCheapest fewest_endpoints(const scenario::ScenarioTemplate& base, const Variants& variants,
                                   const std::vector<Bound>& bounds, bool purchase,
                                   const std::function<void(double done)>& progress) {
  const SearchOfPart search_of_part = [&](const ScenarioTemplate& part, const Variants& own_variants,
                                          const std::vector<Bound>& own_bounds, double most_work,
                                          const std::function<void(double)>& done) {
    return fewest_of_whole(part, own_variants, own_bounds, purchase, done, most_work);
  };
  if (auto parts = fewest_of_parts(base, variants, bounds, search_of_part, progress)) {
    Search whole(base, variants, bounds, progress, Layouts::most_work);
    const bool none = !parts->fewest;
    for (std::optional<Fewest>* const found : {&parts->fewest, &parts->cheapest, &parts->purchase}) {
      *found = *found ? whole.of_parts(**found) : std::nullopt;
    }
    if (none || parts->fewest) {
      return *std::move(parts);
    }
  }
  return fewest_of_whole(base, variants, bounds, purchase, progress, Layouts::most_work);
}

}  // namespace spillway::plan
