// SPDX-License-Identifier: Apache-2.0
//
// gelu: an executor for gelu::parallel (gelu/gelu.hpp), for callers who have no thread pool of their own.
//
//   gelu::parallel(gelu::Threads(), gelu::Form::forward, gelu::Function::gelu, x, y);
#ifndef GELU_THREADS_HPP_
#define GELU_THREADS_HPP_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace gelu {

// Starts its threads in each call, and has ended them when the call returns.
class Threads {
 public:
  // count: how many threads work, the caller's among them; 0: as many as the machine runs at once.
  explicit Threads(unsigned count = 0)
      : count_(count > 0 ? count : std::max(1U, std::thread::hardware_concurrency())) {}

  unsigned count() const { return count_; }

  // Calls task(i) for each i below n_tasks. An idle thread takes the next. task must not throw.
  template <class Task>
  void operator()(std::size_t n_tasks, Task&& task) const {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next.fetch_add(1); i < n_tasks; i = next.fetch_add(1)) task(i);
    };
    const std::size_t others = std::min<std::size_t>(count_, n_tasks) - (n_tasks > 0);
    std::vector<std::jthread> threads;
    threads.reserve(others);
    try {
      while (threads.size() < others) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // No more threads are to be had: those that run, at least this one, do all the tasks.
    }
    work();
  }

 private:
  unsigned count_;
};

}  // namespace gelu

#endif  // GELU_THREADS_HPP_
