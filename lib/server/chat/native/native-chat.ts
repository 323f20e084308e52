import { z } from 'zod';
import { CHAT_FIELDS, type ChatRequest, NO_TOKEN_LIMIT } from '@/lib/protocol/chat/chat-request';
import type { MemberSpan } from '@/lib/protocol/json-members';
import { type AnswerEvents, eventText } from '@/lib/protocol/translation/answer-translation';
import { type Json, record, Untranslatable } from '@/lib/protocol/translation/chat-turns';
import type { TranslatedApi } from '@/lib/protocol/translation/translations';
import type { BodySink, Call, PushBody } from '../../http/call';
import { validated } from '../../http/validation-error';
import { type ChatBody, withMembers, withMembersOf } from '../chat-body';
import { BROKEN_ANSWER } from '../own-events';
import { callersToolsAlone } from './callers-tools';
import { withShortCaches } from './short-caches';

/** Chat request that the gateway forwards in the caller's API format. */
export interface NativeChat {
  api: TranslatedApi;
  body: ChatBody;
  limitTokens: number | null;
  /** Fields to send changed; undefined to leave out. */
  changes: Json;
  leftOut: readonly string[];
  headers: Readonly<Record<string, string>>;
}

const LIMITS: Readonly<Record<TranslatedApi, string>> = { responses: 'max_output_tokens', messages: 'max_tokens' };
/** Fields that the gateway itself depends on. The server checks all other fields. */
const CHECKED: Readonly<Record<TranslatedApi, z.ZodType>> = {
  responses: checkedWith(LIMITS.responses),
  messages: checkedWith(LIMITS.messages),
};
/** Fields that refer to stored data, which may belong to another customer of the operator. */
const STATEFUL: Readonly<Record<TranslatedApi, readonly string[]>> = {
  responses: ['previous_response_id', 'conversation', 'background', 'prompt'],
  messages: ['container'],
};
/** Fields that make the server store data, or that cost extra. */
const DEARER: ReadonlySet<string> = new Set([
  'thread',
  'service_tier',
  'mcp_servers',
  'speed',
  'inference_geo',
  'fallbacks',
  'billing_policy',
  'compaction',
]);
/** Matches a content part that may have more tokens than bytes. */
const ATTACHMENT = /"type":"[^"]*(image|document|file|audio|video|screenshot)[^"]*"/;
/** Past results, whose files the server does not read again. */
const PAST_OUTPUT = /code_execution_output$/;
const ANTHROPIC_VERSION = '2023-06-01';
const PASSED_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const;

function checkedWith(limit: string): z.ZodType {
  const { stream, max_tokens: tokens } = CHAT_FIELDS;
  return z.looseObject({ stream: stream.value.nullish(), [limit]: tokens.value.nullish() });
}

/**
 * Parses a native request.
 *
 * @throws {Untranslatable} for references to data stored at the server
 * @throws ApiError 400 for an invalid token limit or an invalid `stream`
 */
export function nativeChatOf(
  api: TranslatedApi,
  request: Json,
  { bytes, members }: { bytes: Uint8Array; members: ReadonlyMap<string, MemberSpan> },
  call: Pick<Call, 'header'>,
): NativeChat {
  validated(CHECKED[api], request, 'The request body');
  for (const field of STATEFUL[api])
    if (request[field] !== undefined && request[field] !== null && request[field] !== false)
      throw new Untranslatable(
        `${field} refers to stored data, and the gateway stores none. Send the whole conversation.`,
        field,
      );
  if (record(request['thread'])['type'] === 'continue')
    throw new Untranslatable(
      '"thread" refers to a stored conversation, and the gateway stores none. Send the whole conversation as messages.',
      'thread',
      'THREAD_NOT_KEPT',
    );
  refuseKept(turnsOf(api, request));
  const { [LIMITS[api]]: limit } = request;
  const tools = callersToolsAlone(request);
  const sent = withShortCaches({ ...request, ...tools, ...withoutCompaction(request) });
  const headers = Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => (call.header(name) === null ? [] : [[name, call.header(name) ?? '']])),
  );
  return {
    api,
    body: { bytes, members, request: readAs(api, request) },
    limitTokens: typeof limit === 'number' && limit !== NO_TOKEN_LIMIT ? limit : null,
    changes: Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== request[name])),
    leftOut: Object.keys(tools).length > 0 ? ['tools'] : [],
    headers: { ...(api === 'messages' && { 'anthropic-version': ANTHROPIC_VERSION }), ...headers },
  };
}

