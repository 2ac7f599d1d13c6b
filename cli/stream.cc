// SPDX-License-Identifier: Apache-2.0
#include "cli/stream.h"

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <optional>

#include "cli/evaluator.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "gelu/threads.hpp"

namespace gelu::cli {
namespace {

// Small enough that a chunk is still in the cache of its core when it is evaluated and written. A multiple of every
// element's size.
constexpr uint64_t kChunk = uint64_t{256} << 10;
constexpr unsigned kMostThreads = 4;  // memory is saturated by then

struct Chunk {
  const Piece* piece;
  uint64_t begin;  // within the piece, in bytes
  size_t bytes;
};

// Deals out the chunks, in order, to the threads; after a failure there are no more.
class Dealer {
 public:
  explicit Dealer(const std::vector<Piece>& pieces) : next_(pieces.data()), end_(next_ + pieces.size()) {}

  std::optional<Chunk> Next() {
    const std::lock_guard lock(mutex_);
    while (next_ != end_ && begin_ == next_->bytes) {
      ++next_;
      begin_ = 0;
    }
    if (next_ == end_ || failure_) return std::nullopt;
    const Chunk chunk{next_, begin_, static_cast<size_t>(std::min(kChunk, next_->bytes - begin_))};
    begin_ += chunk.bytes;
    return chunk;
  }

  void Fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  void Rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  const Piece* next_;
  const Piece* end_;
  uint64_t begin_ = 0;
  std::exception_ptr failure_;
};

// One thread's buffers; of uint64_t for the alignment.
struct Buffers {
  std::vector<uint64_t> x = std::vector<uint64_t>(kChunk / sizeof(uint64_t));
  std::vector<uint64_t> dy = x;
};

Evaluator EvaluatorOf(const Work& work) {
  std::array<uint64_t, gelu_dtype_count_> elements{};
  for (const Piece& piece : work.pieces) {
    if (piece.x != nullptr) elements[piece.x->dtype] += piece.x->count;
  }
  return {work.activation, work.form, elements};
}

void Process(const Work& work, const Evaluator& evaluator, const Chunk& chunk, Buffers& buffers, OutputFile& out) {
  const auto& [piece, begin, bytes] = chunk;
  void* const x = buffers.x.data();
  if (piece->x == nullptr) {
    work.in.ReadBytes(piece->begin + begin, bytes, x);
  } else {
    const gelu_dtype dtype = piece->x->dtype;
    const size_t size = gelu_dtype_size(dtype), n = bytes / size;
    work.in.Read(*piece->x, begin / size, n, x);
    if (piece->dy != nullptr) work.gradients->Read(*piece->dy, begin / size, n, buffers.dy.data());
    Check(evaluator.Apply(dtype, x, buffers.dy.data(), x, n), work.in.path());
    if (piece->x->byte_swapped) SwapBytes(x, n, size);
  }
  out.Write(piece->begin + begin, x, bytes);
}

}  // namespace

void Stream(const Work& work, OutputFile& out) {
  Progress progress(work.in.path(), work.in.size());
  const Evaluator evaluator = EvaluatorOf(work);
  Dealer dealer(work.pieces);
  const auto run = [&](Buffers& buffers) {
    try {
      while (const auto chunk = dealer.Next()) {
        Process(work, evaluator, *chunk, buffers, out);
        progress.Add(chunk->bytes);
      }
    } catch (...) {
      dealer.Fail(std::current_exception());
    }
  };
  const uint64_t chunks = work.in.size() / kChunk + 1;
  const Threads threads(out.seekable() ? std::min(Threads().count(), kMostThreads) : 1);
  std::vector<Buffers> buffers(std::min<uint64_t>(chunks, threads.count()));
  threads(buffers.size(), [&](size_t i) { run(buffers[i]); });
  dealer.Rethrow();
}

}  // namespace gelu::cli
