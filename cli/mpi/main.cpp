// Runs `mpirun -n 64 spillway-mpi sweep SCENARIO ...`. Rank 0 distributes the points of a sweep and owns its file;
// every other rank simulates one point after another. If a rank dies, MPI ends the job; repeating the command continues
// with the remaining points.
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <mpi.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

#include "cli/commands.hpp"
#include "cli/ending.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/stopping.hpp"

namespace spillway::cli {
namespace {

// Message tags. A rank requests a point by an empty message; a result consists of its number, its success, and the
// bytes.
constexpr int asks = 1;
constexpr int answers = 2;
constexpr int hands_out = 3;
constexpr std::uint64_t no_more = ~std::uint64_t{0};

struct AnswerHead {
  std::uint64_t point = 0;
  std::uint64_t succeeded = 0;
};

// Returns true if every rank could read the sweep. All ranks exchange this before any of them ends. Otherwise the first
// error would end the whole job, perhaps before rank 0 has printed the reason.
bool all_could_read(bool could_read) {
  const int mine = could_read ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

class PointOwner {
 public:
  explicit PointOwner(int ranks) : working_(ranks - 1) {}

  void hand_out(const run::ForkedStream& stream) {
    while (working_ > 0) {
      if (run::stop_requested()) {
        // Points in progress on other ranks are lost; completed ones are in the file.
        say("the job is ended by MPI\n");
        return;
      }
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      if (there == 0) {
        constexpr useconds_t moment_us = 50;
        usleep(moment_us);
        continue;
      }
      if (status.MPI_TAG == asks) {
        give(stream, status.MPI_SOURCE);
      } else {
        take(stream, status);
      }
    }
  }

 private:
  void give(const run::ForkedStream& stream, int rank) {
    MPI_Recv(nullptr, 0, MPI_BYTE, rank, asks, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const auto point = stream.next();
    const std::uint64_t number = point ? static_cast<std::uint64_t>(*point) : no_more;
    working_ -= point ? 0 : 1;
    MPI_Send(&number, sizeof(number), MPI_BYTE, rank, hands_out, MPI_COMM_WORLD);
  }

  static void take(const run::ForkedStream& stream, const MPI_Status& status) {
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, answers, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    AnswerHead head;
    bytes.copy(reinterpret_cast<char*>(&head), sizeof(head));
    std::string rest = bytes.substr(sizeof(head));
    run::ForkedAnswer answer;
    answer.succeeded = head.succeeded != 0;
    (answer.succeeded ? answer.bytes : answer.failure) = std::move(rest);
    stream.finished(static_cast<std::size_t>(head.point), std::move(answer));
  }

  int working_;
};

run::ForkedStream worker_stream() {
  return {.next = []() -> std::optional<std::size_t> {
            std::uint64_t number = no_more;
            MPI_Send(nullptr, 0, MPI_BYTE, 0, asks, MPI_COMM_WORLD);
            MPI_Recv(&number, sizeof(number), MPI_BYTE, 0, hands_out, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            return number == no_more ? std::nullopt : std::optional(static_cast<std::size_t>(number));
          },
          .work = {},
          .finished =
              [](std::size_t point, const run::ForkedAnswer& answer) {
                const AnswerHead head{point, answer.succeeded ? 1U : 0U};
                std::string bytes(reinterpret_cast<const char*>(&head), sizeof(head));
                bytes += answer.succeeded ? answer.bytes : answer.failure;
                MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, answers, MPI_COMM_WORLD);
              }};
}

// The end of a rank. `together`: all ranks refused the job before it began, so no rank waits for another.
struct RankEnd {
  int code = 0;
  bool together = false;
};

RankEnd refused_together(ExitCode code) {
  all_could_read(false);
  return {static_cast<int>(code), true};
}

UsageProblem wrong_job(const Parsed& parsed, bool sweeps) {
  if (const auto* wrong = std::get_if<UsageProblem>(&parsed)) {
    return *wrong;
  }
  return sweeps ? UsageProblem{"SP904", "`spillway-mpi` needs at least two ranks",
                               "rank 0 hands out points, the others simulate them"}
                : UsageProblem{"SP901", "`spillway-mpi` runs sweeps only",
                               "for example mpirun -n 4 spillway-mpi sweep shop.yaml ..."};
}

RankEnd work(const Arguments& arguments) {
  run::ForkedStream stream = worker_stream();
  std::optional<bool> all_read;
  stream.next = [&, next = stream.next]() -> std::optional<std::size_t> {
    if (!all_read) {
      all_read = all_could_read(true);
    }
    return *all_read ? next() : std::nullopt;
  };
  const ExitCode code = work_on_sweep(arguments, stream).code;
  if (!all_read) {
    return refused_together(code);
  }
  return *all_read ? RankEnd{static_cast<int>(code)} : RankEnd{static_cast<int>(ExitCode::bad_input), true};
}

RankEnd hand_out(const Arguments& arguments, int ranks) {
  PointOwner owner(ranks);
  std::optional<bool> all_read;
  const CommandResult result = sweep_command(arguments, [&](const run::ForkedStream& stream) {
    all_read = all_could_read(true);
    if (*all_read) {
      owner.hand_out(stream);
    }
  });
  if (!all_read) {
    [[maybe_unused]] const std::string lost = write_all(Stream::output, result.output);
    return refused_together(result.code);
  }
  if (!*all_read) {
    const ExitCode code = refuse({"SP904", "another rank cannot read the scenario that rank 0 reads",
                                  "every node needs the same files under the same names"})
                              .code;
    return {static_cast<int>(code), true};
  }
  [[maybe_unused]] const std::string lost = write_all(Stream::output, result.output);
  return {ending().value_or(static_cast<int>(result.code))};
}

RankEnd run_rank(const std::vector<std::string>& words, int rank, int ranks) {
  const Parsed parsed = parse_arguments(words);
  const auto* arguments = std::get_if<Arguments>(&parsed);
  const bool sweeps = arguments != nullptr && arguments->command == &commands::sweep;
  if (!sweeps || ranks < 2) {
    return refused_together(rank == 0 ? refuse(wrong_job(parsed, sweeps)).code : ExitCode::bad_input);
  }
  return rank == 0 ? hand_out(*arguments, ranks) : work(*arguments);
}

}  // namespace
}  // namespace spillway::cli

int main(int count, char** words) {
  using namespace spillway;
  cli::prepare_streams();
  cli::watch_signals();
  MPI_Init(&count, &words);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  cli::RankEnd end{static_cast<int>(cli::ExitCode::internal_error)};
  try {
    end = cli::run_rank(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count), rank, ranks);
  } catch (const std::exception& exception) {
    cli::say(fmt::format("internal error of rank {}: {}\n", rank, reports::printable(exception.what())));
  }
  if (end.code != 0 && !end.together) {
    // Other ranks may wait for a message that will not come.
    MPI_Abort(MPI_COMM_WORLD, end.code);
  }
  MPI_Finalize();
  return end.code;
}
