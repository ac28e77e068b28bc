#include "cli/terminal.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "cli/commands.hpp"
#include "models/config/lower_ascii.hpp"
#include "reports/text/fold.hpp"

namespace spillway::cli {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

std::atomic<bool> reader_is_gone{false};
std::atomic<bool> bar_is_shown{false};
static_assert(std::atomic<bool>::is_always_lock_free, "read by a signal handler");

bool quiet = false;

}  // namespace

bool is_terminal(Stream stream) {
  return isatty(static_cast<int>(stream)) == 1;
}

bool colors(Stream stream, ColorChoice choice) {
  if (choice != ColorChoice::automatic) {
    return choice == ColorChoice::always;
  }
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal(stream) && (no_color == nullptr || *no_color == '\0');
}

reports::Look look_of_output(const Arguments& arguments) {
  reports::Look look;
  look.color = colors(Stream::output, arguments.color);
  winsize size{};
  look.is_bound = is_terminal(Stream::output) || arguments.width;
  if (is_terminal(Stream::output) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    look.width = size.ws_col;
  }
  look.width = arguments.width.value_or(look.width);
  return look;
}

namespace {

bool has_utf8_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      const std::string locale = config::to_lower_ascii(std::string(value));
      return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
  }
  return false;
}

// True if the command prints text for people; other outputs are files.
bool is_text(const Arguments& arguments) {
  return arguments.command->prints_text && arguments.format == reports::Format::table &&
         arguments.subset_format == reports::SubsetFormat::table;
}

}  // namespace

std::string fitted_to_output(const Arguments& arguments, const std::string& text) {
  const bool is_plain = is_text(arguments) && is_terminal(Stream::output) && !has_utf8_locale();
  return is_plain ? reports::in_ascii(text) : text;
}

void prepare_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      // The direction is reversed, so that reading and writing fail as on a closed stream.
      [[maybe_unused]] const int opened = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
  }
  // Ignored signals make writing fail instead, and unfinished files are removed: a closed pipe, `ulimit -f`.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void take_bar_away() noexcept {
  if (bar_is_shown.load()) {
    // A failure is ignored at this point.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, erase_line.data(), erase_line.size());
  }
}

void show_no_progress() {
  quiet = true;
}

bool reader_has_exited() noexcept {
  return reader_is_gone.load();
}

void end_without_reader() noexcept {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

std::string write_all(Stream stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(static_cast<int>(stream), text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      reader_is_gone.store(reader_is_gone.load() || (stream == Stream::output && errno == EPIPE));
      return std::strerror(errno);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return "";
}

void say(std::string_view text) {
  [[maybe_unused]] const std::string lost = write_all(Stream::error, text);
}

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)), terminal_(!quiet && is_terminal(Stream::error)), quiet_(quiet), begun_(Clock::now()) {}

ProgressBar::~ProgressBar() {
  if (bar_is_shown.exchange(false)) {
    say(erase_line);
  }
}

void ProgressBar::show(double done, std::string_view note) {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (!terminal_) {
    if (!quiet_ && now - begun_ >= 10s && now - drawn_ >= 10s) {
      drawn_ = now;
      say(fmt::format("{}: {:.0f} %{}{}\n", what_, 100.0 * std::clamp(done, 0.0, 1.0), note.empty() ? "" : ", ", note));
    }
    return;
  }
  if (now - begun_ < 1s || now - drawn_ < 100ms) {
    return;
  }
  drawn_ = now;
  constexpr int cells = 30;
  const int full = static_cast<int>(std::clamp(done, 0.0, 1.0) * cells);
  const std::string bar =
      std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(cells - full), '.');
  bar_is_shown.store(true);
  say(fmt::format("{}{} [{}] {:3.0f} %{}{}", erase_line, what_, bar, 100.0 * std::clamp(done, 0.0, 1.0),
                  note.empty() ? "" : ", ", note));
}

}  // namespace spillway::cli
