import { isRecord } from '@/lib/protocol/json-record';
import { type Json, record } from '@/lib/protocol/translation/chat-turns';

/** Types of tools that the caller runs. The caller also runs tools without a type. */
const CALLER_TOOLS =
  /^(function|custom|namespace|local_shell|shell|apply_patch|bash_|text_editor_|memory_|computer|tool_search)/;

/** Removes tools that the server itself runs, because such tools cost extra. Returns the changed fields. */
export function callersToolsAlone(request: Json): Json {
  const [own, removed]: [Json[], Json[]] = [[], []];
  const toolOf = (tool: Json): Json | null => {
    const isOwn = isCallersTool(tool);
    (isOwn ? own : removed).push(tool);
    return isOwn ? changed(tool, { tools: mapped(tool['tools'], toolOf) }) : null;
  };
  const partOf = (part: Json): Json | null => {
    const { definition } = record(part['tool']);
    if (definition !== undefined && toolOf(record(definition)) === null) return null;
    const kept = changed(part, {
      content: mapped(part['content'], partOf),
      tools: mapped(part['tools'], toolOf),
      tool_changes: mapped(part['tool_changes'], partOf),
    });
    return kept !== part && part['role'] !== undefined && isEmpty(kept['content']) ? null : kept;
  };
  const { tools, tool_choice: choice, input, messages } = request;
  const kept = { tools: mapped(tools, toolOf), input: mapped(input, partOf), messages: mapped(messages, partOf) };
  if (removed.length === 0) return {};
  const isGone = (named: Json): boolean =>
    removed.some((tool) => names(named, tool)) && !own.some((tool) => names(named, tool));
  const allowed = mapped(record(choice)['tools'], (named) => (isGone(named) ? null : named));
  const changes: Json = {
    ...kept,
    tools: isEmpty(kept.tools) ? undefined : kept.tools,
    tool_choice:
      own.length === 0 || isEmpty(allowed) || isGone(record(choice))
        ? undefined
        : isRecord(choice)
          ? changed(choice, { tools: allowed })
          : choice,
  };
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== request[name]));
}

/**
 * Returns whether the caller runs the tool. OpenAI's `shell` can also run in a container on the server, at extra cost.
 */
function isCallersTool({ type, environment }: Json): boolean {
  return CALLER_TOOLS.test(String(type ?? 'custom')) && !/^container/.test(String(record(environment)['type']));
}

function names(choice: Json, { type, name }: Json): boolean {
  return choice['type'] === type || (typeof name === 'string' && choice['name'] === name);
}

function mapped(list: unknown, map: (item: Json) => Json | null): unknown {
  if (!Array.isArray(list)) return list;
  const items = list as unknown[];
  const kept = items
    .map((item) => (isRecord(item) ? map(item) : item))
    .filter((item, at) => item !== null || items[at] === null);
  return kept.length === items.length && kept.every((item, at) => item === items[at]) ? list : kept;
}

function changed(item: Json, changes: Json): Json {
  return Object.entries(changes).every(([name, value]) => item[name] === value) ? item : { ...item, ...changes };
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}
