# SPDX-License-Identifier: Apache-2.0
"""The gputlm command, started in a process of its own: a process elaborates one model once."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
from pathlib import Path

from . import _core
from ._core import ConfigError, Diagnostic
from .configuration import Config

_DONE, _FOUND, _BAD_INPUT = 0, 1, 2  # exit codes of the command
_NO_PROGRAM = (errno.ENOENT, errno.EACCES, errno.ENOEXEC)  # what starting a file says that is none


class CommandNotFound(RuntimeError):
    """The gputlm command is in no place where it is looked for, or what is there is no program."""


class RunError(RuntimeError):
    """A run that did not end well: a fault, a mismatch, a stall, a crash.

    `problems` are its messages; `result` is what it left, if anything.
    """

    def __init__(self, problems: list[str], result: object = None):
        super().__init__("\n".join(problems) or "the run failed")
        self.problems = problems
        self.result = result


def find_command() -> str:
    """The executable: of GPUTLM_COMMAND, else the one installed or built with this package, else of the PATH."""
    chosen = os.environ.get("GPUTLM_COMMAND")
    if chosen:
        command = shutil.which(chosen)
        if command is None:
            raise CommandNotFound(f"GPUTLM_COMMAND={chosen} names no program: a file that may be executed is wanted")
        return command
    for folder in Path(_core.__file__).resolve().parents:
        for place in ("bin/gputlm", "platform/cli/gputlm"):
            if os.access(folder / place, os.X_OK) and (folder / place).is_file():
                return str(folder / place)
    found = shutil.which("gputlm")
    if found is None:
        raise CommandNotFound("no gputlm command was found: build it, put it into PATH, or name it in GPUTLM_COMMAND")
    return found


_DIAGNOSTIC = re.compile(
    r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?:(?P<path>[\w.\[\]*,= -]+): )?(?P<message>.*?)"
    r"(?: \((?:found (?P<found>.*?))?(?:, )?(?:allowed (?P<allowed>.*))?\))?$"
)


def diagnostics_in(text: str) -> list[Diagnostic]:
    """The mistakes that the command printed; of a line without a place only the message is known."""
    found = []
    for line in filter(None, text.splitlines()):
        match = _DIAGNOSTIC.match(line)
        parts = {k: v for k, v in match.groupdict().items() if v is not None} if match else {"message": line}
        for number in ("line", "column"):
            if number in parts:
                parts[number] = int(parts[number])
        found.append(Diagnostic(**parts))
    return found


def bad_input(text: str) -> ConfigError:
    """The ConfigError that a message of the command stands for."""
    error = ConfigError(text)
    error.diagnostics = diagnostics_in(text)
    return error


def settings_of(config: Config) -> list[str]:
    """The command's options for what was set over the file."""
    return [word for path, text in config.settings.items() for word in ("--set", f"{path}={text}")]


def options_of(config: Config | None) -> list[str]:
    """The command's options that mean this configuration."""
    return [] if config is None else ["--config", config.name, *settings_of(config)]


class Ended:
    """A command that has ended: `found` is true when it has found something, as a missed reference."""

    def __init__(self, code: int, out: str, problems: list[str]):
        self.found = code == _FOUND
        self.out = out
        self.problems = problems


def execute(arguments: list[str], timeout: float | None = None) -> Ended:
    """Runs the command to its end. Raises ConfigError for bad input, CommandNotFound, RunError when it was killed or
    crashed, and subprocess.TimeoutExpired, after which it no longer runs; so it does after a KeyboardInterrupt.
    """
    command = find_command()
    try:
        done = subprocess.run(
            [command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
        )
    except OSError as error:
        if error.errno not in _NO_PROGRAM:
            raise
        raise CommandNotFound(f"{command} cannot be started: {error.strerror}") from error
    out, err = (text.decode("utf-8", errors="replace") for text in (done.stdout, done.stderr))
    if done.returncode == _BAD_INPUT:
        raise bad_input(err.strip() or out.strip())
    problems = [line.removeprefix("gputlm: ") for line in err.splitlines() if line.strip()]
    if done.returncode not in (_DONE, _FOUND):
        raise RunError(problems or [f"gputlm {arguments[0]} ended with code {done.returncode}"])
    return Ended(done.returncode, out, problems)
