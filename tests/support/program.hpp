// Runs the real program and catches what it says.
//
//   Finished finished = run_program({"run", "failover.yaml"});
//   CHECK(finished.code == 0);
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/support/sanitizers.hpp"

namespace spillway::support {

struct Finished {
  int code = -1;  // the exit code; 128 and the signal's number if a signal ended it
  std::string output;
  std::string error;
};

// A folder of this test process alone, gone when the object is.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("spillway-test-" + std::to_string(getpid()) + "-" + std::to_string(++made()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

  // Writes a file, its folders included, and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  static int& made() {
    static int folders = 0;
    return folders;
  }

  std::filesystem::path path_;
};

inline std::string contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char character : word) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

// Returns what to put around a program that must end by itself: it may take `seconds` of a processor's time (ten times
// as many under the sanitizers) and, where it waits, 200 s by the clock. Processor time, for a busy machine takes
// nothing from it. A program that does not end has an exit code above 2.
inline std::string within_seconds(int seconds) {
  return "ulimit -t " + std::to_string(under_sanitizers ? 10 * seconds : seconds) + "; timeout 200 {}";
}

// `around` is a shell command in which {} stands for the program with its arguments: "{} > /dev/full".
inline Finished run_program(const std::vector<std::string>& arguments, const std::string& around = "{}") {
  static const TemporaryFolder folder;
  std::string command = shell_quoted(SPILLWAY_PROGRAM);
  for (const std::string& argument : arguments) {
    command += " " + shell_quoted(argument);
  }
  std::string line = around;
  line.replace(line.find("{}"), 2, command);
  const std::string output = folder.path("stdout");
  const std::string error = folder.path("stderr");
  const int status = std::system(("{ " + line + "; } >" + output + " 2>" + error).c_str());
  Finished finished;
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.output = contents(output);
  finished.error = contents(error);
  return finished;
}

}  // namespace spillway::support
