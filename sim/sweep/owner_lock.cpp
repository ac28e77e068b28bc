#include "sim/sweep/owner_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace spillway::sweep {
namespace {

// SQLite locks bytes at 2^30; no file reaches this offset. The locks belong to the open file, not to the process:
// SQLite releases all of a process's locks on the file whenever it unlocks its own.
constexpr std::int64_t first_byte = std::int64_t{1} << 61;
constexpr std::int64_t most_owners = 10'000;

struct flock lock_of(std::int64_t number) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = first_byte + number;
  lock.l_len = 1;
  return lock;
}

}  // namespace

OwnerLock::OwnerLock(const std::string& path) {
  constexpr mode_t readable_by_all = 0644;
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, readable_by_all);
  if (file_ < 0) {
    throw std::system_error(errno, std::generic_category());
  }
  for (number_ = 1; number_ < most_owners; ++number_) {
    struct flock lock = lock_of(number_);
    if (fcntl(file_, F_OFD_SETLK, &lock) == 0) {
      return;
    }
    if (errno != EACCES && errno != EAGAIN) {
      break;
    }
  }
  const int error = errno;
  close(file_);
  throw std::system_error(error, std::generic_category(), "cannot lock it");
}

OwnerLock::~OwnerLock() {
  close(file_);
}

bool OwnerLock::is_at(const std::string& path) const {
  struct stat opened{};
  struct stat named{};
  return fstat(file_, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

bool OwnerLock::is_alive(std::int64_t number) const {
  struct flock lock = lock_of(number);
  return fcntl(file_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace spillway::sweep
