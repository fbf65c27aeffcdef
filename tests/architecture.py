"""What the architecture tests know of the house: who may import whom, how to read a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "generator"

# What every layer may use: nouns, errors, maxima, and text that can be translated.
NOUNS = frozenset({"formats", "errors", "limits", "messages"})

# The whole order of the flow, one stage a line: name -> what it may import from the package besides
# NOUNS. A module without a line fails the test, so a new module says where in the flow it stands.
_ABOVE_NOUNS: dict[str, str] = {
    # Below every stage.
    "slugs": "",
    "layout": "slugs",
    "media_types": "layout",
    "check_script": "",
    "progress": "",
    "resources": "check_script",
    "display": "",
    "authors": "display",
    "language": "",
    "verify_words": "language",
    # bundles/ -> bytes
    "compression": "",
    "archives": "compression",
    "load": "compression archives",
    # bytes -> VerifiedBundle
    "verify_creation": "",
    "verify_payloads": "",
    "verify_events": "verify_creation verify_payloads",
    "verify_snapshots": "verify_events",
    "verify": "verify_creation verify_events verify_snapshots",
    # VerifiedBundle -> RecordState
    "standing": "verify_events",
    "merge": "standing verify verify_events",
    "state": "merge standing verify_events",
    "timestamps": "merge verify_events",
    # mirror.toml says among other things which events merge accepts.
    "toml_lines": "",
    "toml_tables": "toml_lines",
    "config": "language standing toml_tables",
    "profiles": "config layout",
    "browser_trust": "config",
    "event_words": "display verify_events",
    # RecordState -> the works it cites
    "citations": "merge verify_events",
    # What a page says: the view models, then who fills them in.
    "drawing": "",
    "head": "",
    "plots": "drawing",
    "pages": "drawing head",
    "listing_pages": "pages",
    "snippets": "layout pages",
    "facts": "citations merge pages standing timestamps verify_events",
    "documents": "citations facts merge timestamps verify_events",
    "pictures": "citations drawing event_words facts merge standing verify_events",
    "event_table": "display event_words facts merge pages standing verify_events",
    "phrases": "display event_table event_words facts pages timestamps verify_events",
    "statements": "display event_table facts pages phrases standing verify_events",
    "completeness": "config display documents event_words facts merge pages standing",
    "citation_rows": "citations display event_table event_words facts layout pages pictures",
    # What it says to programs.
    "names": "",
    "tex_formula": "",
    "tex_text": "display tex_formula",
    "citation_export": "authors display facts head names pages tex_text",
    "linkset": "citation_export config display facts layout media_types profiles",
    "metadata": "citation_export config display facts head layout linkset media_types pages"
    " profiles",
    "badge": "",
    "describe": "authors badge citation_rows completeness config display event_table facts layout"
    " listing_pages merge metadata pages pictures profiles snippets statements",
    # View models -> bytes
    "page_code": "",
    "render": "language layout page_code pages",
    "content": "language layout pages slugs",
    "precompress": "config layout media_types render",
    "catalogued": "authors display facts",
    "self_check": "browser_trust config pages verify",
    "preview_drawing": "",
    "preview": "citation_export config facts layout metadata preview_drawing render resources",
    "record_files": "badge catalogued citation_export citations config describe documents facts"
    " layout linkset listing_pages merge pages preview render self_check state timestamps verify",
    # What a build leaves for the next one, and what is listed where.
    "plain_files": "",
    "build_state": "layout plain_files",
    "bundle_index": "build_state listing_pages load verify",
    "plan": "catalogued layout listing_pages slugs",
    "xml_text": "",
    "change_index": "build_state catalogued layout",
    "word_index": "build_state",
    "search_words": "",
    "citation_index": "build_state citations",
    "catalogue_listings": "build_state catalogued listing_pages plan",
    "catalogue": "build_state bundle_index catalogue_listings catalogued change_index"
    " citation_index listing_pages plan record_files word_index",
    "site_documents": "catalogue config layout listing_pages state profiles",
    "site_frame": "config content language layout pages render resources verify_words",
    "full_text": "catalogue catalogued config layout render",
    "site_inputs": "catalogue config full_text layout pages render resources",
    "site_materials": "catalogue config full_text layout pages preview render resources site_frame"
    " site_inputs",
    "build_context": "config record_files render site_materials",
    "listing_words": "authors language layout listing_pages pages plan",
    "site_browse": "catalogue_listings layout listing_pages listing_words pages plan render"
    " site_inputs",
    "stats": "catalogue drawing event_words layout listing_words plan plots",
    "site_listings": "config layout listing_pages listing_words pages plan render site_browse"
    " site_documents site_frame site_inputs stats",
    "verify_page": "browser_trust config layout pages render verify_words",
    "feed_entries": "catalogued config layout media_types pages xml_text",
    "site_feeds": "catalogued config feed_entries layout media_types render site_inputs xml_text",
    "catalogue_rows": "catalogued config layout profiles",
    "parquet": "catalogue_rows",
    "site_catalogue": "catalogue catalogue_rows config layout parquet render site_inputs",
    "site_sitemap": "change_index config layout plan render site_inputs xml_text",
    "site_robots": "config layout render site_inputs site_sitemap profiles",
    "site_oai": "catalogued config layout pages render site_inputs xml_text",
    "site_machines": "render site_catalogue site_feeds site_inputs site_oai site_robots"
    " site_sitemap",
    "search_index": "catalogue catalogued layout render search_words word_index",
    "site_search": "layout render search_index site_inputs xml_text",
    "site_files": "catalogue layout pages record_files render resources site_documents site_frame"
    " site_inputs site_listings site_machines site_search verify_page",
    # Bytes -> site/
    "manifest": "layout media_types plain_files",
    "ledger": "build_state layout manifest",
    "journal": "layout",
    "sink": "layout ledger progress render",
    "staging": "journal layout ledger plain_files render sink",
    "site_lock": "journal",
    "site_folder": "journal layout ledger site_lock",
    "write": "build_state journal layout ledger manifest progress render sink site_folder staging",
    # site/ read again
    "fixity": "layout slugs",
    "fixity_index": "fixity",
    "fixity_manifest": "fixity fixity_index layout media_types manifest plain_files",
    "fixity_repair": "fixity journal layout plain_files site_lock",
    "fixity_walk": "fixity fixity_index fixity_manifest fixity_repair journal layout plain_files"
    " site_folder",
    # Records and keys for a terminal: what the commands besides `build` and `verify` say.
    "terminal": "display",
    "lookup": "merge",
    "look": "config documents facts load lookup record_files state verify",
    "look_lines": "citations config display event_table event_words facts layout look standing"
    " state terminal timestamps verify_events profiles",
    "union": "config merge record_files state verify",
    "seen": "documents facts pages standing state",
    "compare": "display event_words seen standing terminal",
    "holdings": "compare config load record_files seen verify",
    "fixity_stale": "fixity fixity_index holdings layout",
    "key_use": "config load verify verify_creation verify_events",
    "key_list": "key_use terminal",
    # What a build will come to, before it.
    "census": "authors load plan",
    "sample_site": "build_state catalogue config documents full_text layout ledger load manifest"
    " plan precompress record_files render site_files site_frame site_materials verify",
    "estimate": "census config load plan sample_site",
    "hosting": "",
    # The whole build, record by record.
    "record_builder": "citations config layout ledger load precompress record_files render sink"
    " verify",
    "workers": "ledger load record_builder",
    "assemble": "catalogue citations documents layout progress record_builder record_files render"
    " sink workers",
    "changes": "bundle_index layout ledger load plain_files",
    "update": "assemble build_context build_state bundle_index catalogue changes config content"
    " full_text layout ledger load precompress progress record_builder render site_files"
    " sink site_inputs site_materials",
}
LAYERS: dict[str, frozenset[str]] = {
    "__init__": frozenset(),
    "errors": frozenset(),
    "limits": frozenset(),
    "messages": frozenset(),
    "formats": NOUNS,
} | {name: NOUNS | set(below.split()) for name, below in _ABOVE_NOUNS.items()}

# The command line: each command's module may import anything but another command's.
DOORS = frozenset(
    {"cli", "cli_setup", "cli_check", "cli_compare", "cli_look", "cli_plan", "cli_progress"}
)

# Third-party packages, and modules of the standard library that reach outside -> who may use them.
CONFINED: dict[str, frozenset[str]] = {
    "click": DOORS,
    "cryptography": frozenset({"formats.keys", "verify"}),
    "opentimestamps": frozenset({"formats.timestamp_proof"}),
    "Cryptodome": frozenset({"formats.timestamp_proof"}),
    "jinja2": frozenset({"page_code", "render"}),
    "markupsafe": frozenset({"content", "page_code", "render"}),
    "sqlite3": frozenset(
        {
            "build_state",
            "bundle_index",
            "catalogue",
            "catalogue_listings",
            "change_index",
            "citation_index",
            "fixity_index",
            "holdings",
            "key_use",
            "ledger",
            "sink",
            "word_index",
            "write",
        }
    ),
    "brotli": frozenset({"precompress"}),
    "pyarrow": frozenset({"parquet"}),
    "PIL": frozenset({"preview_drawing"}),
    "requests": frozenset(),
    "rich": frozenset({"cli_progress"}),
    "time": frozenset({"cli_progress"}),
    "random": frozenset(),
    "secrets": frozenset(),
    "uuid": frozenset(),
    "socket": frozenset(),
    "subprocess": frozenset({"full_text"}),
}

# The shell around the pure core: the only modules that may write to disk.
WRITERS = frozenset(
    {
        "build_state",
        "cli_compare",
        "fixity_repair",
        "journal",
        "site_folder",
        "site_lock",
        "staging",
        "write",
    }
)

WRITING_METHODS = frozenset(
    {
        "hardlink_to",
        "mkdir",
        "rmdir",
        "symlink_to",
        "touch",
        "unlink",
        "write_bytes",
        "write_text",
    }
)
WRITING_FUNCTIONS = frozenset(
    f"{module}.{name}"
    for module, names in {
        "os": "link makedirs mkdir open remove removedirs rename renames replace rmdir symlink "
        "truncate unlink write",
        "shutil": "copy copy2 copyfile copyfileobj copytree move rmtree",
        "tempfile": "NamedTemporaryFile SpooledTemporaryFile TemporaryDirectory TemporaryFile "
        "mkdtemp mkstemp",
    }.items()
    for name in names.split()
)
CLOCK_READS = frozenset({"now", "utcnow", "today"})


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed module of the package."""

    name: str  # without the package: "formats.keys"
    path: Path
    tree: ast.Module

    @property
    def layer(self) -> str:
        """The line of LAYERS that speaks of this module."""
        return self.name.split(".", maxsplit=1)[0]


