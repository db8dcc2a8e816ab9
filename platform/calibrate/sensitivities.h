// SPDX-License-Identifier: Apache-2.0
//
// What targets say about parameters: how well each is known, and which of them could be changed together without a
// target noticing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gputlm/calibrate/singular_values.h"

namespace gputlm {

/// Two parameters that change the targets alike.
struct AlikePair {
  std::size_t first = 0, second = 0;
  double correlation = 0;  ///< Cosine of the angle between what they change: near 1 alike, near -1 opposite.
};

/// A combination of changes that the targets do not show.
struct FreeCombination {
  struct Change {
    std::size_t parameter = 0;
    double share = 0;  ///< Of the way between its bounds; the first one's is a tenth.
  };
  std::vector<Change> changes;
};

struct Sensitivities {
  /// Per parameter: tolerances by which the targets together (root of the sum of squares) change over the whole way
  /// between its bounds, at the slope that they have at the result.
  std::vector<double> strength;
  /// Parameters of which the whole way changes the targets by less than one tolerance.
  std::vector<std::size_t> silent;
  /// Of the others, with what each changes scaled to length 1: how different the changes of the combinations are. As
  /// many as parameters; all 1 where every one changes targets of its own, 0 for each combination that changes none.
  std::vector<double> singular_values;
  std::vector<AlikePair> alike;       ///< Correlation beyond 0.99.
  std::vector<FreeCombination> free;  ///< Singular value below a tenth.
  /// Per parameter: share of the way between its bounds within which the targets hold it, each of them off by one
  /// tolerance. Nothing for those that are silent or part of a free combination.
  std::vector<std::optional<double>> known_to;
};

/// `effects`: per parameter, change of each target over the whole way between its bounds, in tolerances.
Sensitivities analyse(const Columns& effects);

}  // namespace gputlm
