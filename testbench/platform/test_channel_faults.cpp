// SPDX-License-Identifier: Apache-2.0
//
// What a driver can write wrong: each mistake fails one channel, with its number, the entry and the reason, the host
// hears of it in every way there is, and nothing else is disturbed.
#include "fault_bench.h"
#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/pushbuffer_writer.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

Qmd small_qmd() {
  Qmd q;
  q.set(QmdField::cta_raster_width, 1);
  q.set(QmdField::cta_raster_height, 1);
  q.set(QmdField::cta_raster_depth, 1);
  q.set(QmdField::cta_thread_dimension0, 32);
  q.set(QmdField::cta_thread_dimension1, 1);
  q.set(QmdField::cta_thread_dimension2, 1);
  q.set(QmdField::register_count_v, 16);
  return q;
}

std::vector<std::uint32_t> launch_words(const Qmd& qmd) {
  const Qmd::Words words = qmd.words();
  PushbufferWriter writer;
  writer.incrementing(1, channel_method::set_object, {kComputeClass});
  writer.incrementing(1, compute_method::load_inline_qmd_data, {words.begin(), words.end()});
  return writer.take();
}

}  // namespace

// -- Queues ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_malformed_entry) {
  FaultBench m;
  m.cuda.record(m.bad);
  m.cuda.submit_entry(m.bad, 0x1002, 1U << 10U);
  m.failed(kPushbuffer, 1, "GPFIFO entry: word 0, reserved bit 1 (found 0x1002");
}

BOOST_AUTO_TEST_CASE(an_unknown_method) {
  FaultBench m;
  m.cuda.submit(m.bad, PushbufferWriter().immediate(0, 0x24, 0).take());
  m.failed(kPushbuffer, 0, "method of class AMPERE_CHANNEL_GPFIFO_A (found 0x24");
}

BOOST_AUTO_TEST_CASE(a_put_outside_the_ring) {
  FaultBench m;
  m.cuda.write_put(m.bad, 64);
  m.cuda.ring_doorbell(m.cuda.token(m.bad));
  m.failed(kPushbuffer, ChannelError::kNoEntry, "GP_PUT (found 64, allowed 0 to 63)");
}

BOOST_AUTO_TEST_CASE(a_pushbuffer_that_is_not_mapped) {
  FaultBench m;
  m.cuda.submit_entry(m.bad, static_cast<std::uint32_t>(kNowhere),
                      static_cast<std::uint32_t>(kNowhere >> 32U) | 4U << 10U);
  m.failed(kMmu, 0, "pushbuffer at " + hex(kNowhere) + " cannot be read");
}

BOOST_AUTO_TEST_CASE(a_doorbell_with_a_token_that_no_channel_has_is_reported_and_stops_nobody) {
  FaultBench m;
  m.cuda.ring_doorbell(0x999);
  m.machine.settle();
  BOOST_TEST_REQUIRE(m.cuda.errors().size() == 1U);
  const ChannelError& e = m.cuda.errors()[0];
  BOOST_TEST(e.channel == ChannelError::kNoChannel);
  BOOST_TEST((e.kind == kPushbuffer));
  BOOST_TEST(e.text() == "no channel: doorbell: token (found 0x999, allowed 0x100, 0x101)");
  m.works(0);
  m.works(m.bad);
}

BOOST_AUTO_TEST_CASE(an_event_that_never_comes_times_out) {
  FaultBench m({"host_engine.acquire_timeout=50us"});
  m.cuda.wait_for(m.bad, Ticket{0, 1000});
  m.failed(kTimeout, 0, "semaphore waited for in vain");
}

// -- Copies ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_copy_past_the_end_of_its_buffer) {
  FaultBench m;
  const std::uint64_t page = m.machine.gpu.config().mmu.page_bytes;
  const std::uint64_t last = m.cuda.malloc(page);
  const HostBuffer host = m.cuda.host_malloc(4096);
  const Ticket copy = m.cuda.memcpy(m.bad, host.address, last + page - 1024, 4096);
  m.failed(kMmu, 0, "copy: " + hex(last + page) + " cannot be read: not mapped, or refused");
  BOOST_TEST(!m.cuda.reached(copy));
}

BOOST_AUTO_TEST_CASE(a_copy_to_where_nothing_is) {
  FaultBench m;
  const std::uint64_t from = m.cuda.malloc(4096);
  m.cuda.memcpy(m.bad, kNowhere, from, 256);
  m.failed(kMmu, 0, "copy: " + hex(kNowhere) + " cannot be written: not mapped, or refused");
}

BOOST_AUTO_TEST_CASE(a_copy_from_physical_addresses_beyond_memory) {
  FaultBench m;
  const std::uint64_t past = m.machine.gpu.config().memory_bytes(), to = m.cuda.malloc(4096);
  const auto high = [](std::uint64_t a) { return static_cast<std::uint32_t>(a >> 32U); };
  const auto low = [](std::uint64_t a) { return static_cast<std::uint32_t>(a); };
  using namespace launch_dma;
  m.cuda.submit(m.bad, PushbufferWriter()
                           .incrementing(4, channel_method::set_object, {kCopyClass})
                           .incrementing(4, copy_method::offset_in_upper, {high(past), low(past), high(to), low(to)})
                           .incrementing(4, copy_method::line_length_in, {128, 1})
                           .incrementing(4, copy_method::launch_dma,
                                         {data_transfer_type.put(transfer_non_pipelined) | src_pitch.put(1) |
                                          dst_pitch.put(1) | src_physical.put(1)})
                           .take());
  m.failed(kMmu, 0, "copy: " + hex(past) + " cannot be read");
}

// -- Launches --------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_block_of_more_threads_than_an_sm_takes) {
  FaultBench m;
  Qmd q = small_qmd();
  q.set(QmdField::cta_thread_dimension0, 4096);
  m.cuda.submit(m.bad, launch_words(q));
  m.failed(kException, 0, "QMD: CTA_THREAD_DIMENSION0 (found 4096, allowed 1 to 1024)");
}

BOOST_AUTO_TEST_CASE(a_block_of_more_shared_memory_than_an_sm_has) {
  FaultBench m;
  m.cuda.record(m.bad);
  m.cuda.launch(m.bad, m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32, 100 << 10));
  m.failed(kException, 1, "QMD: SHARED_MEMORY_SIZE (found 102400, allowed 0 to 101376)");
}

BOOST_AUTO_TEST_CASE(a_program_address_where_no_code_begins) {
  FaultBench m;
  KernelLaunch launch = m.launch_of("fill", 100, 32, Parameters() << kNowhere << 1U << 32);
  launch.kernel.address += 16;
  m.cuda.launch(m.bad, launch);
  m.failed(kMmu, 0, "no code begins at " + hex(launch.kernel.address));
}

BOOST_AUTO_TEST_CASE(a_constant_bank_that_is_not_mapped) {
  FaultBench m;
  PreparedLaunch prepared = m.cuda.prepare(m.launch_of("fill", 1, 32, Parameters() << kNowhere << 1U << 32));
  prepared.bank = kNowhere;
  m.cuda.launch(m.bad, prepared);
  m.failed(kMmu, 0, "constant buffer 0 at " + hex(kNowhere) + " is not mapped");
}
