#include "cli/ending.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/terminal.hpp"
#include "models/config/seconds.hpp"
#include "reports/text/percent.hpp"
#include "sim/run/stopping.hpp"

namespace spillway::cli {
namespace {

// Under sanitizers memory is not limited, because their shadow memory exceeds any limit.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool under_sanitizers = true;
#elif defined(__has_feature)
constexpr bool under_sanitizers = __has_feature(address_sanitizer);
#else
constexpr bool under_sanitizers = false;
#endif

constexpr int time_is_over = 2;
constexpr int after_a_signal = 128;
constexpr std::int64_t one_signal_for_ms = 200;
constexpr std::size_t most_files = 8;
constexpr std::size_t longest_text = 200;

// State read by signal handlers.
std::atomic<bool> completes{false};
std::atomic<bool> clock_is_stopped{false};
std::atomic<int> code_of_ending{0};
std::atomic<std::int64_t> first_signal_at{0};  // milliseconds
std::atomic<int> program_group{0};
std::atomic<pid_t> watching_process{0};
struct Slot {
  std::atomic<bool> used{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, most_files> slots;
std::array<char, longest_text> time_text{};  // "error[SP942]: ..."
std::array<char, longest_text> reached_text{};

std::uint64_t limit_in_bytes = 0;

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free, "for signal handlers");

void put(const char* text) noexcept {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

// Ends the program. Async-signal-safe.
[[noreturn]] void end_at_once(int with) noexcept {
  // A process of a replication only ends itself.
  if (getpid() == watching_process.load()) {
    take_bar_away();
    for (Slot& slot : slots) {
      if (slot.used.load()) {
        unlink(slot.path.data());
      }
    }
    if (const int of_program = program_group.load(); of_program > 0) {
      kill(-of_program, SIGKILL);
    }
    if (with == time_is_over) {
      put(time_text.data());
      if (reached_text[0] != '\0') {
        put("  = note: reached: ");
        put(reached_text.data());
        put("\n");
      }
    }
  }
  _exit(with);
}

// Returns a monotonic time [ms]. Async-signal-safe.
std::int64_t milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void on_signal(int signal, siginfo_t* from, void* /*context*/) {
  const bool is_clock = signal == SIGALRM && from->si_code == SI_KERNEL;
  if (is_clock && clock_is_stopped.load()) {
    return;
  }
  const int wanted = is_clock ? time_is_over : after_a_signal + signal;
  const int errno_before = errno;
  if (completes.load() && code_of_ending.load() == wanted &&
      milliseconds_now() - first_signal_at.load() < one_signal_for_ms) {
    return;  // timeout(1) signals the process and then its group: not a second request
  }
  if (!completes.load() || code_of_ending.load() != 0) {
    end_at_once(wanted);
  }
  first_signal_at.store(milliseconds_now());
  code_of_ending.store(wanted);
  run::request_stop();
  errno = errno_before;
}

// Returns the memory [bytes]; 0 if unknown.
std::uint64_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  std::uint64_t bytes =
      pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
  std::ifstream group_limit("/sys/fs/cgroup/memory.max");
  std::uint64_t of_group = 0;
  if (group_limit >> of_group && of_group > 0) {  // "max": none
    bytes = bytes == 0 ? of_group : std::min(bytes, of_group);
  }
  return bytes;
}

void copy_text(std::string_view text, std::array<char, longest_text>& into) {
  const std::size_t length = std::min(text.size(), into.size() - 1);
  into[length] = '\0';
  std::copy_n(text.begin(), length, into.begin());
}

}  // namespace

void watch_signals() {
  watching_process.store(getpid());
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
    struct sigaction before{};
    // Signals that a parent (nohup) ignores stay ignored.
    if (signal == SIGALRM || (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)) {
      sigaction(signal, &action, nullptr);
    }
  }
}

void apply_limits(const Arguments& arguments) {
  limit_in_bytes = under_sanitizers ? std::uint64_t{0} : arguments.limit_memory.value_or(memory_of_machine());
  rlimit limit{};
  if (limit_in_bytes > 0 && getrlimit(RLIMIT_AS, &limit) == 0) {
    if (limit.rlim_cur != RLIM_INFINITY) {
      limit_in_bytes = std::min<std::uint64_t>(limit_in_bytes, limit.rlim_cur);
    }
    limit.rlim_cur = limit_in_bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  if (arguments.limit_time) {
    const double seconds = config::seconds(*arguments.limit_time);
    copy_text(fmt::format("error[SP942]: the time of --limit-time, {}, is over\n", reports::duration_text(seconds)),
              time_text);
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(*arguments.limit_time).count();
    constexpr std::int64_t million = 1'000'000;
    itimerval timer{};
    timer.it_value = {micros / million, static_cast<suseconds_t>(std::max<std::int64_t>(micros % million, 1))};
    timer.it_interval = {5, 0};  // repeats if printing the complete results takes long
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
}

void stop_clock() {
  clock_is_stopped.store(true);
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

std::string memory_limit_text() {
  constexpr double billion = 1e9;
  return limit_in_bytes == 0 ? "" : fmt::format("{:.3g} GB", static_cast<double>(limit_in_bytes) / billion);
}

void note_reached(std::string_view text) {
  copy_text(text, reached_text);
}

std::optional<int> ending() {
  const int with = code_of_ending.load();
  return with == 0 ? std::nullopt : std::optional(with);
}

bool out_of_time() {
  return code_of_ending.load() == time_is_over;
}

std::string_view ending_text() {
  return out_of_time() ? "the time of --limit-time is over" : "interrupted";
}

Completing::Completing() {
  completes.store(true);
}

Completing::~Completing() {
  completes.store(false);
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  watch(path);
}

void UnfinishedFile::watch(const std::string& path) {
  for (std::size_t index = 0; index < slots.size() && slot_ < 0; ++index) {
    if (!slots[index].used.load() && path.size() < slots[index].path.size()) {
      std::copy_n(path.c_str(), path.size() + 1, slots[index].path.begin());
      slots[index].used.store(true);
      slot_ = static_cast<int>(index);
    }
  }
}

void UnfinishedFile::release() noexcept {
  if (slot_ >= 0) {
    slots[static_cast<std::size_t>(slot_)].used.store(false);
    slot_ = -1;
  }
}

void watch_group(int of_program) noexcept {
  program_group.store(of_program);
}

}  // namespace spillway::cli
