#include "cli/drawing_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "cli/argument_values.hpp"
#include "cli/ending.hpp"
#include "cli/usage_problem.hpp"
#include "models/config/seconds.hpp"
#include "reports/formats.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace spillway::cli {
namespace {

using Clock = std::chrono::steady_clock;
using reports::plot::Image;
using reports::plot::Program;

struct Tool {
  const char* name;
  const char* package;
  std::vector<const char*> words;
};

Tool tool_of(Program program, Image image) {
  if (program == Program::gnuplot) {
    return {"gnuplot", "gnuplot-nox", {"gnuplot", "-d", nullptr}};
  }
  if (image == Image::png) {
    return {"dot", "graphviz", {"dot", "-Tpng", "-Gdpi=144", nullptr}};
  }
  return {"dot", "graphviz", {"dot", "-Tsvg", nullptr}};
}

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      ends_ = {-1, -1};
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return ends_[0] >= 0; }
  [[nodiscard]] int reading() const { return ends_[0]; }
  [[nodiscard]] int writing() const { return ends_[1]; }
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) {
      close(ends_[end]);
      ends_[end] = -1;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Returns the environment without locale and gnuplot variables, which would change the picture.
std::vector<std::string> environment() {
  std::vector<std::string> kept{"LC_ALL=C.UTF-8"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const bool dropped = variable.starts_with("LC_") || variable.starts_with("LANG") ||
                         variable.starts_with("GNUPLOT") || variable.starts_with("GNUTERM");
    if (!dropped) {
      kept.emplace_back(variable);
    }
  }
  return kept;
}

class Child {
 public:
  explicit Child(const Tool& tool) {
    if (!input_.is_open() || !output_.is_open() || !error_.is_open()) {
      failure_ = errno;
      return;
    }
    failure_ = spawn(tool);
    input_.close_end(0);
    output_.close_end(1);
    error_.close_end(1);
    fcntl(input_.writing(), F_SETFL, O_NONBLOCK);
  }
  ~Child() {
    if (pid_ > 0) {
      kill(-pid_, SIGKILL);  // includes its child processes
      waitpid(pid_, nullptr, 0);
    }
    watch_group(0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int failure() const { return failure_; }

  // Exchanges data with the program. Returns the status from waitpid(); nullopt if it is not done by the deadline.
  std::optional<int> converse(std::string_view script, Clock::time_point deadline) {
    while (output_.reading() >= 0 || error_.reading() >= 0) {
      std::array<pollfd, 3> polled{
          {{output_.reading(), POLLIN, 0}, {error_.reading(), POLLIN, 0}, {input_.writing(), POLLOUT, 0}}};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left < 0) {
        return std::nullopt;
      }
      constexpr long long longest_wait = 1000;
      if (poll(polled.data(), polled.size(), static_cast<int>(std::min(longest_wait, left + 1LL))) < 0 &&
          errno != EINTR) {
        return std::nullopt;
      }
      take(polled[0], output_, output);
      take(polled[1], error_, error);
      give(polled[2], script);
    }
    return wait(deadline);
  }

  std::string output;
  std::string error;

 private:
  int spawn(const Tool& tool) {
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input_.reading(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output_.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error_.writing(), STDERR_FILENO);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    sigset_t defaults{};
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> variables = environment();
    std::vector<char*> entries;
    for (std::string& variable : variables) {
      entries.push_back(variable.data());
    }
    entries.push_back(nullptr);
    std::vector<std::string> words;
    for (const char* word : tool.words) {
      words.emplace_back(word == nullptr ? "" : word);
    }
    std::vector<char*> arguments;
    for (std::size_t word = 0; word + 1 < words.size(); ++word) {
      arguments.push_back(words[word].data());
    }
    arguments.push_back(nullptr);
    const int failure = posix_spawnp(&pid_, tool.name, &actions, &attributes, arguments.data(), entries.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
      pid_ = 0;
    }
    watch_group(pid_);
    return failure;
  }

  static void take(const pollfd& polled, Pipe& pipe, std::string& into) {
    if (polled.fd < 0 || polled.revents == 0) {
      return;
    }
    std::array<char, 65536> piece{};
    const ssize_t count = read(polled.fd, piece.data(), piece.size());
    if (count > 0) {
      into.append(piece.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      pipe.close_end(0);
    }
  }

  // Writes to the child. If the child stops reading, closes its stdin; the reason is on its stderr.
  void give(const pollfd& polled, std::string_view script) {
    if (polled.fd < 0 || polled.revents == 0) {
      return;
    }
    const ssize_t count = write(polled.fd, script.data() + given_, script.size() - given_);
    if (count > 0) {
      given_ += static_cast<std::size_t>(count);
    }
    const bool later = count < 0 && (errno == EINTR || errno == EAGAIN);
    if (given_ == script.size() || (count <= 0 && !later)) {
      input_.close_end(1);
    }
  }

  // Waits for the program, which has closed its outputs and should end soon.
  std::optional<int> wait(Clock::time_point deadline) {
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
      if (Clock::now() >= deadline) {
        return std::nullopt;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    pid_ = 0;
    return status;
  }

  Pipe input_;
  Pipe output_;
  Pipe error_;
  pid_t pid_ = 0;
  int failure_ = 0;
  std::size_t given_ = 0;
};

// Returns the first line with visible text.
std::string first_words(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (std::any_of(line.begin(), line.end(), [](char letter) { return letter > ' ' && letter != '^'; })) {
      return reports::printable(line.substr(line.find_first_not_of(" \t")));
    }
    begin = end + 1;
  }
  return "";
}

bool is_image(Image image, std::string_view text) {
  return image == Image::png ? text.starts_with("\x89PNG") : text.starts_with("<?xml");
}

std::string ending_of(int status) {
  return WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

std::variant<std::string, UsageProblem> draw(Program program, Image image, const std::string& script,
                                             std::chrono::nanoseconds limit) {
  const Tool tool = tool_of(program, image);
  Child child(tool);
  if (child.failure() == ENOENT) {
    return problem("SP920", fmt::format("`{}` draws this picture and is not installed", tool.name),
                   fmt::format("on Debian: apt-get install {}", tool.package));
  }
  if (child.failure() != 0) {
    return problem("SP921", fmt::format("`{}` cannot be started: {}", tool.name, std::strerror(child.failure())));
  }
  const std::optional<int> status = child.converse(script, Clock::now() + limit);
  if (!status) {
    const double seconds = config::seconds(limit);
    return problem("SP921",
                   fmt::format("`{}` did not draw the picture within {}", tool.name, reports::duration_text(seconds)),
                   "--timeout gives it more time; fewer clients (--client) or places (--by zone) draw faster");
  }
  if (*status != 0 || !is_image(image, child.output)) {
    const std::string said = first_words(child.error);
    return problem("SP921", fmt::format("`{}` did not draw the picture: {}{}", tool.name, ending_of(*status),
                                        said.empty() ? "" : ": " + said));
  }
  return std::move(child.output);
}

}  // namespace spillway::cli
