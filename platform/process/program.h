// SPDX-License-Identifier: Apache-2.0
//
// Other programs, and this one again, run and waited for.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gputlm {

/// How a program ended.
struct ProgramEnd {
  int code = 0;        ///< Exit code; 127 when it could not be started.
  int signal = 0;      ///< That ended it; 0: none.
  std::string output;  ///< Of its standard output and error, what went to no file.

  bool ok() const { return code == 0 && signal == 0; }
  /// `exit code 2`, `Killed`.
  std::string text() const;
};

/// Where a program's words go; an empty name: into ProgramEnd::output. Both may be the same file.
struct ProgramFiles {
  std::string out, error;
};

/// Starts the program (arguments[0], sought on the PATH unless it holds a slash) and waits for its end. It is killed
/// when this process ends, however that happens. Throws std::runtime_error when no process can be made or a file
/// cannot be written.
ProgramEnd run_program(const std::vector<std::string>& arguments, const ProgramFiles& files = {});

/// Whether the PATH has a program of that name.
bool has_program(const std::string& name);

/// The file of the program that runs.
std::string own_program();

/// To be called in a forked child: it is killed as soon as its parent is gone.
void end_with(pid_t parent);

}  // namespace gputlm
