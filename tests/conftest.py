"""What all tests share: hypothesis profiles, and a parameter for every ruleset and number of seats."""

import pytest
from hypothesis import HealthCheck, settings

import toy_race
from sorry_env import batch
from strategies import KINDS

# The same examples on every machine. `pytest --hypothesis-profile ci` looks at more of them.
settings.register_profile(
    "default",
    derandomize=True,
    deadline=None,  # the first call of a kernel compiles it
    max_examples=6,  # of each property for each kind, of which there are many
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("ci", settings.get_profile("default"), max_examples=150)
settings.load_profile("default")


batch.WORTH_A_THREAD = 1  # threads share the few lanes of a test, too


@pytest.fixture(scope="session", params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def kind(request):
    """A ruleset's name and a number of seats, for `variant(*kind)`; a new ruleset comes in by itself."""
    return request.param


@pytest.fixture(scope="module")
def toy():
    """The toy is a game in the files that ask for it alone."""
    with toy_race.known():
        yield
