# SPDX-License-Identifier: Apache-2.0
"""A card's configuration, by path."""

from __future__ import annotations

import os
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
        self.update(set or {})

    def copy(self) -> Config:
        """One that can be changed without this one changing."""
        other = Config.__new__(Config)
        other.name = self.name
        other._view = ParameterView(self._view)
        other._settings = dict(self._settings)
        return other

    def __getitem__(self, path: str) -> Parameter:
        parameter = self._view.find(path)
        if parameter is None:
            raise KeyError(path)
        return parameter

    def __setitem__(self, path: str, value: Setting) -> None:
        known = self._view.find(path)
        text = written(known, value) if known is not None else str(value)
        self._view.set(path, text, f"{path}={text}")  # an unknown path is its mistake to report, with the nearest name
        self._settings.pop(path, None)
        self._settings[path] = text

    def update(self, settings: Mapping[str, Setting]) -> None:
        """Makes several settings; those before a wrong one stay."""
        for path, value in settings.items():
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
        """Writes to_yaml() into a file; an earlier one stays until the new one is whole."""
        text = self.to_yaml()
        part = os.fspath(path) + ".part"
        with open(part, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(part, path)


def as_config(config: Union[Config, str, os.PathLike, None], default: str | None) -> Config | None:
    """What the caller of a run has given, as a Config that has been checked."""
    if config is None:
        config = default
    if config is not None and not isinstance(config, Config):
        config = Config(config)
    if config is not None:
        config.check()
    return config
