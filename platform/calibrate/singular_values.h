// SPDX-License-Identifier: Apache-2.0
//
// The little linear algebra that a fit of a few dozen parameters needs.
#pragma once

#include <vector>

namespace gputlm {

/// A matrix by its columns, all of one length.
using Columns = std::vector<std::vector<double>>;

double dot(const std::vector<double>& a, const std::vector<double>& b);
/// Euclidean length.
double norm(const std::vector<double>& a);
/// a += factor b.
void add_scaled(std::vector<double>& a, double factor, const std::vector<double>& b);

/// A matrix as left diag(values) right^T: the columns of `right` are directions of what it is applied to, each of which
/// comes out along the column of `left`, lengthened by the value. Values descend; where one is 0 the left column is 0.
struct SingularValues {
  std::vector<double> values;
  Columns left, right;
};

/// By one-sided Jacobi rotations, which also find small values to full relative accuracy; any shape of matrix.
SingularValues singular_values(Columns matrix);

}  // namespace gputlm
