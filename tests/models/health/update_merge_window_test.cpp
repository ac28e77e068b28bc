#include "models/health/update_merge_window.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using spillway::health::UpdateMergeWindow;
using MergeAction = UpdateMergeWindow::Action;

TEST_CASE("of ejections at 0, 300 and 600 ms the first acts at once and the others together at 1300 ms") {
  UpdateMergeWindow window(1s);
  CHECK(window.change(0ms) == MergeAction::apply);
  CHECK(window.change(300ms) == MergeAction::start);
  CHECK(window.change(600ms) == MergeAction::keep_still);
  CHECK(window.deliver(1300ms));
  CHECK_FALSE(window.deliver(1300ms));
}

TEST_CASE("a delivery by timer counts as an update too") {
  UpdateMergeWindow window(1s);
  REQUIRE(window.change(0ms) == MergeAction::apply);
  REQUIRE(window.change(300ms) == MergeAction::start);
  REQUIRE(window.deliver(1300ms));
  CHECK(window.change(2300ms) == MergeAction::start);
}

TEST_CASE("a change exactly one window after the last one still waits") {
  UpdateMergeWindow window(1s);
  REQUIRE(window.change(0ms) == MergeAction::apply);
  CHECK(window.change(1000ms) == MergeAction::start);
}

TEST_CASE("a window of nothing applies every change at once") {
  UpdateMergeWindow window(0ms);
  CHECK(window.change(5ms) == MergeAction::apply);
  CHECK(window.change(5ms) == MergeAction::apply);
}

TEST_CASE("an update that does not wait takes what is pending along") {
  UpdateMergeWindow window(1s);
  REQUIRE(window.change(0ms) == MergeAction::apply);
  REQUIRE(window.change(100ms) == MergeAction::start);
  window.overtaken(200ms);
  CHECK_FALSE(window.deliver(1100ms));
  CHECK(window.change(1200ms) == MergeAction::start);
  CHECK(window.change(1201ms) == MergeAction::keep_still);
}

TEST_CASE("the timer of a change that was taken along does not deliver a later one early") {
  UpdateMergeWindow window(1s);
  REQUIRE(window.change(0ms) == MergeAction::apply);
  REQUIRE(window.change(100ms) == MergeAction::start);
  window.overtaken(200ms);
  REQUIRE(window.change(300ms) == MergeAction::start);
  CHECK_FALSE(window.deliver(1100ms));
  CHECK(window.deliver(1300ms));
}
