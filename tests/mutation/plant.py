"""Wrong rules of models/**/*.cpp by Clang's syntax tree, and sources in which many of them stand side by side.

Each is an expression or a statement that becomes `(holds(17) ? (wrong) : (right))` or `if (!holds(17)) { right; }`, so
that the models are compiled once for all of them and SPILLWAY_MUTANT chooses one when they run (chosen.hpp).

Bytes are read as Latin-1 throughout: an offset of Clang's is an index of the text."""
import collections, os, pathlib, re, sys

sys.path.append("/usr/lib/python3/dist-packages")  # of python3-clang-19, whatever Python comes first
import clang.cindex
from clang.cindex import CursorKind

clang.cindex.Config.set_library_file("/usr/lib/llvm-19/lib/libclang.so")
Spot = collections.namedtuple("Spot", "path start end place old new wrong form")  # form: expression, removed, instead
swaps = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*",
         "%": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
calls = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any_of": "all_of", "all_of": "any_of", "none_of": "any_of",
         "lower_bound": "upper_bound", "upper_bound": "lower_bound", "front": "back", "back": "front", "round": "floor", "llround": "(long long)"}
nothing = {"false", "{}", "std::nullopt", "nullptr", "0", "0.0", "std::string()", "{ }"}
flags = ["-std=c++20", "-DNDEBUG", "-D_GLIBCXX_ASSERTIONS", "-ffp-contract=off", "-w", "-Wno-c++11-narrowing", "-Wno-invalid-constexpr",
         "-ferror-limit=0"]


def parse(source, house, more=(), text=None):
    index = clang.cindex.Index.create()
    options = clang.cindex.TranslationUnit.PARSE_NONE
    return index.parse(str(source), args=[*flags, *more, f"-I{house}"], options=options, unsaved_files=[(str(source), text)] if text else None)


# Rooms that read documents: their mistakes are what a text means, not a rule.
readers = ("models/documents/", "models/envoy/api/", "models/envoy/proxy/", "models/kuma/documents/", "models/kuma/messages/",
           "models/istio/documents/", "models/istio/messages/")


def groups(house):
    """Sources of rules that are compiled as one, as CompilerSettings.cmake has them."""
    found = collections.defaultdict(list)
    for path in sorted((house / "models").rglob("*.cpp")):
        name = str(path.relative_to(house))
        if name.startswith(readers):
            continue
        folder = "models/envoy/policies" if name.startswith("models/envoy/policies/") else os.path.dirname(name)
        found[folder].append(name)
    return found


