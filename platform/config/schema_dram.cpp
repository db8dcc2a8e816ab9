// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

namespace {

void describe_organisation(SchemaBuilder& t) {
  using S = DramSpec;
  const auto field = [](auto member) { return at(&Config::dram, member); };
  t.count("dram.controllers", {1, 256}, "controllers", "Memory controllers of the card.", {field(&S::controllers)});
  t.count("dram.channels_per_controller", {1, 64}, "channels", "Channels that a controller drives.",
          {field(&S::channels_per_controller)});
  t.count("dram.bank_groups", {1, 64}, "bank groups", "Bank groups of a channel.", {field(&S::bank_groups)});
  t.count("dram.banks_per_group", {1, 64}, "banks", "Banks of a bank group.", {field(&S::banks_per_group)});
  t.count("dram.rows", {1, std::uint64_t{1} << 32}, "rows", "Rows of a bank.", {field(&S::rows)});
  t.bytes("dram.row_bytes", {128, 1U << 20}, "Bytes of a row; a power of two.", {field(&S::row_bytes)});
  t.bytes("dram.capacity", {1U << 20, std::uint64_t{511} << 30}, "Memory of the whole card.", {field(&S::capacity)});
}

void describe_queues(SchemaBuilder& t) {
  using S = DramSpec;
  const auto field = [](auto member) { return at(&Config::dram, member); };
  t.count("dram.read_queue_entries", {1, kMostOfAnyQueue}, "lines", "Reads that a channel's queue holds.",
          {field(&S::read_queue_entries)});
  t.count("dram.write_queue_entries", {1, kMostOfAnyQueue}, "lines",
          "Writes that a controller's backlog holds, shared by its channels.", {field(&S::write_queue_entries)});
  t.count("dram.write_high_mark", {1, kMostOfAnyQueue}, "lines", "Waiting writes from which writes go first.",
          {field(&S::write_high_mark)});
  t.count("dram.write_low_mark", {0, kMostOfAnyQueue}, "lines", "Waiting writes at which reads go first again.",
          {field(&S::write_low_mark)});
  t.choice("dram.write_drain", {"marks", "arrival_order", "reads_first", "row_count"},
           "When a channel turns to writes: from the high mark down to the low mark, when the oldest request is one, "
           "when no read waits or the backlog is full, or when enough writes of one row have come together.",
           {field(&S::write_drain)});
  t.count("dram.drain_row_lines", {1, kMostOfAnyQueue}, "lines", "row_count: writes of one row that are drained.",
          {field(&S::drain_row_lines)});
  t.boolean(
      "dram.row_batching",
      "marks: a direction whose turn is over finishes the rows that are open, while all bank groups but one take part.",
      {field(&S::row_batching)});
  t.time("dram.age_cap", {1, 1'000'000 * kFsPerNs}, "A request that waited so long goes first.", {field(&S::age_cap)});
  t.time("dram.request_latency", kLatency, "Controller and PHY, way in.", {field(&S::request_latency)});
  t.time("dram.response_latency", kLatency, "Controller and PHY, way back.", {field(&S::response_latency)});
  t.time("dram.look_ahead", kLatency, "How far ahead of now a channel's data bus is booked.", {field(&S::look_ahead)});
  t.real("dram.look_ahead_refill", {0.01, 1}, "share",
         "Once look_ahead is booked, the next line is taken when this share of it is left.",
         {field(&S::look_ahead_refill)});
  t.choice("dram.scheduler", {"fr_fcfs", "fcfs"}, "Order of a channel's requests: row hits first, or as they came.",
           {field(&S::scheduler)});
  t.choice("dram.page_policy", {"open", "closed", "idle_timer"},
           "Whether a row stays open after its last access, is closed at once, or after idle_close.",
           {field(&S::page_policy)});
  t.time("dram.idle_close", {1, 1'000'000 * kFsPerNs},
         "idle_timer: an open row is precharged after so long without use.", {field(&S::idle_close)});
  t.choice("dram.ecc", {"none", "codeword"}, "codeword: a partly written sector becomes read, merge, write.",
           {field(&S::ecc)});
}

void describe_timing(SchemaBuilder& t) {
  using S = DramTimingSpec;
  const auto ck = [&t](const char* name, unsigned S::*member, const char* description, std::uint64_t least = 0) {
    t.count(std::string("dram.timing.") + name, {least, 1000}, "CK", description,
            {at(&Config::dram, &DramSpec::timing, member)});
  };
  const auto slots = [&t](const char* name, unsigned S::*member, const char* unit, const char* description) {
    t.count(std::string("dram.timing.") + name, {1, 16}, unit, description,
            {at(&Config::dram, &DramSpec::timing, member)});
  };
  slots("burst", &S::burst, "CK", "Data bus time of one 32-byte column.");
  ck("tRCDRD", &S::tRCDRD, "Activate to read.");
  ck("tRCDWR", &S::tRCDWR, "Activate to write.");
  ck("tRP", &S::tRP, "Precharge to activate.", 1);  // the command bus carries one of them a clock
  ck("tRAS", &S::tRAS, "Activate to precharge.");
  ck("tRC", &S::tRC, "Activate to activate of one bank.");
  ck("tCL", &S::tCL, "Read command to first data.");
  ck("tWL", &S::tWL, "Write command to first data.");
  ck("tCCDS", &S::tCCDS, "Column command to column command, other bank group.");
  ck("tCCDL", &S::tCCDL, "Column command to column command, same bank group.");
  ck("tRRDS", &S::tRRDS, "Activate to activate, other bank group.");
  ck("tRRDL", &S::tRRDL, "Activate to activate, same bank group.");
  ck("tFAW", &S::tFAW, "Window that holds at most four activates.");
  ck("tWR", &S::tWR, "End of write data to precharge.");
  ck("tWTRS", &S::tWTRS, "End of write data to read, other bank group.");
  ck("tWTRL", &S::tWTRL, "End of write data to read, same bank group.");
  ck("tRTP", &S::tRTP, "Read to precharge.");
  ck("tRTW", &S::tRTW, "Read command to write command.");
  slots("wdm_slots", &S::wdm_slots, "command slots", "A write with a double-byte mask.");
  slots("wsm_slots", &S::wsm_slots, "command slots", "A write with a single-byte mask.");
  slots("commands_per_clock", &S::commands_per_clock, "command slots", "Per CK.");
  t.time("dram.timing.refresh_interval", {kFsPerNs, 1'000'000 * kFsPerNs},
         "Between two refreshes of a channel, each of one bank pair in turn.",
         {at(&Config::dram, &DramSpec::timing, &S::refresh_interval)});
  t.time("dram.timing.refresh_duration", kLatency, "A bank pair is unavailable for so long.",
         {at(&Config::dram, &DramSpec::timing, &S::refresh_duration)});
}

void describe_map(SchemaBuilder& t) {
  using S = DramMapSpec;
  const auto field = [](auto member) { return at(&Config::dram, &DramSpec::map, member); };
  t.choice("dram.map.type", {"windowed", "linear"},
           "How an address of a controller is laid over channels, banks and rows.", {field(&S::type)});
  t.mask("dram.map.channel_mask", "windowed: the channel is the parity of the address under this mask.",
         {field(&S::channel_mask)});
  t.bytes("dram.map.window_bytes", {1024, 1U << 30},
          "windowed: aligned window that holds rows_per_window rows of every channel.", {field(&S::window_bytes)});
  t.count("dram.map.rows_per_window", {1, 1024}, "rows", "See window_bytes.", {field(&S::rows_per_window)});
  t.count("dram.map.block_shift", {7, 30}, "bits",
          "windowed: log2 of the block whose number leads a row's rank in its window.", {field(&S::block_shift)});
  t.counts("dram.map.rank_bits", {0, 63}, {0, 16}, "bit",
           "windowed: address bits that order the rows of a block, high first.", {field(&S::rank_bits)});
  t.counts("dram.map.column_bits", {5, 63}, {1, 16}, "bit", "Address bits of the column, low first.",
           {field(&S::column_bits)});
  t.boolean("dram.map.rotate_bank_groups", "Consecutive rows rotate over the bank groups.",
            {field(&S::rotate_bank_groups)});
}

}  // namespace

void describe_dram(SchemaBuilder& t) {
  describe_organisation(t);
  describe_queues(t);
  describe_timing(t);
  describe_map(t);
}

}  // namespace gputlm
