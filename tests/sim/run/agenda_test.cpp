#include "sim/run/agenda.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "sim/engine/random_stream.hpp"

using namespace std::chrono_literals;
using spillway::run::Agenda;
using spillway::run::EventClass;

TEST_CASE("100,000 entries at mixed equal times leave by time, then class, then order of insertion") {
  spillway::engine::RandomStream stream({.seed = 7});
  using Written = std::tuple<std::int64_t, EventClass, int>;
  std::vector<Written> written;
  Agenda<int> agenda;
  for (int index = 0; index < 100'000; ++index) {
    const auto at = static_cast<std::int64_t>(stream() % 500);
    const auto event_class = static_cast<EventClass>(stream() % 7);
    written.emplace_back(at, event_class, index);
    agenda.push(std::chrono::nanoseconds{at}, event_class, index);
  }
  std::sort(written.begin(), written.end());
  std::vector<Written> applied;
  while (!agenda.empty()) {
    CHECK(agenda.next_time().count() == std::get<0>(written[applied.size()]));
    const auto entry = agenda.pop();
    applied.emplace_back(entry.at.count(), entry.event_class, entry.event);
  }
  CHECK(applied == written);
}

TEST_CASE("an entry for the present takes its place among those of the present that are left") {
  Agenda<int> agenda;
  agenda.push(1s, EventClass::health, 1);
  agenda.push(1s, EventClass::sweep, 3);
  CHECK(agenda.pop().event == 1);
  agenda.push(1s, EventClass::ejection, 2);
  CHECK(agenda.pop().event == 2);
  CHECK(agenda.pop().event == 3);
  CHECK(agenda.next_time() == Agenda<int>::never);
}

TEST_CASE("entries leave in their order however often they are numbered anew") {
  spillway::engine::RandomStream stream({.seed = 8});
  Agenda<int, 64> agenda;
  std::vector<std::tuple<std::int64_t, EventClass, int>> waiting;
  for (int index = 0; index < 2000; ++index) {
    if (stream() % 2 == 0 && waiting.size() < 40) {
      const auto at = static_cast<std::int64_t>(stream() % 5);
      const auto event_class = static_cast<EventClass>(stream() % 3);
      waiting.emplace_back(at, event_class, index);
      agenda.push(std::chrono::nanoseconds{at}, event_class, index);
    } else if (!waiting.empty()) {
      const auto first = std::min_element(waiting.begin(), waiting.end());
      REQUIRE(agenda.size() == waiting.size());
      REQUIRE(agenda.pop().event == std::get<2>(*first));
      waiting.erase(first);
    }
  }
}

TEST_CASE("the example in the header: what is due is applied in its order") {
  Agenda<int> agenda;
  agenda.push(10s, EventClass::health, 1);
  agenda.push(5s, EventClass::workload, 2);
  agenda.push(11s, EventClass::resource, 3);
  std::vector<int> applied;
  while (agenda.next_time() <= 10s) {
    applied.push_back(agenda.pop().event);
  }
  CHECK(applied == std::vector<int>{2, 1});
}
