#include "base/parallel.h"

#include <algorithm>

#ifdef THIGMO_WITH_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <map>
#include <mutex>
#include <utility>
#endif

namespace thigmo {
namespace {

thread_local RunJobs jobs_run = nullptr;
thread_local void* jobs_user = nullptr;

// Whether somebody else's threads did it. What their work asks for in turn it does itself.
bool done_by_jobs(std::size_t count, const IndexWork& work) {
  if (jobs_run == nullptr || count < 2) return false;
  jobs_run(
      jobs_user, count,
      [](const void* data, std::size_t i) { (*static_cast<const IndexWork*>(data))(i); }, &work);
  return true;
}

}  // namespace

WithJobs::WithJobs(RunJobs run, void* user) : run_before_(jobs_run), user_before_(jobs_user) {
  jobs_run = run;
  jobs_user = user;
}
WithJobs::~WithJobs() {
  jobs_run = run_before_;
  jobs_user = user_before_;
}

#ifndef THIGMO_WITH_TBB

// Without TBB all work is done by the thread that asks for it: the same bits, later.
void parallel_for(std::size_t count, int, IndexWork work) {
  if (done_by_jobs(count, work)) return;
  for (std::size_t i = 0; i < count; ++i) work(i);
}

int hardware_threads() { return 1; }

#else

namespace {

// Arenas are made once for each number of threads and kept.
tbb::task_arena& arena_of(int threads) {
  static std::mutex mutex;
  static std::map<int, tbb::task_arena> arenas;
  const std::lock_guard lock(mutex);
  return arenas.try_emplace(threads, threads).first->second;
}

thread_local bool inside_work = false;

// Marks this thread as inside for as long as it lives, whatever is thrown.
struct Inside {
  const bool before = std::exchange(inside_work, true);
  ~Inside() { inside_work = before; }
};

}  // namespace

void parallel_for(std::size_t count, int threads, IndexWork work) {
  if (done_by_jobs(count, work)) return;
  const int most = hardware_threads();  // asking for more would only make TBB complain
  threads = threads > 0 ? std::min(threads, most) : most;
  if (threads == 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const auto run = [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        const Inside inside;
                        for (std::size_t i = range.begin(); i < range.end(); ++i) work(i);
                      });
  };
  // Work that spreads out further stays on the threads it already has.
  if (inside_work) {
    run();
  } else {
    arena_of(threads).execute(run);
  }
}

int hardware_threads() { return tbb::this_task_arena::max_concurrency(); }

#endif

}  // namespace thigmo
