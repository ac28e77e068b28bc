#include <exception>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/ending.hpp"
#include "cli/output_file.hpp"
#include "cli/pasted_input.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/world/activities.hpp"

namespace spillway::cli {
namespace {

CommandResult simulate(const Parsed& parsed) {
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    return {help->text, ExitCode::well};
  }
  if (std::holds_alternative<ShowVersion>(parsed)) {
    return version_command();
  }
  if (const auto* docs = std::get_if<ShowDocs>(&parsed)) {
    return docs_command(docs->page);
  }
  if (const auto* problem = std::get_if<UsageProblem>(&parsed)) {
    return refuse(*problem);
  }
  const auto& arguments = std::get<Arguments>(parsed);
  apply_limits(arguments);
  if (arguments.allow_files) {
    scenario::allow_files_anywhere();
  }
  if (arguments.quiet) {
    show_no_progress();
  }
  if (const auto wrong = check_output_files(arguments)) {
    return refuse(*wrong, arguments);
  }
  CommandResult result =
      with_pasted_documents(arguments, [](const Arguments& own) { return own.command->execute(own); });
  result.output = fitted_to_output(arguments, result.output);
  return result;
}

int run_and_print(const std::vector<std::string>& arguments) {
  const CommandResult result = simulate(parse_arguments(arguments));
  stop_clock();
  const std::string failure = write_all(Stream::output, result.output);
  if (reader_has_exited()) {
    end_without_reader();
  }
  if (!failure.empty()) {
    const CommandResult refused = refuse({"SP908", "cannot write to standard output: " + failure, ""});
    return static_cast<int>(refused.code);
  }
  // Complete parts have been printed when the time was over: the rest is undecided, not refused.
  const bool is_partial =
      out_of_time() && result.code != ExitCode::bad_input && result.code != ExitCode::internal_error;
  return is_partial ? static_cast<int>(ExitCode::expectation_failed) : ending().value_or(static_cast<int>(result.code));
}

int refuse_memory() {
  const std::string limit = memory_limit_text();
  const CommandResult refused = refuse(
      {"SP941", limit.empty() ? "out of memory" : fmt::format("out of memory: more than {} would be needed", limit),
       "use fewer clients (one entry with a `count`), endpoints or events, or print less by `--by`; `--limit-memory` "
       "sets the limit"});
  return static_cast<int>(refused.code);
}

int refuse_trips(const world::TooManyTrips& trips) {
  const std::string limit = memory_limit_text();
  const CommandResult refused = refuse(
      {"SP941",
       fmt::format("out of memory: {} requests in flight in platform mode, and {}", trips.under_way(),
                   limit.empty() ? "no memory for more" : fmt::format("more would need over {}", limit)),
       "each request in flight has a stack of 160 KiB there: use `--mode requests`, a lower load or more capacity; "
       "`--limit-memory` sets the limit"});
  return static_cast<int>(refused.code);
}

}  // namespace
}  // namespace spillway::cli

int main(int count, char** words) {
  using namespace spillway;
  cli::prepare_streams();
  cli::watch_signals();
  try {
    return cli::run_and_print(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
  } catch (const world::TooManyTrips& trips) {
    return cli::refuse_trips(trips);
  } catch (const std::bad_alloc&) {
    return cli::refuse_memory();
  } catch (const std::length_error&) {
    return cli::refuse_memory();  // more than any machine has
  } catch (const std::system_error& error) {
    return static_cast<int>(
        cli::refuse({"SP943", std::string("the system refused: ") + reports::printable(error.what()),
                     "lower `--jobs` to start fewer processes"})
            .code);
  } catch (const std::exception& exception) {
    cli::say(fmt::format("internal error: {}\n", reports::printable(exception.what())));
  } catch (...) {
    cli::say("internal error of unknown kind\n");
  }
  cli::say("This is a bug in spillway, not in its input. Please report it with the scenario and the command line.\n");
  return static_cast<int>(cli::ExitCode::internal_error);
}
