#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# studies.sh [RESULTS]: runs all shipped sweeps, a few minutes on two cores, and draws the figures of docs/studies.md anew.
# Results are kept in RESULTS (build/studies); GPUTLM names another command than the build's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gputlm=${GPUTLM:-build/release/platform/cli/gputlm}
results=${1:-build/studies}
for sweep in configs/sweeps/*.yaml; do
  name=$(basename "$sweep" .yaml)
  "$gputlm" sweep "$sweep" --restart --out "$results/$name"
done
python3 docs/studies/draw.py "$results" docs/studies
