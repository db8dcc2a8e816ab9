// SPDX-License-Identifier: Apache-2.0
//
// Public names: what a driver writes for the card to read (docs/host.md). gputlm::GpfifoEntry,
// gputlm::PushbufferWriter, gputlm::Qmd, and the methods of channels, compute and copy engines.
#pragma once

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/compute_methods.h"
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/gpfifo_entry.h"
#include "gputlm/hostformats/pushbuffer_writer.h"
#include "gputlm/hostformats/qmd.h"
#include "gputlm/version.h"
