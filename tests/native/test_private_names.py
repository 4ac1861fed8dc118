"""Files of a folder are compiled together, so what is private in one of them has a name of its own."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "fstmetrics" / "native"
DECLARATION = re.compile(
    r"(?:struct|class|enum class|enum|using) (\w+)\b(?!;)"
    r"|(?:inline |static )?const(?:expr)? [^(]*?\b(\w+)(?:\[\w*\])? ?[={]"
)


def private_names(text: str) -> dict[str, str]:
    """Types and constants of anonymous namespaces, with the lines that declare them."""
    names = {}
    for block in re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if found := DECLARATION.match(line):
                names[found[1] or found[2]] = line
    return names


@pytest.mark.skipif(not NATIVE.is_dir(), reason="the sources of the core are not here")
def test_no_private_name_is_used_for_two_things_in_a_folder():
    lines: defaultdict[tuple[Path, str], set[str]] = defaultdict(set)
    files: defaultdict[tuple[Path, str], list[str]] = defaultdict(list)
    for file in sorted(NATIVE.rglob("*.cc")):
        for name, line in private_names(file.read_text(encoding="utf-8")).items():
            lines[file.parent, name].add(line)
            files[file.parent, name].append(file.name)
    clashes = [
        f"{folder.relative_to(NATIVE)}: {name} in {', '.join(where)}"
        for (folder, name), where in files.items()
        if len(where) > 1
        and (len(lines[folder, name]) > 1 or not lines[folder, name].pop().startswith("using"))
    ]
    assert not clashes


def test_private_names_are_found():
    inside = "struct Task {\n};\nconstexpr double kNone = 1;\nusing Rows = int;\n"
    assert set(private_names(f"namespace {{\n\n{inside}\n}}  // namespace\nstruct Other {{}};\n")) == {
        "Task",
        "kNone",
        "Rows",
    }
