"""The code that templates compile to: Jinja's own, less what costs every page the same again.

Nothing here changes what a template prints. A translation of a literal is looked up once, when the
template is compiled; a value is finalized and escaped by one call in place of three; a function is
called without asking first whether it wants the context, as none of ours does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from keyword import iskeyword

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

_TRANSLATES = ("_", "gettext")
_find_special = re.compile("[&<>\"']").search


class _PageCode(CodeGenerator):
    """Writes the code of one template."""

    environment: PageEnvironment

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - the library's name
        """Translate the literals of a template, then write its code."""
        super().visit_Template(_Translator(self.environment.translate).visit(node), frame)

    def visit_Call(  # noqa: N802 - the library's name
        self,
        node: nodes.Call,
        frame: Frame,
        forward_caller: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Write a call: directly, unless something about it is unusual."""
        reserved = any(iskeyword(argument.key) for argument in node.kwargs)
        if reserved or forward_caller or node.dyn_args or node.dyn_kwargs or not _escapes(frame):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if _escapes(frame):
            self.write("(environment.spell(")
        else:
            super()._output_child_pre(node, frame, finalize)


def _escapes(frame: Frame) -> bool:
    return frame.eval_ctx.autoescape and not frame.eval_ctx.volatile


class _PageTemplate(Template):
    # Templates have no globals but the environment's, so that a module made for one serves all.
    # Jinja would compare the names of all globals at every import.
    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:  # noqa: ARG002
        return super()._get_default_module()


class PageEnvironment(Environment):
    """An environment whose templates escape what they print, with no function that takes a context.

    A function that does would be called without it; `{% autoescape %}` and filters are Jinja's own.
    """

    code_generator_class = _PageCode
    template_class = _PageTemplate

    def __init__(
        self,
        loader: BaseLoader,
        *,
        say: Callable[[object], object],
        translate: Callable[[str], str],
    ) -> None:
        """Make the environment.

        Args:
            loader: finds the templates.
            say: gives what is printed for a value, before it is escaped; a text for a text.
            translate: gives the markup for an entry of the catalogue.
        """
        # Everything from a bundle reaches a page through autoescape; no template may undo it (a
        # test looks), and an undefined name is an error, not an empty string.
        super().__init__(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
            extensions=["jinja2.ext.i18n"],
            finalize=say,
        )
        # Of the extension: values are named, and escaped like any other.
        self.newstyle_gettext = True
        self._say = say
        self.translate = translate

    def spell(self, value: object) -> str:
        """Spell a value in a page.

        Args:
            value: what a template prints.

        Returns:
            Its text, escaped unless it is markup.
        """
        if type(value) is str:
            # Most texts need no escaping, and to look costs less than to make markup of them.
            return escape(value) if _find_special(value) else value
        if type(value) is Markup:
            return value
        return str(value) if type(value) is int else escape(self._say(value))  # digits are safe


class _Translator(NodeTransformer):
    """Puts the translation in place of `_("literal")`."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        self._translate = translate

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - the library's name
        self.generic_visit(node)
        entry = _entry_of(node)
        if entry is None:
            return node
        try:
            return nodes.Const(self._translate(entry), lineno=node.lineno)
        except (KeyError, TypeError, ValueError):
            return node  # a faulty entry is an error only of the pages that print it


def _entry_of(node: nodes.Call) -> str | None:
    """Give the text of a call that translates one literal without values."""
    if not isinstance(node.node, nodes.Name) or node.node.name not in _TRANSLATES:
        return None
    if node.kwargs or node.dyn_args or node.dyn_kwargs or len(node.args) != 1:
        return None
    argument = node.args[0]
    return argument.value if isinstance(argument, nodes.Const) else None
