import type { ChatRequest } from './chat-request';
import type { FieldFault } from './field-check';
import { isPlainObject } from './json-pointer';

type Message = ChatRequest['messages'][number];
interface Shape {
  fits: (value: unknown) => boolean;
  /** Name of the type in error messages. */
  named: string;
}

/** Roles whose messages must have content. Other messages may have a tool call or result instead. */
const SPEAKING: ReadonlySet<string> = new Set(['user', 'system', 'developer']);

const TEXT: Shape = { fits: (value) => typeof value === 'string', named: 'a text' };
const OBJECT: Shape = { fits: isPlainObject, named: 'an object' };
const OBJECTS: Shape = {
  fits: (value) => Array.isArray(value) && value.every(isPlainObject),
  named: 'an array of objects',
};
/** Some servers accept a string as a content part. */
const CONTENT: Shape = {
  fits: (value) =>
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((part) => typeof part === 'string' || isPlainObject(part))),
  named: 'a text or an array of parts',
};

/** Types of a message's members. Null counts as absent. */
const MESSAGE = {
  content: CONTENT,
  name: TEXT,
  tool_calls: OBJECTS,
  tool_call_id: TEXT,
  function_call: OBJECT,
  refusal: TEXT,
  reasoning_content: TEXT,
  audio: OBJECT,
};
const PART = { type: TEXT, text: TEXT, refusal: TEXT };
const CALL = { id: TEXT, type: TEXT, function: OBJECT };
const CALLED = { name: TEXT, arguments: TEXT };
const TOOL = { type: TEXT, function: OBJECT };
const FUNCTION = { name: TEXT, description: TEXT, parameters: OBJECT };

/**
 * Finds a member of messages or tools whose JSON type differs from the API's, because servers interpret such members
 * differently.
 */
export function shapeFault({ messages, tools, functions }: ChatRequest): FieldFault | null {
  for (const [index, message] of messages.entries()) {
    const fault = messageFault(message, ['messages', String(index)]);
    if (fault) return fault;
  }
  return (
    listFault(
      tools,
      ['tools'],
      (tool, path) => faultIn(tool, TOOL, path) ?? faultIn(tool['function'], FUNCTION, [...path, 'function']),
    ) ?? listFault(functions, ['functions'], (each, path) => faultIn(each, FUNCTION, path))
  );
}

function messageFault(message: Message, path: readonly string[]): FieldFault | null {
  if (message.content == null && SPEAKING.has(message.role))
    return { path: [...path, 'content'], message: `Must be ${CONTENT.named}` };
  return (
    faultIn(message, MESSAGE, path) ??
    listFault(message.content, [...path, 'content'], (part, at) => faultIn(part, PART, at)) ??
    listFault(
      message['tool_calls'],
      [...path, 'tool_calls'],
      (call, at) => faultIn(call, CALL, at) ?? faultIn(call['function'], CALLED, [...at, 'function']),
    ) ??
    faultIn(message['function_call'], CALLED, [...path, 'function_call'])
  );
}

function listFault(
  list: unknown,
  path: readonly string[],
  faultOf: (item: Readonly<Record<string, unknown>>, path: readonly string[]) => FieldFault | null,
): FieldFault | null {
  if (!Array.isArray(list)) return null;
  for (const [index, item] of (list as unknown[]).entries()) {
    const fault = isPlainObject(item) ? faultOf(item, [...path, String(index)]) : null;
    if (fault) return fault;
  }
  return null;
}

function faultIn(value: unknown, shapes: Readonly<Record<string, Shape>>, path: readonly string[]): FieldFault | null {
  if (!isPlainObject(value)) return null;
  for (const name in shapes) {
    const { fits, named } = shapes[name] as Shape;
    const member = value[name];
    if (member != null && !fits(member)) return { path: [...path, name], message: `Must be ${named}` };
  }
  return null;
}
