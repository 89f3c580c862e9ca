#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "cluster/group.h"

extern char** environ;

namespace whittle::cluster {

namespace {

long number_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

/// Processes that this one starts are not members of the group, and must not take themselves for some.
void forget_the_start() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    for (const char* prefix : {"OMPI_", "PMIX_", "PMI_", "ORTE_"})
      if (name.starts_with(prefix)) names.push_back(name);
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());
}

}  // namespace

bool started_with_others() {
  if (number_of("OMPI_COMM_WORLD_SIZE") > 1 || number_of("PMI_SIZE") > 1) return true;
  return std::getenv("PMIX_RANK") != nullptr && number_of("SLURM_NTASKS") > 1;
}

std::unique_ptr<Group> join(const std::string& library) {
  if (!started_with_others()) return nullptr;
  if (library.empty())
    fail_usage("started by mpirun with other processes, but built without MPI (docs/install.md names the packages)");
  // Its parts look for each other's symbols.
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (loaded == nullptr) fail_usage("started by mpirun, but MPI cannot be loaded: {}", ::dlerror());
  auto make = reinterpret_cast<Group* (*)()>(::dlsym(loaded, "whittle_join_mpi"));
  if (make == nullptr) fail_internal("{} is not whittle's", library);
  std::unique_ptr<Group> group(make());
  forget_the_start();
  return group;
}

}  // namespace whittle::cluster
