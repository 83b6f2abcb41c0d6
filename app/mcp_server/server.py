"""The protocol's side of the tools, resources and prompts: one server object, for stdio and for HTTP alike.

Everything that a client gets passes here, and so do all errors: what is expected becomes a sentence with a next step,
what is our own fault becomes a word without any detail. Nothing here decides what a client may see.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from app import __version__
from app.domain.errors import BadInput, Expected
from app.mcp_server import prompts, resources, wording
from app.mcp_server.arguments import read_all, schema_of
from app.mcp_server.asker import Asker, telling
from app.mcp_server.greeting import INSTRUCTIONS, NAME, TITLE
from app.mcp_server.quoting import one_line
from app.mcp_server.tools import TOOLS
from app.runtime.stop import StopSwitch
from app.runtime.tasks import Tasks
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.context import ServerRequestContext
    from mcp.server.models import InitializationOptions
    from mcp.shared.message import SessionMessage

    from app.mcp_server.asker import Passport
    from app.mcp_server.owner import Owner
    from app.mcp_server.tools import Tool

    Context = ServerRequestContext[Any, Any]

_log = logging.getLogger(__name__)
_GONE = -32002
"""The code of older revisions for a resource that is not there; the newest one has none of its own."""
_SHOWN = 80
_LONGEST_URI = 2_000


class Counter:
    """Where clients are served.

    Args:
        passport_of: finds the token of a request.
    """

    def __init__(self, owner: Owner, passport_of: Callable[[Context], Passport]) -> None:
        self._owner = owner
        self._passport_of = passport_of
        self._tools = {tool.name: tool for tool in TOOLS}
        self._tasks = Tasks()
        self.server: Server[Any] = Server(
            NAME,
            version=__version__,
            title=TITLE,
            instructions=INSTRUCTIONS,
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )

    def options(self) -> InitializationOptions:
        """What `initialize` is answered with on stdio, where prompts can appear after the person said yes."""
        return self.server.create_initialization_options(NotificationOptions(prompts_changed=True))

    async def serve(
        self,
        read: MemoryObjectReceiveStream[SessionMessage | Exception],
        written: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        """Serve the program behind two streams until they end, or this is cancelled.

        The library hands messages from task to task. One that is on its way when the end comes finds nobody, which is
        no fault: without this, a cancelled call ended in a group of such errors instead, and in the log.
        """
        try:
            await self.server.run(read, written, self.options())
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
            _log.debug("a program went while something was on its way")

    async def close(self) -> None:
        """Let go of questions whose clients are gone."""
        await self._tasks.close()

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return None if tool is None else schema_of(tool.arguments)

    async def _list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_declared(tool) for tool in TOOLS])

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {one_line(params.name, _SHOWN)}")
        with _without_detail():
            try:
                given = read_all(tool.arguments, params.arguments or {})
                async with self._asker(context) as asker:
                    reply = await tool.answer(asker, given)
                await self._tell_of_prompts(context, asker)
            except Expected as error:
                return types.CallToolResult(content=[_text(wording.refusal(error))], is_error=True)
        return types.CallToolResult(content=[_text(reply.text)], structured_content=reply.data)

    async def _list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        found = [
            types.Resource(
                uri=one.uri,
                name=one.name,
                title=translate(one.title),
                description=one.meaning,
                mime_type=resources.MARKDOWN,
            )
            for one in resources.RESOURCES
        ]
        return types.ListResourcesResult(resources=found)

    async def _list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        item = types.ResourceTemplate(
            uri_template=resources.ITEM_TEMPLATE,
            name="item",
            title=translate(resources.ITEM_TITLE),
            description=resources.ITEM_MEANING,
            mime_type=resources.MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[item])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        read = resources.reader(uri)
        if read is None:
            raise _no_resource(context, uri)
        with _without_detail(), _as_protocol_error(context, uri=uri):
            async with self._asker(context) as asker:
                contents = await read(asker)
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(uri=uri, mime_type=resources.MARKDOWN, text=contents.text),
                types.TextResourceContents(uri=uri, mime_type=resources.JSON, text=contents.json),
            ]
        )

    async def _list_prompts(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """None where they cannot be had now: a program asks at its start, and the person is not asked for that."""
        found: list[types.Prompt] = []
        with _without_detail():
            async with self._asker(context) as asker:
                if asker.passport.is_known:
                    with contextlib.suppress(Expected):
                        found = [_prompt(one) for one in await prompts.listed(asker)]
        return types.ListPromptsResult(prompts=found)

    async def _get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        with _without_detail(), _as_protocol_error(context):
            async with self._asker(context) as asker:
                made = await prompts.made(asker, params.name, params.arguments or {})
        message = types.PromptMessage(role="user", content=_text(made.text))
        return types.GetPromptResult(description=made.title, messages=[message])

    async def _complete(self, _: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        values: tuple[str, ...] = ()
        if isinstance(params.ref, types.PromptReference):
            values = prompts.completions(params.argument.name, params.argument.value)
        return types.CompleteResult(completion=types.Completion(values=list(values), total=len(values), has_more=False))

    @contextlib.asynccontextmanager
    async def _asker(self, context: Context) -> AsyncIterator[Asker]:
        """Who asks; cancelled, it presses Stop at the owner."""
        passport = self._passport_of(context)

        async def tell(step: float, label: str) -> None:
            await context.session.report_progress(step, None, label)

        async with telling(tell) as progress:
            yield Asker(self._owner, passport, _program(context), self._tasks, progress, StopSwitch())

    async def _tell_of_prompts(self, context: Context, asker: Asker) -> None:
        """Say once that there are prompts now, to a program that the person has just let in."""
        if asker.passport.take_news():
            await context.session.send_prompt_list_changed()


def _declared(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=translate(tool.title),
        description=tool.meaning,
        input_schema=schema_of(tool.arguments),
        output_schema=tool.output(),
        annotations=types.ToolAnnotations(
            title=translate(tool.title),
            read_only_hint=tool.is_reading,
            destructive_hint=False,
            idempotent_hint=tool.is_repeatable,
            open_world_hint=False,
        ),
    )


def _prompt(one: prompts.Listed) -> types.Prompt:
    return types.Prompt(
        name=one.name,
        title=one.title,
        description=one.meaning,
        arguments=[
            types.PromptArgument(name=name, description=meaning, required=is_required)
            for name, meaning, is_required in one.fields
        ],
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _program(context: Context) -> str:
    """What the program at the other end calls itself: its word, and not to be trusted."""
    known = context.session.client_params
    return one_line(known.client_info.name, _SHOWN) if known is not None else ""


def _no_resource(context: Context, uri: str) -> MCPError:
    """The same for what is hidden and what never was; the address is the asker's own word."""
    is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    return MCPError(
        types.INVALID_PARAMS if is_modern else _GONE, "There is no such resource.", {"uri": uri[:_LONGEST_URI]}
    )


@contextlib.contextmanager
def _as_protocol_error(context: Context, *, uri: str | None = None) -> Iterator[None]:
    """Where a result has no place for an error, it is one of the protocol, with the same sentences."""
    try:
        yield
    except Expected as error:
        if uri is not None and isinstance(error, BadInput):
            raise _no_resource(context, uri) from None
        raise MCPError(types.INVALID_PARAMS, wording.refusal(error)) from None


@contextlib.contextmanager
def _without_detail() -> Iterator[None]:
    """Our own faults go to the log by their place, and to the client as one word: a message may quote somebody."""
    try:
        yield
    except (MCPError, Expected):
        raise
    except Exception as error:
        _log.exception("a request of a client failed")
        raise MCPError(types.INTERNAL_ERROR, "Famulus failed; its log says where.") from error
