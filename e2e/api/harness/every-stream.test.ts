import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { scriptedModel } from '@/test/scripted-model';
import { serve } from '@/test/test-gateway';
import { chunk, DONE, type Found, sse } from './odd-stream';
import {
  proxyBefore,
  toldByChats,
  toldByConsole,
  toldByMessages,
  toldByPackage,
  toldByResponses,
} from './stream-readers';

/** Guarantee: all readers return the same result for any valid chat stream, wherever its bytes are split. */

type Said = { kind: 'text' | 'reasoning'; text: string };

/** Output of a model. */
interface Answer {
  said: readonly Said[];
  calls: readonly { id: string; name: string; argumentsText: string }[];
  usage: Found['usage'];
  end: 'stop' | 'length' | 'tool_calls';
}

/** Formats of the server. All are valid (WHATWG HTML 9.2.6, RFC 8259), or accepted by OpenAI's SDKs. */
interface Style {
  lineEnd: string;
  beginning: string;
  field: string;
  indent: string;
  before: string;
  after: string;
  usageAt: 'finish' | 'own event' | 'after [DONE]';
  reasoningName: 'reasoning' | 'reasoning_content';
  asParts: boolean;
  emptyFinish: null | '';
  hasDone: boolean;
  contentType: string;
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    'data: [DONE]',
    '"error":{"message":"x"}',
    '"finish_reason":"stop"',
    '\n\ndata: x\r\r',
    '\u2028',
    '[DONE]',
    '\ufeff',
    '\\"',
  ),
);
const answer: fc.Arbitrary<Answer> = fc
  .record({
    said: fc.array(
      fc.record({ kind: fc.constantFrom('text' as const, 'text' as const, 'reasoning' as const), text: words }),
      { minLength: 1, maxLength: 5 },
    ),
    calls: fc
      .array(fc.record({ city: words }), { maxLength: 2 })
      .map((calls) =>
        calls.map((given, index) => ({ id: `call_${index}`, name: 'look', argumentsText: JSON.stringify(given) })),
      ),
    usage: fc.option(
      fc.record({ promptTokens: fc.integer({ min: 1, max: 900 }), completionTokens: fc.integer({ min: 1, max: 90 }) }),
    ),
    isLong: fc.boolean(),
  })
  .map(({ isLong, ...rest }) => ({
    ...rest,
    end: rest.calls.length > 0 ? ('tool_calls' as const) : isLong ? ('length' as const) : ('stop' as const),
  }));
const style: fc.Arbitrary<Style> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  beginning: fc.constantFrom('', '\ufeff', '\n', ': hello\n\n', 'event: ping\ndata: ping\n\n'),
  field: fc.constantFrom('data: ', 'data:'),
  indent: fc.constantFrom('', ' ', '\t'),
  before: fc.constantFrom('', ': comment\n', 'event: message\n', 'event: chunk\n', 'id: 1\nretry: 5\n'),
  after: fc.constantFrom('', '\n', ': keep-alive\n\n', 'data:\n\n', 'event: heartbeat\ndata: ok\n\n'),
  usageAt: fc.constantFrom('finish' as const, 'own event' as const, 'after [DONE]' as const),
  reasoningName: fc.constantFrom('reasoning' as const, 'reasoning_content' as const),
  asParts: fc.boolean(),
  emptyFinish: fc.constantFrom(null, '' as const),
  hasDone: fc.boolean(),
  contentType: fc.constantFrom(
    'text/event-stream',
    'Text/Event-Stream; charset=UTF-8',
    'text/plain',
    'application/octet-stream',
  ),
});