class Reader:
    """Collects the spots of one source."""

    def __init__(self, path, text):
        self.path, self.text, self.found = path, text, {}

    def extent(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def add(self, start, end, place, old, new, wrong, form="expression"):
        if "#" not in self.text[start:end] and "assert(" not in self.text[start:end]:
            self.found.setdefault((start, end, place, new), Spot(self.path, start, end, place, old, new, wrong, form))

    def visit(self, cursor, inside=False, counting=False):
        kind = cursor.kind
        start, end = self.extent(cursor)
        text = self.text[start:end]
        children = [child for child in cursor.get_children() if child.location.file and child.extent.start.file]
        if kind in (CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL) or kind == CursorKind.VAR_DECL and re.match(r"(static |inline )*constexpr", text):
            return
        if inside:
            self.expression(cursor, kind, start, end, text, children, counting)
        if kind == CursorKind.COMPOUND_STMT:
            inside = True
            for child in children:
                self.statement(child)
        if kind == CursorKind.RETURN_STMT and inside and children:
            self.returned(start, end, text)
        if kind == CursorKind.CONTINUE_STMT:
            self.add(start, end + 1, start, "continue;", "break;", "break;", "instead")
        labels = children[:1] if kind == CursorKind.CASE_STMT else []
        for child in children:
            if child not in labels:
                # What counts a loop on makes it endless, which says nothing.
                last = kind == CursorKind.FOR_STMT and child.kind in (CursorKind.UNARY_OPERATOR, CursorKind.CALL_EXPR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)
                self.visit(child, inside, last)

    def expression(self, cursor, kind, start, end, text, children, counting):
        if kind == CursorKind.INTEGER_LITERAL and re.fullmatch(r"[\d']+[uUlLzZ]*", text):
            digits, suffix = re.fullmatch(r"([\d']+)(\D*)", text).groups()
            more = f"{int(digits.replace(chr(39), '')) + 1}{suffix}"
            self.add(start, end, start, text, more, more)
        elif kind == CursorKind.FLOATING_LITERAL and re.fullmatch(r"[\d.']+", text):
            self.add(start, end, start, text, f"{text} + 1", f"{text} + 1")
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR and text in ("true", "false"):
            other = "false" if text == "true" else "true"
            self.add(start, end, start, text, other, other)
        elif text.startswith("!") and len(children) >= 1 and kind in (CursorKind.UNARY_OPERATOR, CursorKind.CALL_EXPR) and not text.startswith("!="):
            if self.extent(children[-1])[1] == end:
                self.add(start, end, start, "!", "", f"static_cast<bool>({text[1:]})")
        elif re.match(r"\+\+|--", text) and kind == CursorKind.UNARY_OPERATOR and not counting:
            other = "--" if text.startswith("++") else "++"
            self.add(start, end, start, text[:2], other, other + text[2:])
        elif text.startswith("-") and kind == CursorKind.UNARY_OPERATOR and re.match(r"-\w", text):
            self.add(start, end, start, "-", "", text[1:])
        if kind == CursorKind.CALL_EXPR:
            named = re.match(r"(std::(?:ranges::)?)(\w+)\b", text)
            if named and named.group(2) in calls and named.group(2) not in ("front", "back"):
                other = calls[named.group(2)]
                # What others overload may come to be found by the arguments alone.
                self.add(start, end, start + named.start(2), named.group(2), other, text[:named.start(2)] + other + text[named.end(2):])
            member = re.search(r"\.(front|back)\(\)$", text)
            if member:
                other = calls[member.group(1)]
                self.add(start, end, start + member.start(1), member.group(1), other, text[:member.start(1)] + other + "()")
        extents = sorted({self.extent(child) for child in children})
        sides = [(left, right) for left, right in extents if start <= left < right <= end and self.text[left:right] not in swaps
                 and not self.text[left:right].startswith("operator")]
        if len(sides) == 2 and sides[0][0] == start and sides[1][1] == end and sides[0][1] <= sides[1][0]:
            between = self.text[sides[0][1]:sides[1][0]]
            operator = between.strip()
            texts = operator == "+" and "basic_string" in cursor.type.get_canonical().spelling
            if operator in swaps and not texts and not (counting and operator.endswith("=")):
                left, right = self.text[start:sides[0][1]], self.text[sides[1][0]:end]
                other = swaps[operator]
                self.add(start, end, sides[0][1] + between.index(operator), operator, other, f"({left}) {other} ({right})")

    def statement(self, cursor):
        start, end = self.extent(cursor)
        text = self.text[start:end]
        if not cursor.kind.is_expression() or not self.text[end:].lstrip().startswith(";"):
            return
        if re.search(r"(\.|->)(reserve|shrink_to_fit)\(|prefetch", text) or text.startswith(("(void)", "static_cast<void>", "throw")):
            return  # nothing that can be asked
        end = self.text.index(";", end) + 1
        self.add(start, end, start, self.text[start:end], "nothing", "", "removed")

    def returned(self, start, end, text):
        end = self.text.find(";", end) + 1
        if text.removeprefix("return").strip() not in nothing:
            self.add(start, end, start, self.text[start:end], "return {};", "return {};", "instead")


def spots(house):
    """All wrong rules of the models, in the order of their sources."""
    found = []
    for folder, paths in groups(house).items():
        unit = parse(house / "models" / "unit.cpp", house, text="".join(f'#include "{path}"\n' for path in paths))
        errors = [str(diagnostic) for diagnostic in unit.diagnostics if diagnostic.severity >= 3]
        if errors:
            sys.exit(f"{folder} cannot be read: {errors[0]}")
        readers = {str(house / path): Reader(path, (house / path).read_text("latin-1")) for path in paths}
        for cursor in unit.cursor.get_children():
            reader = readers.get(str(cursor.location.file))
            if reader:
                reader.visit(cursor)
        for reader in readers.values():
            found += sorted(reader.found.values(), key=lambda spot: (spot.start, spot.end, spot.place, spot.new))
    return found


def keys_of(found, house):
    """A name for each wrong rule that outlives changes of other lines: its file, its line's text, where in it, what becomes of
    it, and which of such lines."""
    texts, seen, names = {}, collections.Counter(), {}
    for spot in found:
        text = texts.setdefault(spot.path, (house / spot.path).read_text("latin-1"))
        begin = text.rfind("\n", 0, spot.place) + 1
        finish = text.find("\n", spot.place)
        old = spot.old.split("\n")[0].rstrip()
        key = f"{spot.path}: {text[begin:spot.place].lstrip()}[{old} -> {spot.new}]{text[spot.place + len(old):finish].rstrip()}"
        seen[key] += 1
        names[spot] = key if seen[key] == 1 else f"{key} #{seen[key]}"
    return names


def line_of(spot, house):
    return (house / spot.path).read_text("latin-1").count("\n", 0, spot.place) + 1


def planted(text, numbered):
    """The text of a source with its spots, (number, Spot) each; marks say where each stands, for stillborn()."""
    by_extent = collections.defaultdict(list)
    for number, spot in numbered:
        by_extent[spot.start, spot.end].append((number, spot))
    extents = sorted(by_extent, key=lambda extent: (extent[0], -extent[1]))

    def rendered(start, end, inner):
        """text[start:end], of which `inner` are the extents that change, the outer ones first."""
        out, at = [], start
        while inner:
            outer = inner[0]
            own = [extent for extent in inner[1:] if extent[1] <= outer[1]]
            inner = [extent for extent in inner[1:] if extent[0] >= outer[1]]
            out += [text[at:outer[0]], wrapped(by_extent[outer], rendered(*outer, own))]
            at = outer[1]
        return "".join(out) + text[at:end]

    def wrapped(here, right):
        marks = "".join(f"/*g{number}{{*/" for number, _ in here), "".join(f"/*}}g{number}*/" for number, _ in reversed(here))
        for number, spot in here:
            holds = f"::spillway::mutation::holds({number}u)"
            wrong = f"/*m{number}{{*/{spot.wrong}/*}}m{number}*/"
            if spot.form == "expression":
                right = f"({holds} ? ({wrong}) : ({right}))"
            elif spot.form == "removed":
                right = f"if (!{holds}) {{ {right} }}"
            else:
                right = f"{{ if ({holds}) {{ {wrong} }} {right} }}"
        return marks[0] + right + marks[1]

    return rendered(0, len(text), extents)


def stillborn(folder, house, paths):
    """Numbers of wrong rules that do not compile, by what Clang says of the planted sources in `folder`."""
    unit = parse(folder / "models" / "unit.cpp", house, more=["-include", str(house / "tests/mutation/chosen.hpp")],
                 text="".join(f'#include "{folder / path}"\n' for path in paths))
    texts, wrong, others = {}, set(), []

    def innermost(file, offset, letter):
        text = texts.setdefault(file, pathlib.Path(file).read_text("latin-1"))
        stack = []
        for mark in re.finditer(rf"/\*(?:{letter}(\d+)\{{|\}}{letter}(\d+))\*/", text):
            if mark.start() > offset:
                break
            stack.append(int(mark.group(1))) if mark.group(1) else stack.pop()
        return stack[-1:]

    for diagnostic in unit.diagnostics:
        if diagnostic.severity < 3:
            continue
        places = [diagnostic.location] + [note.location for note in diagnostic.children]
        places = [(str(place.file), place.offset) for place in places if place.file and str(place.file).startswith(str(folder)) and os.path.exists(str(place.file))]
        found = next((number for letter in "mg" for place in places for number in innermost(*place, letter)), None)
        wrong.add(found) if found is not None else others.append(f"{diagnostic} {[str(note) for note in diagnostic.children]}")
    if others and not wrong:
        sys.exit(f"planted sources cannot be compiled: {others[0]}")
    return wrong
