#pragma once

#include <cstddef>

namespace thigmo {

// A view of something callable with an index; it owns nothing, so that passing work to threads
// allocates nothing here. The callable must outlive the view.
class IndexWork {
 public:
  template <class Callable>
  IndexWork(const Callable& callable)
      : object_(&callable), call_([](const void* object, std::size_t i) {
          (*static_cast<const Callable*>(object))(i);
        }) {}
  void operator()(std::size_t i) const { call_(object_, i); }

 private:
  const void* object_;
  void (*call_)(const void*, std::size_t);
};

// Calls work(i) for i in [0, count) on at most `threads` threads (0: as many as the machine has).
// The calls must be independent; whatever they sum is summed afterwards, in index order, so that
// results have the same bits for any number of threads.
void parallel_for(std::size_t count, int threads, IndexWork work);

int hardware_threads();

// While it lives, what this thread asks for is done by somebody else's threads: `run` calls work(data, i) for each
// i and comes back when all are done. Null: by ours.
using RunJobs = void (*)(void* user, std::size_t count,
                         void (*work)(const void* data, std::size_t i), const void* data);
class WithJobs {
 public:
  WithJobs(RunJobs run, void* user);
  ~WithJobs();
  WithJobs(const WithJobs&) = delete;
  WithJobs& operator=(const WithJobs&) = delete;

 private:
  RunJobs run_before_;
  void* user_before_;
};

}  // namespace thigmo
