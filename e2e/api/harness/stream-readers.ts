import { onTestFinished } from 'vitest';
import { streamChat } from '@/lib/client/private-chat';
import { EventStreamReader } from '@/lib/protocol/event-stream/event-stream-reader';
import { readChatPieces } from '@/packages/turnpike-client/command/chat-pieces';
import { CollectedAnswer } from '@/lib/protocol/translation/collected-answer';
import { startProxy } from '@/packages/turnpike-client/command/proxy/proxy-server';
import { createTurnpike } from '@/packages/turnpike-client/src/turnpike';
import type { Found } from './odd-stream';

/** Result of a reader. Omits what the reader does not return. */
export type Told = Partial<Omit<Found, 'hasBegun' | 'end'>> & { end: Found['end'] | null };

const ASKED = { model: 'plain', stream: true, stream_options: { include_usage: true } };
const MESSAGES = [{ role: 'user', content: 'Hello?' }];
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_BYTES_MAX = 64 * 1024 * 1024;

const failed = (error: unknown): Pick<Told, 'end'> => ({
  end: { error: [(error as Error).message, (error as { detail?: unknown }).detail].join(' ') },
});

/** Reads the stream with the npm package. */
export async function toldByPackage(response: Response): Promise<Told> {
  if (!response.ok) return { end: { error: await response.text() } };
  const answer = new CollectedAnswer();
  const soFar = () => ({
    text: answer.text,
    reasoning: answer.reasoning,
    calls: answer.toolCalls,
    usage: answer.usage,
  });
  try {
    for await (const piece of readChatPieces(response)) answer.add(piece);
    return { ...soFar(), end: (answer.finishReason ?? 'stop') as Found['end'] };
  } catch (error) {
    return { ...soFar(), ...failed(error) };
  }
}

/** Reads the stream with the console's code, which supports no tool calls. */
export async function toldByConsole(origin: string): Promise<Told> {
  let [text, reasoning] = ['', ''];
  try {
    for await (const event of streamChat({
      connection: { baseUrl: origin },
      model: 'plain',
      messages: [{ role: 'user', content: 'Hello?' }],
    })) {
      if (event.type === 'delta' && event.kind === 'answer') text += event.text;
      if (event.type === 'delta' && event.kind === 'reasoning') reasoning += event.text;
      if (event.type === 'done')
        return {
          text,
          reasoning,
          usage: event.answer.usage,
          end: (event.answer.finishReason ?? 'stop') as Found['end'],
        };
    }
  } catch (error) {
    return { text, reasoning, ...failed(error) };
  }
  return { text, reasoning, end: null };
}

/** Starts a proxy before a gateway. The proxy stops at the end of the test. */
export async function proxyBefore(origin: string): Promise<string> {
  const customer = createTurnpike({ url: origin, account: 'key-of-a-test' });
  const proxy = await startProxy({
    customer,
    privacy: 'plain',
    privately: {},
    model: null,
    token: 'token-of-a-test-1',
    port: 0,
    onCall: () => undefined,
  });
  onTestFinished(() => proxy.close());
  return `http://127.0.0.1:${proxy.port}/token-of-a-test-1/v1`;
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });

/** Reads the stream through the proxy. */
export async function toldByChats(proxy: string): Promise<Told> {
  const response = await post(`${proxy}/chat/completions`, { ...ASKED, messages: MESSAGES });
  if (response.ok && !/^text\/event-stream/.test(response.headers.get('content-type') ?? '')) {
    // Only errors are not streamed.
    const text = await response.text();
    return text.includes('"choices"')
      ? { end: null }
      : { ...(await toldByPackage(new Response(text, { headers: response.headers }))) };
  }
  return toldByPackage(response);
}

interface NamedData {
  type?: string;
  message?: string;
  error?: { message?: string };
  delta?: { text?: string; partial_json?: string; stop_reason?: string };
  content_block?: { type: string; id: string; name: string };
  usage?: { input_tokens: number; output_tokens: number };
  response?: {
    status: string;
    error?: { message?: string } | null;
    output: { type: string; call_id: string; name: string; arguments: string; content?: { text: string }[] }[];
    usage: { input_tokens: number; output_tokens: number } | null;
  };
}

async function eventsOf(response: Response): Promise<NamedData[]> {
  const text = await response.text();
  if (!response.ok) return [{ type: 'error', message: text }];
  return new EventStreamReader(EVENT_BYTES_MAX)
    .push(new TextEncoder().encode(text))
    .flatMap((data) => (data === null ? [] : [JSON.parse(data) as NamedData]));
}

const errorOfEvents = (events: readonly NamedData[]): Pick<Told, 'end'> | null => {
  const event = events.find(({ type }) => type === 'error' || type === 'response.failed');
  return event
    ? { end: { error: event.message ?? event.error?.message ?? event.response?.error?.message ?? '' } }
    : null;
};
const ENDS: Readonly<Record<string, Found['end']>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Reads the stream through the proxy, translated to Anthropic's Messages API. */
export async function toldByMessages(proxy: string): Promise<Told> {
  const events = await eventsOf(
    await post(`${proxy}/messages`, { model: 'plain', stream: true, max_tokens: 100, messages: MESSAGES }),
  );
  let text = '';
  const calls: { id: string; name: string; argumentsText: string }[] = [];
  for (const { content_block: block, delta } of events) {
    if (block?.type === 'tool_use') calls.push({ id: block.id, name: block.name, argumentsText: '' });
    text += delta?.text ?? '';
    const last = calls.at(-1);
    if (last && delta?.partial_json) last.argumentsText += delta.partial_json;
  }
  const failure = errorOfEvents(events);
  if (failure) return { text, ...failure };
  const { delta, usage } = events.find(({ type }) => type === 'message_delta') ?? {};
  const isCounted = usage !== undefined && usage.input_tokens + usage.output_tokens > 0;
  return {
    text,
    calls,
    usage: isCounted ? { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens } : null,
    end: ENDS[delta?.stop_reason ?? ''] ?? null,
  };
}

/** Reads the stream through the proxy, translated to OpenAI's Responses API. */
export async function toldByResponses(proxy: string): Promise<Told> {
  const events = await eventsOf(await post(`${proxy}/responses`, { model: 'plain', stream: true, input: 'Hello?' }));
  const failure = errorOfEvents(events);
  if (failure) return failure;
  const response = events.at(-1)?.response;
  if (response === undefined) return { end: null };
  const calls = response.output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name, arguments: argumentsText }) => ({ id, name, argumentsText }));
  const text = response.output
    .flatMap(({ content }) => content ?? [])
    .map((part) => part.text)
    .join('');
  const usage = response.usage && {
    promptTokens: response.usage.input_tokens,
    completionTokens: response.usage.output_tokens,
  };
  return {
    text,
    calls,
    usage,
    end: response.status === 'incomplete' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
  };
}