def package_modules() -> tuple[Module, ...]:
    """Read every module of the package.

    Returns:
        The modules, by name.
    """
    modules = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)
        modules.append(Module(name, path, ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(modules)


def imported(tree: ast.AST) -> frozenset[str]:
    """Name every module that a tree imports, at any depth and under any condition.

    Args:
        tree: a parsed module.

    Returns:
        Absolute dotted names; for `from a import b` both `a` and `a.b`, since b may be a module.
    """
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(names)


def dotted(node: ast.expr) -> str:
    """Spell a name or a chain of attributes.

    Args:
        node: an expression.

    Returns:
        "os.path.join" and the like; the empty string for anything else.
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _opens_for_writing(call: ast.Call) -> bool:
    """Whether an `open` call has a mode that writes, or one that cannot be read off the source."""
    # open(path, mode), but path.open(mode) and gzip.open(path, mode).
    spelled = dotted(call.func)
    in_method = isinstance(call.func, ast.Attribute)
    takes_path = spelled in {"open", "io.open", "gzip.open", "bz2.open", "lzma.open"}
    if in_method and not takes_path and spelled.startswith(("tarfile.", "zipfile.")):
        takes_path = True
    position = 1 if takes_path else 0
    modes = [k.value for k in call.keywords if k.arg == "mode"] or call.args[
        position : position + 1
    ]
    for mode in modes:
        if not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)):
            return takes_path
        if set(mode.value) & set("wax+"):
            return True
    return False


def writes(tree: ast.AST) -> Iterator[str]:
    """Find the calls that write to disk.

    Args:
        tree: a parsed module.

    Yields:
        `line: call`, in the order of `ast.walk`.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        spelled = dotted(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else spelled
        # Path.rename(target) and Path.replace(target) take one argument; str.replace takes two.
        moves = name in {"rename", "replace"} and len(node.args) == 1 and not node.keywords
        if (
            spelled in WRITING_FUNCTIONS
            or (isinstance(node.func, ast.Attribute) and (name in WRITING_METHODS or moves))
            or (name == "open" and _opens_for_writing(node))
        ):
            yield f"{node.lineno}: {ast.unparse(node)}"


def clock_reads(tree: ast.AST) -> Iterator[str]:
    """Find the calls that read the wall clock.

    Args:
        tree: a parsed module.

    Yields:
        `line: call`, in the order of `ast.walk`.
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CLOCK_READS
        ):
            yield f"{node.lineno}: {ast.unparse(node)}"


def calls_of(tree: ast.AST, name: str) -> Iterator[int]:
    """Find the calls of a class or function, under any prefix.

    Args:
        tree: a parsed module.
        name: its last name.

    Yields:
        Line numbers, in the order of `ast.walk`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and dotted(node.func).rsplit(".", maxsplit=1)[-1] == name:
            yield node.lineno


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Find every function and method, nested ones too.

    Args:
        tree: a parsed module.

    Yields:
        The definitions, in the order of `ast.walk`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


# `with` is no level: it holds something, but control flows straight through it.
_BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.Match)


def nesting(node: ast.AST) -> int:
    """Measure how deep blocks stand in blocks; an `elif` stands beside its `if`, not in it.

    Args:
        node: a function.

    Returns:
        0 for a function without blocks.
    """
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        depth = nesting(child)
        beside = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, depth + (isinstance(child, _BLOCKS) and not beside))
    return deepest
