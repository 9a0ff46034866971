"""The docs say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_generated_tables_are_up_to_date() -> None:
    found = subprocess.run(
        [sys.executable, ROOT / "scripts" / "docs.py", "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"{found.stdout}{found.stderr}: run scripts/docs.py"


def test_every_rule_that_the_code_names_is_on_the_rules_page() -> None:
    page = (ROOT / "docs" / "rules.md").read_text()
    known = set(re.findall(r"^- ([BSDHTFNMEP]\d+)\.", page, re.MULTILINE))
    sources = [path for folder in ("sorry_env", "agents") for path in (ROOT / folder).rglob("*.py")]
    named = {rule for path in sources for rule in re.findall(r"\b([SDH]\d+)\b", path.read_text())}
    assert named
    assert named <= known


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
