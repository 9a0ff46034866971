"""The ruleset of Parcheesi as a value. The numbers in parentheses are those of the rules page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from sorry_env.rulesets import Ruleset


@dataclass(frozen=True, kw_only=True)
class ParcheesiRules(Ruleset):
    """The rules of Parcheesi, without its seats."""

    NAMES: ClassVar[tuple[str, ...]] = ("parcheesi",)

    pieces: int = 4
    """Pieces a seat (P1); 1 to 3 for study."""
    third_doublet_penalty: bool = True
    """The third doublet in a row sends the foremost piece back to the nest and ends the turn (P9)."""
    second_lap: bool = True
    """A piece may go past its home row for another lap (P11)."""
    doublet_breaks_blockade: bool = False
    """A piece moved by a part of a doublet may pass over a foreign blockade (P12)."""

    def problems(self) -> Iterator[str]:
        """See `Ruleset.problems`."""
        yield from super().problems()
        if not 1 <= self.pieces <= 4:
            yield f"pieces={self.pieces}: a seat has 1 to 4 pieces (P1)"


PARCHEESI = ParcheesiRules(name="parcheesi")
"""Section P."""
EDITIONS = (PARCHEESI,)
"""The named rulesets."""
