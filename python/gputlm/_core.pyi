# SPDX-License-Identifier: Apache-2.0
from typing import Any, overload

__version__: str

class Diagnostic:
    """One mistake in an input, and where it is."""

    file: str
    line: int
    column: int
    path: str
    message: str
    found: str
    allowed: str
    def __init__(
        self,
        file: str = "",
        line: int = 0,
        column: int = 0,
        path: str = "",
        message: str = "",
        found: str = "",
        allowed: str = "",
    ) -> None: ...

class ConfigError(ValueError):
    """An input that is wrong: every mistake with its place."""

    diagnostics: list[Diagnostic]

class Parameter:
    """A configuration value with what is known of it."""

    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def unit(self) -> str: ...
    @property
    def written_unit(self) -> str: ...
    @property
    def allowed(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def confidence(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def origin(self) -> str: ...

class ParameterView:
    """All parameters of one configuration; gputlm.Config is built on it."""

    @overload
    def __init__(self, name_or_path: str) -> None: ...
    @overload
    def __init__(self, other: ParameterView) -> None: ...
    def parameters(self) -> list[Parameter]: ...
    def find(self, path: str) -> Parameter | None: ...
    def set(self, path: str, value: str, origin: str) -> None: ...
    def check(self) -> None: ...
    def yaml(self) -> str: ...

def find_config(name_or_path: str) -> str: ...
def shipped(folder: str) -> list[str]: ...
