#include "tests/mutation/chosen.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spillway::mutation {

unsigned chosen = 0;
unsigned char* reached = nullptr;

namespace {

unsigned chosen_by_environment() {
  const char* number = std::getenv("SPILLWAY_MUTANT");
  return number == nullptr ? 0 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}

// Shared, so that what processes of a command's own reach is seen too, however they end.
unsigned char* map_reached() {
  const char* path = std::getenv("SPILLWAY_MUTANTS_REACHED");
  if (path == nullptr) {
    return nullptr;
  }
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0) {
    std::abort();
  }
  void* bytes = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED) {
    std::abort();
  }
  return static_cast<unsigned char*>(bytes);
}

// Before any object of the models is made.
__attribute__((constructor(101))) void read_environment() {
  chosen = chosen_by_environment();
  reached = map_reached();
}

}  // namespace
}  // namespace spillway::mutation
