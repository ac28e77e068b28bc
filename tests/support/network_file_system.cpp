// To be loaded before the program (LD_PRELOAD): every file system says that it is NFS.
#include <sys/vfs.h>

namespace {
constexpr int nfs = 0x6969;
}

extern "C" int statfs(const char* /*path*/, struct statfs* into) noexcept {
  *into = {};
  into->f_type = nfs;
  return 0;
}