/** Anthropic's `usage` and `max_tokens` exclude the tokens of a compaction. */
function withoutCompaction({ context_management: management }: Json): Json {
  const { edits } = record(management);
  if (!Array.isArray(edits)) return {};
  const kept = (edits as unknown[]).filter((edit) => !/^compact/.test(String(record(edit)['type'])));
  if (kept.length === edits.length) return {};
  return { context_management: kept.length === 0 ? undefined : { ...record(management), edits: kept } };
}

/** Returns the bytes to send, without what costs extra. */
export function nativeBodyOf({ api, body, limitTokens, changes }: NativeChat, completionTokens: number): Uint8Array {
  const isLeftOut = (name: string): boolean => DEARER.has(name) || (name in changes && changes[name] === undefined);
  const set: Record<string, unknown> = Object.fromEntries(Object.entries(changes).filter(([name]) => !isLeftOut(name)));
  if (limitTokens === null || limitTokens > completionTokens) set[LIMITS[api]] = completionTokens;
  if (api === 'responses' && record(body.request)['store'] !== false) set['store'] = false;
  return withMembers(
    withMembersOf(body, (name) => !isLeftOut(name)),
    set,
  );
}

/** Represents the request as a chat, to limit and estimate its tokens. Each turn becomes a message with its JSON. */
function readAs(api: TranslatedApi, request: Json): ChatRequest {
  const { model, stream, store, tools } = request;
  const turns = [request['system'] ?? request['instructions'], ...turnsOf(api, request)].filter((turn) => turn != null);
  const messages = turns.map((turn) => {
    const text = typeof turn === 'string' ? turn : JSON.stringify(turn);
    return { role: 'user', content: ATTACHMENT.test(text) ? [{ type: 'attached', text }] : text };
  });
  const { [LIMITS[api]]: limit } = request;
  return {
    model: String(model),
    messages,
    stream: stream === true,
    store,
    ...(Array.isArray(tools) && { tools }),
    ...(typeof limit === 'number' && { max_tokens: limit }),
  } as ChatRequest;
}

function turnsOf(api: TranslatedApi, { input, messages }: Json): readonly unknown[] {
  const turns = api === 'responses' ? input : messages;
  return Array.isArray(turns) ? turns : [turns];
}

/** @throws {Untranslatable} for references to items and files in the operator's account */
function refuseKept(parts: readonly unknown[]): void {
  for (const part of parts) {
    const { type, id, role, content, output, source, result, file_id: fileId } = record(part);
    // OpenAI's API treats an item with an id, but no type or role, as a reference.
    if (
      type === 'item_reference' ||
      (type == null && role == null && typeof id === 'string') ||
      (type === 'image_generation_call' && typeof result !== 'string')
    )
      throw new Untranslatable(
        'The input refers to a stored item, and the gateway stores none. Set "store" to false, so that the client sends whole items.',
        'input',
      );
    if (typeof fileId === 'string' && !PAST_OUTPUT.test(String(type)))
      throw new Untranslatable(
        'A part refers to a stored file by its id, and the gateway stores none. Send the bytes of the file.',
        'input',
      );
    for (const inner of [content, output, source])
      if (typeof inner === 'object' && inner !== null) refuseKept([inner].flat());
  }
}

/** Relays a stream. Ends a broken one with an error event, because clients retry a call whose connection breaks. */
export class NativeBody implements PushBody {
  constructor(
    private readonly body: PushBody,
    private readonly events: AnswerEvents,
    private readonly onBroken: () => void,
  ) {}

  get isComplete(): boolean {
    return this.body.isComplete === true;
  }

  start(sink: BodySink): void {
    this.body.start({
      write: (bytes) => sink.write(bytes),
      end: () => sink.end(),
      fail: () => {
        this.onBroken();
        sink.write(Buffer.from(this.events.fail(BROKEN_ANSWER).map(eventText).join('')));
        sink.end();
      },
      drop: () => sink.drop(),
    });
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    this.body.cancel();
  }

  sent(): void {
    this.body.sent?.();
  }
}
