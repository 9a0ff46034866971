"""The ledger: every match that was ever played, in one SQLite file, so that none is played twice and ratings add up.

A row is a match: who played what with which deals, and what every game gave, luck too where it was measured. Rows are
added in transactions and never changed; several processes may write at a time.

A player is its spec, with what checkpoint files hold in place of their names: a file that was trained on under the
same name is another player, and a copy is the same one. A match is known again by ruleset, colours, players, seed and
the version of sorry_env. More deals begin with the same ones as fewer, so a match of more answers for fewer; and all
players get all seats, so a match is the same whichever player it is told from.
"""

import hashlib
import json
import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.arena import LANES, MatchResult, Progress, play_match, sides
from agents.ratings import Record, record_of
from sorry_env.errors import SorryError, suggestion
from sorry_env.players import LENT, PLAYERS, AfterstatePlayer, Player
from sorry_env.players.champion import FOLDER
from sorry_env.variant import Variant

APPLICATION = 0x50414E44
"""SQLite's application id of a ledger."""
SCHEMA = 1
"""Number of the tables' form; a reader refuses later ones."""
PATIENCE = 60
"""Seconds to wait while another process writes."""
_TABLES = (
    """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    played TEXT NOT NULL,   -- when, UTC
    version TEXT NOT NULL,  -- of sorry_env
    ruleset TEXT NOT NULL,
    seats TEXT NOT NULL,    -- colours in turn order
    players TEXT NOT NULL,  -- JSON list: specs, digests in place of files
    specs TEXT NOT NULL,    -- JSON list: as they were given
    seed INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    luck TEXT NOT NULL,     -- who measured it, as in players, or empty
    returns BLOB NOT NULL,  -- zlib of (deals, rotations, players) float64
    turns BLOB NOT NULL,    -- zlib of (deals, rotations) int64
    lucks BLOB,             -- as returns
    UNIQUE (ruleset, seats, players, seed, deals, luck, version)
)
""",
    "CREATE TRIGGER unchanged BEFORE UPDATE ON matches BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END",
    "CREATE TRIGGER undeleted BEFORE DELETE ON matches BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END",
)
_FIND = """
SELECT deals, returns, turns, lucks FROM matches
WHERE ruleset = ? AND seats = ? AND players = ? AND seed = ? AND version = ? AND deals >= ? AND ? IN (luck, '')
ORDER BY deals LIMIT 1
"""
_ALL = """
SELECT players, seed, specs, deals, returns, turns, lucks FROM matches
WHERE ruleset = ? AND seats = ? ORDER BY luck <> '', deals, id
"""
_FILES = re.compile(r"[^?&=]+\.safetensors")
_CHAMPION = re.compile(r"\bchampion\b")

_DIGEST = re.compile(r"\b[0-9a-f]{16}\b")


class LedgerError(SorryError):
    """A file that is no ledger, is damaged or of a later version, or a match that cannot be entered."""


