// SPDX-License-Identifier: Apache-2.0
//
// A sink on a thread of its own: same batches, same order, bounded, and its errors are not lost.
#include "gputlm/test_support/sc_test.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "gputlm/trace/background_sink.h"

using namespace gputlm;

namespace {

/// What the sink behind saw, and on whose thread.
struct Seen {
  std::vector<std::uint64_t> ids;
  std::thread::id began, took, finished;
  std::promise<void> gate;  ///< Opens for the first batch.
  std::atomic<std::size_t> begun{0};
  bool fail_at_second = false;
};

class WatchedSink : public TraceSink {
 public:
  explicit WatchedSink(Seen& seen) : seen_(seen), gate_(seen.gate.get_future()) {}
  void begin(const TraceDescription& /*description*/) override { seen_.began = std::this_thread::get_id(); }
  void take(const SharedBatch& batch) override {
    if (++seen_.begun == 1) gate_.wait();
    if (seen_.fail_at_second && seen_.begun == 2) throw std::runtime_error("the disk is full");
    seen_.took = std::this_thread::get_id();
    seen_.ids.push_back(batch->transactions.front().id);
  }
  void finish(const TraceLoss& /*loss*/) override { seen_.finished = std::this_thread::get_id(); }

 private:
  Seen& seen_;
  std::future<void> gate_;
};

SharedBatch batch_of(std::uint64_t id) {
  TraceBatch batch;
  batch.transactions.emplace_back().id = id;
  return std::make_shared<const TraceBatch>(std::move(batch));
}

bool is_full_disk(const std::runtime_error& e) {
  return e.what() == std::string("the disk is full");
}

struct Background {
  Seen seen;
  BackgroundSink sink{std::make_unique<WatchedSink>(seen)};
  Background() { sink.begin({}); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(batches_come_in_order_on_another_thread_and_all_before_the_end, Background) {
  seen.gate.set_value();
  std::vector<std::uint64_t> given;
  for (std::uint64_t id = 1; id <= 100; ++id) {
    given.push_back(id);
    sink.take(batch_of(id));
  }
  sink.finish({});
  BOOST_TEST(seen.ids == given, boost::test_tools::per_element());
  BOOST_TEST((seen.took != std::this_thread::get_id()));
  BOOST_TEST((seen.began == std::this_thread::get_id()));
  BOOST_TEST((seen.finished == std::this_thread::get_id()));
}

BOOST_FIXTURE_TEST_CASE(who_brings_too_many_batches_waits, Background) {
  std::atomic<std::uint64_t> given{0};
  auto giver = std::async(std::launch::async, [&] {
    for (std::uint64_t id = 1; id <= BackgroundSink::kWaiting + 3; ++id, ++given) sink.take(batch_of(id));
  });
  while (given < BackgroundSink::kWaiting + 1) std::this_thread::yield();  // one in the sink's hands, the others wait
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  BOOST_TEST(given == BackgroundSink::kWaiting + 1);
  seen.gate.set_value();
  giver.get();
  sink.finish({});
  BOOST_TEST(seen.ids.size() == BackgroundSink::kWaiting + 3);
}

BOOST_FIXTURE_TEST_CASE(what_the_sink_throws_ends_its_work_and_is_told_at_the_end, Background) {
  seen.fail_at_second = true;
  seen.gate.set_value();
  for (std::uint64_t id = 1; id <= 100; ++id) sink.take(batch_of(id));
  BOOST_CHECK_EXCEPTION(sink.finish({}), std::runtime_error, is_full_disk);
  BOOST_TEST(seen.ids.size() == 1U);
  BOOST_TEST((seen.finished == std::thread::id()));
}

BOOST_AUTO_TEST_CASE(without_an_end_the_sink_is_never_finished) {
  Seen seen;
  {
    BackgroundSink sink(std::make_unique<WatchedSink>(seen));
    sink.begin({});
    seen.gate.set_value();
    sink.take(batch_of(1));
  }
  BOOST_TEST((seen.finished == std::thread::id()));
}
