import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamCompletion } from '@/lib/client/private-chat/completion-stream';
import { StreamAccount } from '@/lib/protocol/chat/stream-account';
import { estimateTokens } from '@/lib/protocol/chat/token-usage';
import { readChatPieces } from './chat-pieces';

/** Guarantee: gateway, console and package parse the same text, usage and end from any legal stream. */

const utf8 = new TextEncoder();

interface Chat {
  words: readonly string[];
  usage: { prompt_tokens: number; completion_tokens: number } | null;
}

/** Ways to write a stream, all legal (WHATWG HTML 9.2.6, RFC 8259). */
interface Style {
  lineEnd: string;
  beginning: string;
  field: string;
  indent: string;
  /** Text before and after each event. */
  before: string;
  after: string;
}

const chat: fc.Arbitrary<Chat> = fc.record({
  words: fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.constantFrom(
        'data: [DONE]',
        '"usage":{"prompt_tokens":9,"completion_tokens":9}',
        '\n\ndata: x\r\r',
        '\u2028',
        '[DONE]',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  ),
  usage: fc.option(fc.record({ prompt_tokens: fc.nat({ max: 9_999 }), completion_tokens: fc.nat({ max: 9_999 }) })),
});
const style: fc.Arbitrary<Style> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  beginning: fc.constantFrom('', '\ufeff', '\n', ': hello\n\n'),
  field: fc.constantFrom('data: ', 'data:'),
  indent: fc.constantFrom('', ' ', '\t'),
  before: fc.constantFrom('', ': comment\n', 'event: message\n', 'id: 1\nretry: 5\n'),
  after: fc.constantFrom('', '\n', ': keep-alive\n\n'),
});

function written({ words, usage }: Chat, { lineEnd, beginning, field, indent, before, after }: Style): Uint8Array {
  const chunk = (choices: readonly object[], more: object = {}) => ({ id: 'chatcmpl-1', choices, ...more });
  const chunks = [
    ...words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ...(usage === null ? [] : [chunk([], { usage })]),
  ];
  const data = [...chunks.map((value) => JSON.stringify(value, null, indent)), '[DONE]'];
  const events = data.map((text) => `${before}${text.replace(/^|\n/g, (at) => at + field)}\n\n${after}`);
  return utf8.encode((beginning + events.join('')).replaceAll('\n', lineEnd));
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const at = [
    0,
    ...[...new Set(places.map((place) => place % bytes.length))].sort((one, other) => one - other),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => new Uint8Array(bytes.slice(at[index], end)));
}

const answerOf = (chunks: readonly Uint8Array<ArrayBuffer>[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );

async function toldByPackage(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  const read = { text: '', usage: null as object | null, finish: '' };
  for await (const piece of readChatPieces(answerOf(chunks))) {
    if (piece.type === 'text') read.text += piece.text;
    else if (piece.type === 'usage')
      read.usage = { promptTokens: piece.promptTokens, completionTokens: piece.completionTokens };
    else if (piece.type === 'finish') read.finish = piece.reason;
  }
  return read;
}

async function toldByConsole(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  const connection = { baseUrl: 'https://gateway.example', fetch: () => Promise.resolve(answerOf(chunks)) };
  for await (const event of streamCompletion({
    connection,
    bodyText: '{}',
    headers: {},
    isEncrypted: false,
    open: (content) => content,
  })) {
    if (event.type === 'done')
      return { text: event.answer.text, usage: event.answer.usage, finish: event.answer.finishReason };
  }
  return null;
}

function toldByGateway(chunks: readonly Uint8Array[]) {
  const account = new StreamAccount();
  const passed = [...chunks.map((chunk) => account.push(chunk)), account.end()];
  const { usage, done, finished, estimatedTokens } = account;
  return {
    told: { usage, done, finished, estimatedTokens },
    ends: passed.flatMap(({ marks }) => marks).filter(({ kind }) => kind === 'done').length,
    bytes: Buffer.concat(passed.map(({ bytes }) => bytes)),
  };
}

describe('every reader', () => {
  test('finds the same answer, usage and end in any legal stream, cut at any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(chat, style, fc.array(fc.nat(), { maxLength: 30 }), async (what, how, places) => {
        const bytes = written(what, how);
        const chunks = cut(bytes, places);
        const usage = what.usage && {
          promptTokens: what.usage.prompt_tokens,
          completionTokens: what.usage.completion_tokens,
        };
        const told = { text: what.words.join(''), usage, finish: 'stop' };
        expect(await toldByPackage(chunks)).toEqual(told);
        expect(await toldByConsole(chunks)).toEqual(told);
        const { told: account, ends, bytes: passed } = toldByGateway(chunks);
        const producedBytes = what.words.reduce((sum, word) => sum + utf8.encode(JSON.stringify(word)).length - 2, 0);
        // Words have tokens, so a count of zero is not valid.
        const isCounted = usage !== null && usage.completionTokens > 0;
        const estimatedTokens = isCounted ? 0 : Math.max(what.words.length, estimateTokens(producedBytes));
        expect([account, ends]).toEqual([{ usage, done: true, finished: true, estimatedTokens }, 1]);
        expect(passed.equals(bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('has all of an answer that comes in 200,000 chunks, and its hash', async () => {
    const bytes = utf8.encode(
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"${'x'.repeat(200_000)}"}}]}\n\ndata: [DONE]\n\n`,
    );
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, ++at));
        if (at === bytes.length) controller.close();
      },
    });
    const connection = {
      baseUrl: 'https://gateway.example',
      fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    };
    for await (const event of streamCompletion({
      connection,
      bodyText: '{}',
      headers: {},
      isEncrypted: false,
      open: (content) => content,
    })) {
      if (event.type === 'done') expect(Buffer.from(event.answer.received.bytes()).equals(bytes)).toBe(true);
    }
    expect(at).toBe(bytes.length);
  });

  test('takes nothing after the end for a part of the answer', async () => {
    const event = (content: string) => `data: {"id":"c","choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
    const chunks = [new Uint8Array(utf8.encode(`${event('All.')}data: [DONE]\n\n${event('A tail.')}data: [DONE]\n\n`))];
    expect((await toldByPackage(chunks)).text).toBe('All.');
    await expect(toldByConsole(chunks)).rejects.toMatchObject({ code: 'REPLY_MALFORMED' });
  });
});
