#include "sim/run/fork_pool.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

using namespace spillway::run;

TEST_CASE("answers come in the order of their indices, whatever the number of jobs") {
  for (const std::size_t jobs : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
    std::vector<std::size_t> finished;
    const auto answers = fork_map(
        7, jobs,
        [](std::size_t index) {
          usleep(static_cast<useconds_t>(1000 * (7 - index)));
          return std::to_string(index * index);
        },
        [&](std::size_t count) { finished.push_back(count); });
    REQUIRE(answers.size() == 7);
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(answers[i].succeeded);
      CHECK(answers[i].bytes == std::to_string(i * i));
    }
    CHECK(finished.back() == 7);
  }
}

TEST_CASE("answers larger than a pipe, empty ones and any bytes arrive whole") {
  const std::string large(5'000'000, 'x');
  const auto answers = fork_map(3, 3, [&](std::size_t index) {
    return index == 0 ? large : index == 1 ? std::string() : std::string("a\0b", 3);
  });
  CHECK(answers[0].bytes == large);
  CHECK(answers[1].succeeded);
  CHECK(answers[1].bytes.empty());
  CHECK(answers[2].bytes == std::string("a\0b", 3));
}

TEST_CASE("a crash, an exception and an exit are failures of one answer only") {
  const auto answers = fork_map(4, 2, [](std::size_t index) -> std::string {
    if (index == 0) {
      raise(SIGKILL);
    }
    if (index == 1) {
      throw std::runtime_error("no such luck");
    }
    if (index == 2) {
      _exit(7);
    }
    return "fine";
  });
  CHECK_FALSE(answers[0].succeeded);
  CHECK(answers[0].failure == "killed by signal 9 (Killed)");
  CHECK(answers[1].failure == "no such luck");
  CHECK(answers[2].failure == "ended by itself with code 7");
  CHECK(answers[3].bytes == "fine");
}

TEST_CASE("no work is no answers") {
  CHECK(fork_map(0, 4, [](std::size_t) { return std::string(); }).empty());
}
