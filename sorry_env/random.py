"""The generator of a lane: xoroshiro64** of Blackman and Vigna, its two 32-bit halves in one uint64.

It lies beside the states, one a lane, so that lanes never influence each other. Products and sums stay below 2**64
and are cut to 32 bits, so that NumPy scalars behave like compiled integers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner

Generators = npt.NDArray[np.uint64]
"""(N,) uint64, none of them zero."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_STAR = np.uint64(0x9E3779BB)
_FIVE, _NINE, _THIRTEEN, _TWENTY_SIX = np.uint64(5), np.uint64(9), np.uint64(13), np.uint64(26)


def generators(seed: int | np.random.SeedSequence | None, count: int) -> Generators:
    """(count,) independent generators from one seed; the first ones are the same whatever the count."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    words = sequence.generate_state(count, np.uint64)
    return np.where(words == 0, np.uint64(1), words)


def seeded(seeds: npt.NDArray[np.uint64], stream: int) -> Generators:
    """(N,) generators, each from a seed of its own, (N,) uint64; another stream gives others for the same seeds.

    Lane i of many and a single lane with the same seed have the same generator.
    """
    words = _scattered(_scattered(seeds) + np.uint64(stream))
    return np.where(words == 0, np.uint64(1), words)


def _scattered(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of SplitMix64 by Steele, Lea and Flood: neighbouring words become unlike; arrays wrap silently."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


@inner
def _rotated(word: np.uint64, bits: np.uint64) -> np.uint64:
    """A 32-bit word rotated to the left."""
    return ((word << bits) | (word >> (_HALF - bits))) & _LOW


@inner
def next_number(rng: Any, i: Int) -> np.uint64:
    """The next number, uniform over 0..2**32-1, of generator i of (N,) uint64."""
    s0 = rng[i] & _LOW
    s1 = rng[i] >> _HALF
    number = (_rotated((s0 * _STAR) & _LOW, _FIVE) * _FIVE) & _LOW
    s1 ^= s0
    s0 = _rotated(s0, _TWENTY_SIX) ^ s1 ^ ((s1 << _NINE) & _LOW)
    rng[i] = s0 | (_rotated(s1, _THIRTEEN) << _HALF)
    return number


@inner
def below(number: np.uint64, bound: Int) -> Any:
    """A number of `next_number` scaled to 0..bound-1."""
    return (np.int64(number) * bound) >> 32
