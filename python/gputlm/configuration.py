# SPDX-License-Identifier: Apache-2.0
"""A card's configuration, by path."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from typing import Union

from ._core import Parameter, ParameterView

Setting = Union[str, int, float, bool, list, tuple, Parameter]
"""What a parameter can be set to: a text as in YAML ("64", "1.5 ns"), or a value as Parameter.value gives it."""


def written(parameter: Parameter, value: Setting) -> str:
    """The value as one writes it in YAML. Numbers of times are ns, of sizes bytes, of frequencies Hz."""
    if isinstance(value, Parameter):
        return value.text
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(parameter, item) for item in value) + "]"
    text = repr(value.item() if hasattr(value, "item") else value)
    return f"{text} {parameter.written_unit}" if parameter.written_unit else text


def given(settings: Mapping[str, Setting] | None) -> Mapping[str, Setting]:
    """What a caller wants set; None: nothing."""
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise TypeError(f"settings are a mapping from path to value, as {{'l2.ways': 8}}, and not {settings!r}")
    return settings


class Config(Mapping):
    """All parameters of a card: a mapping from path to Parameter (value, unit, source, confidence, description, ...).

    Setting one checks its kind and range at once and raises ConfigError, with nothing changed; how values fit together
    is judged by check() and before every run, so that several can be set one after the other.
    """

    def __init__(self, name_or_path: Union[str, os.PathLike] = "rtx4090", set: Mapping[str, Setting] | None = None):
        """Loads a shipped configuration by name, or a file; then makes the settings."""
        self.name = os.fspath(name_or_path)
        self._view = ParameterView(self.name)
        self._settings: dict[str, str] = {}
        self.update(given(set))

    def copy(self) -> Config:
        """One that can be changed without this one changing."""
        other = Config.__new__(Config)
        other.name = self.name
        other._view = ParameterView(self._view)
        other._settings = dict(self._settings)
        return other

    def __getitem__(self, path: str) -> Parameter:
        parameter = self._view.find(path) if isinstance(path, str) else None
        if parameter is None:
            raise KeyError(path)
        return parameter

    def __setitem__(self, path: str, value: Setting) -> None:
        if not isinstance(path, str):
            raise TypeError(f"a parameter's path is a text, as 'l2.ways', and not {path!r}")
        known = self._view.find(path)
        text = written(known, value) if known is not None else str(value)
        self._view.set(path, text, f"{path}={text}")  # an unknown path is its mistake to report, with the nearest name
        self._settings.pop(path, None)
        self._settings[path] = text

    def update(self, settings: Mapping[str, Setting]) -> None:
        """Makes several settings; those before a wrong one stay."""
        for path, value in given(settings).items():
            self[path] = value

    def __iter__(self) -> Iterator[str]:
        return (parameter.path for parameter in self._view.parameters())

    def __len__(self) -> int:
        return len(self._view.parameters())

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._view.find(path) is not None

    def __repr__(self) -> str:
        return f"<Config {self.name}" + "".join(f" {path}={text}" for path, text in self._settings.items()) + ">"

    def group(self, prefix: str) -> list[Parameter]:
        """The parameters at a path or below it, as l2.janitor."""
        found = [p for p in self._view.parameters() if p.path == prefix or p.path.startswith(prefix + ".")]
        if not found:
            raise KeyError(prefix)
        return found

    @property
    def settings(self) -> dict[str, str]:
        """What was set over the file, in the order in which it was, as one writes it."""
        return dict(self._settings)

    def check(self) -> None:
        """Raises ConfigError where values do not fit together."""
        self._view.check()

    def to_yaml(self) -> str:
        """A complete configuration file with provenance. Raises ConfigError where values do not fit together."""
        return self._view.yaml()

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes to_yaml() into a file, new or in place of a regular one, which stays until the new one is whole. A link
        stays, and the file that it names is written. Raises OSError with the path, and leaves nothing then.
        """
        replace_file(os.fsdecode(path), self.to_yaml())


def replace_file(path: str, text: str) -> None:
    """Gives a regular file, or a new one, this content: whoever reads it finds it whole, or as it was."""
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}-{threading.get_ident()}.part"  # of this thread alone
    try:
        with contextlib.suppress(FileNotFoundError):  # a new one
            mode = os.stat(path).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, "is no regular file")
        with open(part, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(part, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)


def as_config(config: Union[Config, str, os.PathLike, None], default: str | None) -> Config | None:
    """What the caller of a run has given, as a Config that has been checked."""
    if config is None:
        config = default
    if config is not None and not isinstance(config, Config):
        config = Config(config)
    if config is not None:
        config.check()
    return config
