// SPDX-License-Identifier: Apache-2.0
//
// Rows as a table for people, JSON or CSV for programs, and the calibration document.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/probe/probe_run.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// {probe, case, value, unit, reference, tolerance, source, kind, ok}; null where there is none.
Json row_json(const ProbeRow& row);

void print_rows_table(std::ostream& out, const std::vector<ProbeRow>& rows);
void print_rows_json(std::ostream& out, const std::vector<ProbeRow>& rows);
void print_rows_csv(std::ostream& out, const std::vector<ProbeRow>& rows);
/// docs/calibration.md: fitted values with the measurement each was fitted to, predictions with their errors, misses of
/// published ranges, and what has no published figure. `config` gives the fitted values.
void print_calibration(std::ostream& out, const std::vector<ProbeRow>& rows, const Config& config);
/// docs/cards.md: what comes out on a card to which nothing was fitted, beside what is published.
void print_card(std::ostream& out, const std::vector<ProbeRow>& rows, const Config& config);

}  // namespace gputlm
