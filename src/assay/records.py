"""Small classes whose attributes are declared once, in the class body: what `dataclasses` do, without the 16 ms of their import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform

    @dataclass_transform(kw_only_default=True)
    class Declared: ...
else:
    Declared = object


class Record(Declared):
    """Attributes are given by keyword; those that have a value in the class body may be left out.

    >>> class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> one = Point(x=1)
    >>> one.x, one.y, one.but(y=2).y
    (1, 0, 2)
    """

    def __init__(self, **given: Any) -> None:
        kind = type(self)
        for name in given.keys() - kind.__annotations__.keys():
            raise TypeError(f"{kind.__name__}: no attribute {name!r}")
        self.__dict__.update(given)
        for name in kind.__annotations__:
            if not hasattr(self, name):
                raise TypeError(f"{kind.__name__}: {name!r} must be given")

    def but(self, **changed: Any) -> Self:
        """The same with some attributes changed."""
        return type(self)(**{**vars(self), **changed})
