// The main function of every test program: Catch2's own, and one that starts once for many cases:
//
//   sim_tests --each-in-a-process
//
// runs every test case that is not hidden, nor tagged [unsanitized], in a process that is forked for it (SimGrid has
// one engine a process), as many side by side as there are processors. What a sanitized program of 300 MB takes to
// start is longer than most tests. Prints the output of those that fail; exit code 1 then. [unsanitized]: whole
// commands and searches that take minutes under the sanitizers and run no code that others do not.
#define CATCH_CONFIG_RUNNER
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr unsigned most_seconds = 900;

// As Catch2 reads a name on its command line.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char letter : name) {
    if (letter == ',' || letter == '[' || letter == ']' || letter == '\\') {
      text += '\\';
    }
    text += letter;
  }
  return text;
}

using Clock = std::chrono::steady_clock;

struct RunningCase {
  std::string name;
  std::FILE* output;
  Clock::time_point begun;
};

// Cases by how long they took.
using Durations = std::multimap<Clock::duration, std::string, std::greater<>>;

std::string text_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file)) {
    text.append(piece.data(), size);
  }
  return text;
}

// Waits for one of them; whether it passed.
bool finish_one(std::map<pid_t, RunningCase>& running, Durations& durations) {
  int status = 0;
  const pid_t ended = wait(&status);
  const auto found = running.find(ended);
  if (found == running.end()) {
    return ended != -1;
  }
  const bool passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!passed) {
    const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                                : "exit code " + std::to_string(WEXITSTATUS(status));
    std::cout << "FAILED (" << how << "): " << found->second.name << '\n' << text_of(found->second.output) << std::endl;
  }
  std::fclose(found->second.output);
  durations.emplace(Clock::now() - found->second.begun, found->second.name);
  running.erase(found);
  return passed;
}

int run_case(const std::string& name, std::FILE* output, char* program) {
  dup2(fileno(output), STDOUT_FILENO);
  dup2(fileno(output), STDERR_FILENO);
  alarm(most_seconds);
  std::string filter = escaped(name);
  std::array<char*, 2> arguments{program, filter.data()};
  return Catch::Session().run(static_cast<int>(arguments.size()), arguments.data());
}

// For whoever looks for what makes CI long.
void print_longest(const Durations& durations) {
  constexpr std::size_t most_lines = 20;
  std::size_t lines = 0;
  for (auto longest = durations.begin(); longest != durations.end() && lines < most_lines; ++longest, ++lines) {
    std::cout << std::chrono::duration_cast<std::chrono::milliseconds>(longest->first).count()
              << " ms: " << longest->second << '\n';
  }
}

int run_each_in_a_process(char* program) {
  std::map<pid_t, RunningCase> running;
  Durations durations;
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  std::size_t count = 0;
  std::size_t failed = 0;
  for (const Catch::TestCase& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
    if (test.isHidden() || std::ranges::count(test.lcaseTags, "unsanitized") > 0) {
      continue;
    }
    if (running.size() == most && !finish_one(running, durations)) {
      ++failed;
    }
    std::FILE* const output = std::tmpfile();
    if (output == nullptr) {
      std::perror("tmpfile");
      return 1;
    }
    const pid_t child = fork();
    if (child == 0) {
      return run_case(test.name, output, program);
    }
    if (child == -1) {
      std::perror("fork");
      return 1;
    }
    running.emplace(child, RunningCase{test.name, output, Clock::now()});
    ++count;
  }
  while (!running.empty()) {
    if (!finish_one(running, durations)) {
      ++failed;
    }
  }
  print_longest(durations);
  std::cout << count << " test cases, " << failed << " failed" << std::endl;
  return count == 0 || failed > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc > 1 && std::string_view(argv[1]) == "--each-in-a-process") {
    return run_each_in_a_process(argv[0]);
  }
  return Catch::Session().run(argc, argv);
}