class Ledger:
    """An open ledger; made where there is no file. Close it, or use it in a `with` statement."""

    def __init__(self, path: str | Path) -> None:
        """Open or create.

        Raises:
            LedgerError: the file is something else, damaged, or of a later version.
        """
        self.path = Path(path)
        self._known: dict[str, str] = {}
        with self._told():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        try:
            with self._told():
                self._begin()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> "Ledger":
        """The ledger."""
        return self

    def __exit__(self, *unused: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Give up the file."""
        self._db.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Words for what SQLite and the disk say."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise LedgerError(
                f"the ledger {str(self.path)!r} is damaged, or not a ledger that can be read and written: {error}; "
                "choose another file"
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _begin(self) -> None:
        """Check what the file is, and make the tables of an empty one."""
        if self._is_empty():
            with self._transaction():
                if self._is_empty():  # nobody else has been faster
                    for statement in _TABLES:
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._db.execute(f"PRAGMA user_version = {SCHEMA}")
        if self._number("application_id") != APPLICATION:
            raise LedgerError(f"{str(self.path)!r} is an SQLite file, but not a ledger; choose another file")
        schema = self._number("user_version")
        if schema != SCHEMA:
            raise LedgerError(
                f"the ledger {str(self.path)!r} has schema {schema}; this version of sorry_env knows {SCHEMA}; "
                "take the version that wrote it, or choose another file"
            )
        (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise LedgerError(f"the ledger {str(self.path)!r} is damaged: {verdict}; choose another file")

    def _is_empty(self) -> bool:
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return not tables and self._number("application_id") == 0

    def _number(self, pragma: str) -> int:
        (number,) = self._db.execute(f"PRAGMA {pragma}").fetchone()
        return int(number)

    # --- players

    def identify(self, spec: str) -> str:
        """A player's spec with 16 digits of SHA-256 in place of each checkpoint file, and behind `champion`.

        What a file holds when this is first asked counts while the ledger is open. Ask before the player is made, so
        that training which goes on under the same name does not come between.

        Raises:
            LedgerError: a file that cannot be read, or a spec that makes no player.
        """
        if spec not in self._known:
            self._known[spec] = identified(spec)
            name, known = spec.partition("?")[0], [*PLAYERS, *LENT]
            if self._known[spec] == spec and name not in known:
                raise LedgerError(f"unknown player {spec!r}; {suggestion(name, known)}, or save it as a checkpoint")
        return self._known[spec]

    # --- matches

    def match(
        self,
        game: Variant,
        players: Sequence[Player],
        deals: int,
        seed: int,
        progress: Progress | None = None,
        lanes: int = LANES,
        luck: AfterstatePlayer | None = None,
    ) -> MatchResult:
        """`play_match`, unless the ledger has the match already; a new one is added.

        Raises:
            ValueError: as in `play_match`, or a seed that SQLite cannot hold.
            LedgerError: the file cannot be read or written.
        """
        if not 0 <= seed < 2**63:
            raise LedgerError(f"seed {seed}: a whole number from 0 to 2**63 - 1")
        shift = self._shift([player.spec for player in players])
        turned = [*players[shift:], *players[:shift]]
        found = self.find(game, [player.spec for player in turned], deals, seed, luck.spec if luck else None)
        if found is None:
            found = play_match(game, turned, deals, seed, progress, lanes, luck)
            self.append(game, found, seed, luck.spec if luck else None)
        elif progress:
            progress(deals * game.seats)
        return _turned_back(found, shift)

    def _shift(self, specs: list[str]) -> int:
        """From which player on a match is written down: of all ways round the first in the alphabet."""
        own = [self.identify(spec) for spec in specs]
        return min(range(len(own)), key=lambda k: own[k:] + own[:k])

    def find(
        self, game: Variant, specs: Sequence[str], deals: int, seed: int, luck: str | None = None
    ) -> MatchResult | None:
        """The match that was written down with these players in this order, cut to so many deals; None if none was.

        Args:
            game: the variant.
            specs: of the S players.
            deals: at least so many were played.
            seed: of the deals.
            luck: spec of the player that measured luck; None: luck is not asked for.
        """
        key = (*self._game(game), self._players(specs), seed, version("sorry-env"), deals, self._measured(luck))
        with self._told():
            row = self._db.execute(_FIND, key).fetchone()
        return None if row is None else self._result(game, tuple(specs), row, deals, bool(luck))

    def append(self, game: Variant, result: MatchResult, seed: int, luck: str | None = None) -> None:
        """Write a match down; one that is there already stays as it is.

        Args:
            game: the variant.
            result: what the match gave.
            seed: that it was played with.
            luck: spec of the player that measured luck, if any did.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        blobs = [_packed(result.returns), _packed(result.turns), _packed(result.luck)]
        players, deals = (self._players(result.specs), json.dumps(result.specs)), len(result.returns)
        row = (now, version("sorry-env"), *self._game(game), *players, seed, deals, self._measured(luck), *blobs)
        with self._told(), self._transaction():
            self._db.execute(f"INSERT OR IGNORE INTO matches VALUES (NULL{', ?' * len(row)})", row)

    def records(self, game: Variant) -> list[Record]:
        """All matches of a variant, for `agents.ratings.rate`.

        Deals that the same players have played several times count once: those with luck measured before those
        without, then the most deals, then the latest. A player's name is the spec that it had last, with some digits of
        its file behind it where several have the same.
        """
        with self._told():
            rows = self._db.execute(_ALL, self._game(game)).fetchall()
        last = {(players, seed): row for players, seed, *row in rows}
        known: dict[str, str] = {}
        for (players, _), (specs, *_) in last.items():
            known |= dict(zip(json.loads(players), json.loads(specs), strict=True))
        names = _names(known)
        return [
            record_of(self._whole(game, row), seed, [names[player] for player in json.loads(players)])
            for (players, seed), row in last.items()
        ]

    def _whole(self, game: Variant, row: Any) -> MatchResult:
        """The match of a row of `_ALL`, less luck where that was measured."""
        specs, deals, *_, lucks = row
        return self._result(game, tuple(json.loads(specs)), row[1:], deals, lucks is not None)

    def _game(self, game: Variant) -> tuple[str, str]:
        return str(game.ruleset), ",".join(game.colours)

    def _players(self, specs: Sequence[str]) -> str:
        return json.dumps([self.identify(spec) for spec in specs])

    def _measured(self, luck: str | None) -> str:
        """Who measured luck, as the table has it."""
        return self.identify(luck) if luck else ""

    def _result(self, game: Variant, specs: tuple[str, ...], row: Any, deals: int, luck: bool) -> MatchResult:
        """A row's match, cut to so many deals."""
        written, returns, turns, lucks = row
        shape = written, game.seats, game.seats
        try:
            made, lengths = _unpacked(returns, np.float64, shape), _unpacked(turns, np.int64, shape[:2])
            lucky = _unpacked(lucks, np.float64, shape)[:deals] if luck else None
        except (zlib.error, ValueError, TypeError) as error:
            raise LedgerError(f"the ledger {str(self.path)!r} has a damaged match of {specs}: {error}") from error
        return MatchResult(specs, made[:deals], lengths[:deals], sides(game), lucky)


def identified(spec: str) -> str:
    """A player's spec with 16 digits of SHA-256 in place of each checkpoint file, and behind `champion`.

    Raises:
        LedgerError: a file that cannot be read.
    """
    return _CHAMPION.sub(_champions, _FILES.sub(_digest, spec))


def _digest(file: re.Match[str]) -> str:
    """16 hexadecimal digits of a file's SHA-256."""
    try:
        return hashlib.sha256(Path(file[0]).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise LedgerError(f"cannot read the checkpoint {file[0]!r}: {error.strerror}") from error


def _champions(word: re.Match[str]) -> str:
    """The word, and 16 hexadecimal digits of the SHA-256 of all champions that the package holds."""
    content = b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.safetensors")))
    return f"{word[0]}@{hashlib.sha256(content).hexdigest()[:16]}"


def _names(specs: dict[str, str]) -> dict[str, str]:
    """Player -> its name, of player -> spec: the spec, with some digits of its file where others have the same."""
    several = {spec for spec, count in Counter(specs.values()).items() if count > 1}
    return {
        player: f"{spec}@{_DIGEST.findall(player)[0][:8]}" if spec in several else spec
        for player, spec in specs.items()
    }


def _packed(numbers: npt.NDArray[Any] | None) -> bytes | None:
    return None if numbers is None else zlib.compress(np.ascontiguousarray(numbers).tobytes())


def _unpacked(blob: bytes, dtype: type, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    return np.frombuffer(zlib.decompress(blob), dtype).reshape(shape)


def _turned_back(result: MatchResult, shift: int) -> MatchResult:
    """A match whose player 0 was the one at `shift`, as told from the first; each rotation is one of the others."""

    def back(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.roll(np.roll(numbers, -shift, axis=1), shift, axis=2)

    specs = tuple(np.roll(np.array(result.specs, dtype=object), shift))
    lucks = None if result.luck is None else back(result.luck)
    return MatchResult(specs, back(result.returns), np.roll(result.turns, -shift, axis=1), result.sides, lucks)
