#include "sim/run/fork_pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "sim/run/stopping.hpp"

namespace spillway::run {
namespace {

// The first byte that a child writes: the rest is its result, or the message of an exception.
constexpr char answer_mark = 'A';
constexpr char exception_mark = 'E';
constexpr char memory_mark = 'M';  // not enough memory

// The exit code of a child that could not write.
constexpr int no_answer = 71;

std::atomic<bool> stopping{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by signal handlers");

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::size_t index = 0;
  std::string bytes;
};

bool write_all(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(pipe, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

[[noreturn]] void be_child(int pipe, pid_t parent, const std::function<std::string(std::size_t)>& work,
                           std::size_t index) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);  // the parent was gone before the line above
  }
  std::string bytes;
  try {
    bytes = answer_mark + work(index);
  } catch (const std::bad_alloc&) {
    bytes = memory_mark;
  } catch (const std::exception& exception) {
    bytes = exception_mark + std::string(exception.what());
  } catch (...) {
    bytes = exception_mark;
    bytes += "an exception of unknown type";
  }
  std::fflush(stderr);
  // Not exit(): destructors and buffers belong to the parent.
  _exit(write_all(pipe, bytes) ? 0 : no_answer);
}

std::string words_of(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
  }
  return fmt::format("ended by itself with code {}", WEXITSTATUS(status));
}

class Pool {
 public:
  explicit Pool(const ForkedStream& stream) : stream_(stream) {}
  ~Pool() { end_all(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void simulate(std::size_t jobs) {
    std::fflush(nullptr);
    std::size_t next = 0;
    bool waits = false;  // `next` waits for room
    bool more = true;
    while ((more || waits || !children_.empty()) && !stop_requested()) {
      while (children_.size() < std::max<std::size_t>(jobs, 1)) {
        if (!waits && more) {
          const auto index = stream_.next();
          more = waits = index.has_value();
          next = index.value_or(0);
        }
        if (!waits || !start(next)) {
          break;
        }
        waits = false;
      }
      read_some();
      if (stream_.waits) {
        stream_.waits();
      }
    }
  }

 private:
  // Starts a process. Returns false if the system has no room for one besides the running ones. Throws if none is
  // running.
  bool start(std::size_t index) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
      return is_refused("cannot open a pipe to a process");
    }
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0) {
      close(ends[0]);
      be_child(ends[1], parent, stream_.work, index);
    }
    if (process < 0) {
      const int why = errno;
      close(ends[0]);
      close(ends[1]);
      errno = why;
      return is_refused("cannot start a process");
    }
    close(ends[1]);
    children_.push_back({process, ends[0], index, {}});
    return true;
  }

  [[nodiscard]] bool is_refused(const char* what) const {
    if (children_.empty()) {
      throw std::system_error(errno, std::generic_category(), what);
    }
    return false;
  }

  // Waits until some child has written or ended, or for a tenth of a second, and reads what is available.
  void read_some() {
    std::vector<pollfd> polled;
    for (const Child& child : children_) {
      polled.push_back({child.pipe, POLLIN, 0});
    }
    constexpr int tenth_of_a_second = 100;
    if (polled.empty() || poll(polled.data(), polled.size(), tenth_of_a_second) < 0) {
      return;
    }
    // From the back, because a child that has ended leaves the list.
    for (std::size_t i = polled.size(); i-- > 0;) {
      if (polled[i].revents != 0) {
        read_from(i);
      }
    }
  }

  void read_from(std::size_t position) {
    std::array<char, 65536> buffer{};
    Child& child = children_[position];
    const ssize_t taken = read(child.pipe, buffer.data(), buffer.size());
    if (taken > 0) {
      child.bytes.append(buffer.data(), static_cast<std::size_t>(taken));
    } else if (taken < 0 && errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "cannot read from a process");
    } else if (taken == 0) {
      const Child ended = std::move(child);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(position));
      finish(ended);
    }
  }

  static int wait_for(const Child& child) {
    close(child.pipe);
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  // Precondition: the child has left the list, so that exceptions leave the list consistent.
  void finish(const Child& child) {
    const int status = wait_for(child);
    ForkedAnswer answer;
    const bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !child.bytes.empty();
    if (!clean && stop_requested()) {
      return;  // Ctrl-C reaches every process of a terminal: this one was interrupted like the caller
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_answer) {
      throw std::system_error(EIO, std::generic_category(), "a process could not write its answer");
    }
    if (clean && child.bytes.front() == memory_mark) {
      throw std::bad_alloc();  // as if it had been needed here
    }
    answer.succeeded = clean && child.bytes.front() == answer_mark;
    if (answer.succeeded) {
      answer.bytes = child.bytes.substr(1);
    } else {
      answer.failure = clean ? child.bytes.substr(1) : words_of(status);
    }
    stream_.finished(child.index, std::move(answer));
  }

  void end_all() {
    for (const Child& child : children_) {
      kill(child.process, SIGKILL);
    }
    for (const Child& child : children_) {
      wait_for(child);
    }
  }

  const ForkedStream& stream_;
  std::vector<Child> children_;
};

}  // namespace

void fork_each(std::size_t jobs, const ForkedStream& stream) {
  Pool(stream).simulate(jobs);
}

void request_stop() noexcept {
  stopping.store(true);
}

bool stop_requested() noexcept {
  return stopping.load();
}

std::vector<ForkedAnswer> fork_map(std::size_t count, std::size_t jobs,
                                   const std::function<std::string(std::size_t)>& work,
                                   const std::function<void(std::size_t)>& done) {
  std::vector<ForkedAnswer> answers(count, ForkedAnswer{false, {}, true, {}});  // default until they are finished
  std::size_t begun = 0;
  std::size_t finished = 0;
  fork_each(jobs, {.next = [&] { return begun < count ? std::optional(begun++) : std::nullopt; },
                   .work = work,
                   .finished =
                       [&](std::size_t index, ForkedAnswer answer) {
                         answers[index] = std::move(answer);
                         ++finished;
                         if (done) {
                           done(finished);
                         }
                       }});
  return answers;
}

}  // namespace spillway::run
