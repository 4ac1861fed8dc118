"""Files of a folder are compiled together, so what is private in one of them has a name of its own."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "fstmetrics" / "native"
DECLARATION = re.compile(
    r"(?:struct|class|enum class|enum|using) (\w+)\b(?!;)"
    r"|(?:inline |static )?const(?:expr)? [^(]*?\b(\w+)(?:\[\w*\])? ?[={]"
)

FUNCTION = re.compile(r"(?!return\b|using\b|else\b)(?:[\w:<>,*&\[\]]+ )+[*&]*(\w+)\(")


def private_lines(text: str) -> list[str]:
    """The lines of anonymous namespaces."""
    blocks = re.findall(r"^namespace \{$(.*?)^\}  // namespace$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def private_names(text: str) -> dict[str, str]:
    """Types and constants of anonymous namespaces, with the lines that declare them."""
    return declared(private_lines(text))


def declared(lines: Iterable[str]) -> dict[str, str]:
    """Types and constants, with the lines that declare them."""
    return {found[1] or found[2]: line for line in lines if (found := DECLARATION.match(line))}


def functions(lines: Iterable[str]) -> set[str]:
    """The names of functions outside of classes."""
    return {found[1] for line in lines if (found := FUNCTION.match(line))}


@pytest.mark.skipif(not NATIVE.is_dir(), reason="the sources of the core are not here")
def test_a_private_name_is_of_one_thing_in_its_folder_and_of_none_in_a_header():
    public = {name for file in NATIVE.rglob("*.h") for name in declared(file.read_text("utf-8").splitlines())}
    lines: defaultdict[tuple[Path, str], set[str]] = defaultdict(set)
    clashes = []
    for file in sorted(NATIVE.rglob("*.cc")):
        for name, line in private_names(file.read_text("utf-8")).items():
            where = lines[file.parent, name]
            if name in public or (where and (not line.startswith("using") or line not in where)):
                clashes.append(f"{file.relative_to(NATIVE)}: {name}")
            where.add(line)
    assert not clashes


@pytest.mark.skipif(not NATIVE.is_dir(), reason="the sources of the core are not here")
def test_no_private_function_hides_one_of_a_header_of_its_folder():
    """Files that are compiled behind it would find it alone."""
    public: defaultdict[Path, set[str]] = defaultdict(set)
    for file in NATIVE.rglob("*.h"):
        public[file.parent] |= functions(file.read_text("utf-8").splitlines())
    hiding = {
        f"{file.relative_to(NATIVE)}: {name}"
        for file in NATIVE.rglob("*.cc")
        for name in functions(private_lines(file.read_text("utf-8"))) & public[file.parent]
    }
    assert not hiding


def test_private_names_are_found():
    inside = "struct Task {\n};\nconstexpr double kNone = 1;\nusing Rows = int;\n"
    assert set(private_names(f"namespace {{\n\n{inside}\n}}  // namespace\nstruct Other {{}};\n")) == {
        "Task",
        "kNone",
        "Rows",
    }
    assert functions(
        ["bool is_one(Text text) {", "  run(text);", "const std::vector<Arc>& arcs() const;"]
    ) == {
        "is_one",
        "arcs",
    }
