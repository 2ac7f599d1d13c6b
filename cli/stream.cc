// SPDX-License-Identifier: Apache-2.0
#include "cli/stream.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
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

// The bytes of the chunk that begins at `begin`. Of halves, results of whole runs or of a part of one, and half as
// many, so that both operands fit a buffer.
uint64_t ChunkAt(const Piece& piece, uint64_t begin) {
  const uint64_t left = piece.bytes - begin;
  if (piece.run == 0) return std::min(kChunk, left);
  constexpr uint64_t kMost = kChunk / 2;
  const uint64_t run = piece.run * gelu_dtype_size(piece.x->dtype);
  return run > kMost ? std::min(kMost, run - begin % run) : std::min(kMost / run * run, left);
}

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
    const Chunk chunk{next_, begin_, static_cast<size_t>(ChunkAt(*next_, begin_))};
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
  std::vector<uint64_t> other = x;
};

Evaluator EvaluatorOf(const Work& work) {
  std::array<uint64_t, gelu_dtype_count_> elements{};
  for (const Piece& piece : work.pieces) {
    if (piece.x != nullptr) elements[piece.x->dtype] += piece.x->count;
  }
  return {work.activation, work.form, elements};
}

// n elements from element `first` on of the tensor over and over.
void ReadOverAndOver(const TensorFile& file, const Tensor& tensor, uint64_t first, size_t n, void* out) {
  const size_t size = gelu_dtype_size(tensor.dtype);
  auto* const to = static_cast<std::byte*>(out);
  size_t done = 0;
  while (done < std::min<uint64_t>(n, tensor.count)) {
    const uint64_t at = (first + done) % tensor.count;
    const auto part = static_cast<size_t>(std::min<uint64_t>(n - done, tensor.count - at));
    file.Read(tensor, at, part, to + done * size);
    done += part;
  }
  while (done < n) {
    const auto back = static_cast<size_t>(done / tensor.count * tensor.count);
    const size_t part = std::min(n - done, back);
    std::memcpy(to + done * size, to + (done - back) * size, part * size);
    done += part;
  }
}

// Both operands of the n results from result `first` on, which are whole runs or a part of one. The length of their
// runs in memory.
size_t ReadHalves(const TensorFile& in, const Piece& piece, uint64_t first, size_t n, void* out) {
  if (n > piece.run) {
    in.Read(*piece.x, 2 * first, 2 * n, out);
    return static_cast<size_t>(piece.run);
  }
  const uint64_t at = first / piece.run * 2 * piece.run + first % piece.run;
  in.Read(*piece.x, at, n, out);
  in.Read(*piece.x, at + piece.run, n, static_cast<std::byte*>(out) + n * gelu_dtype_size(piece.x->dtype));
  return n;
}

void Process(const Work& work, const Evaluator& evaluator, const Chunk& chunk, Buffers& buffers, OutputFile& out) {
  const auto& [piece, begin, bytes] = chunk;
  void* const x = buffers.x.data();
  void* const other = buffers.other.data();
  void* y = x;
  if (piece->x == nullptr) {
    work.in.ReadBytes(piece->begin + begin, bytes, x);
  } else {
    const gelu_dtype dtype = piece->x->dtype;
    const size_t size = gelu_dtype_size(dtype), n = bytes / size;
    if (piece->run > 0) {
      y = other;
      const size_t run = ReadHalves(work.in, *piece, begin / size, n, x);
      Check(evaluator.ApplyToRuns(dtype, x, run, piece->b_first, y, n), work.in.path());
    } else {
      work.in.Read(*piece->x, begin / size, n, x);
      if (piece->other != nullptr) ReadOverAndOver(*work.others, *piece->other, begin / size, n, other);
      Check(evaluator.Apply(dtype, x, other, y, n), work.in.path());
    }
    if (piece->x->byte_swapped) SwapBytes(y, n, size);
  }
  out.Write(piece->begin + begin, y, bytes);
}

uint64_t TotalOf(const std::vector<Piece>& pieces) {
  uint64_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.bytes;
  return bytes;
}

}  // namespace

void Stream(const Work& work, OutputFile& out) {
  const uint64_t bytes = TotalOf(work.pieces);
  Progress progress(work.in.path(), bytes);
  const Evaluator evaluator = EvaluatorOf(work);
  if (!work.header.empty()) out.Write(0, work.header.data(), work.header.size());
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
  const uint64_t chunks = bytes / kChunk + 1;
  const Threads threads(out.seekable() ? std::min(Threads().count(), kMostThreads) : 1);
  std::vector<Buffers> buffers(std::min<uint64_t>(chunks, threads.count()));
  threads(buffers.size(), [&](size_t i) { run(buffers[i]); });
  dealer.Rethrow();
}

}  // namespace gelu::cli