/** Returns the events of an answer, each as its lines. */
function eventsOf(
  { said, calls, usage, end }: Answer,
  { usageAt, reasoningName, asParts, emptyFinish, hasDone }: Style,
): string[] {
  const half = (text: string): number => Math.floor(text.length / 2);
  const deltas = [
    { role: 'assistant', content: '' },
    ...said.map(({ kind, text }) =>
      kind === 'reasoning' ? { [reasoningName]: text } : { content: asParts ? [{ type: 'text', text }] : text },
    ),
    ...calls.flatMap(({ id, name, argumentsText: text }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: text.slice(0, half(text)) } }] },
      { tool_calls: [{ index, function: { arguments: text.slice(half(text)) } }] },
    ]),
  ];
  const told = usage && { usage: { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens } };
  const count = told ? [sse({ id: 'chatcmpl-1', choices: [], ...told })] : [];
  const done = hasDone ? [DONE] : [];
  return [
    ...deltas.map((delta) => chunk(delta, emptyFinish)),
    chunk({}, end, usageAt === 'finish' && told ? told : {}),
    ...(usageAt === 'own event' ? count : []),
    ...done,
    ...(usageAt === 'after [DONE]' ? count : []),
  ];
}

function written(what: Answer, how: Style): Buffer {
  const { lineEnd, beginning, field, indent, before, after } = how;
  const events = eventsOf(what, how).map((event) => {
    const data = event.slice('data: '.length, -2);
    const text = data === '[DONE]' ? data : JSON.stringify(JSON.parse(data), null, indent);
    return `${before}${text.replace(/^|\n/g, (at) => at + field)}\n\n${after}`;
  });
  return Buffer.from((beginning + events.join('')).replaceAll('\n', lineEnd));
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [
    0,
    ...[...new Set(places.map((place) => place % bytes.length))].sort((one, other) => one - other),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

test('every reader finds the same in any stream that is cut at any bytes', async () => {
  let current: { chunks: Buffer[]; contentType: string } = { chunks: [], contentType: '' };
  const send = async (response: {
    writeHead: (status: number, headers: Record<string, string>) => unknown;
    write: (chunk: Buffer) => unknown;
    end: () => unknown;
  }): Promise<void> => {
    const { chunks, contentType } = current;
    response.writeHead(200, { 'content-type': contentType });
    for (const each of chunks) {
      response.write(each);
      await turn();
    }
    response.end();
  };
  const { origin } = await serve((request, response) => void request.resume().once('end', () => void send(response)));
  const proxy = await proxyBefore(origin);
  const model = await scriptedModel((_asked, response) => send(response));
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] }, 1_000_000_000_000);
  const asked = {
    model: 'plain',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Hello?' }],
  };
  let charges = 0;
  await fc.assert(
    fc.asyncProperty(answer, style, fc.array(fc.nat(), { maxLength: 30 }), async (what, how, places) => {
      current = { chunks: cut(written(what, how), places), contentType: how.contentType };
      const textOf = (kind: Said['kind']) =>
        what.said
          .filter((each) => each.kind === kind)
          .map(({ text }) => text)
          .join('');
      const whole = {
        text: textOf('text'),
        reasoning: textOf('reasoning'),
        calls: what.calls,
        usage: what.usage,
        end: what.end,
      };
      const { reasoning, ...translated } = whole;
      const { calls, ...shown } = whole;
      expect([reasoning, calls]).toBeDefined();
      expect(
        await fetch(`${origin}/api/v1/chat/completions`, { method: 'POST', body: '{}' }).then(toldByPackage),
      ).toEqual(whole);
      expect(await toldByConsole(origin)).toEqual(shown);
      expect(await toldByChats(proxy)).toEqual(whole);
      expect(await toldByMessages(proxy)).toEqual(translated);
      expect(await toldByResponses(proxy)).toEqual(translated);
      const told = await toldByPackage(await gateway.chat(asked));
      expect(told).toEqual({ ...whole, usage: what.usage ?? told.usage });
      charges++;
      await expect.poll(async () => (await gateway.charges()).length).toBe(charges);
      // If the server states no usage, the caller gets the charged tokens.
      expect((await gateway.charges()).at(-1)?.detail).toBe(
        `${told.usage?.promptTokens} + ${told.usage?.completionTokens} tokens`,
      );
    }),
    { numRuns: 300 },
  );
}, 240_000);
