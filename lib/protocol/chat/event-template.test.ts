import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamAccount } from './stream-account';

const encoder = new TextEncoder();

/**
 * Passes a stream in these chunks to a StreamAccount, and returns everything that the account reports, with offsets in
 * the whole stream.
 */
function follow(chunks: readonly Uint8Array[]): unknown {
  const account = new StreamAccount({ encrypted: null, limitTokens: 30 });
  const seen: unknown[] = [];
  let beginning = -1;
  let passed = '';
  let at = 0;
  const take = ({ bytes, marks, begunAt }: ReturnType<StreamAccount['push']>): void => {
    for (const mark of marks) seen.push({ ...mark, start: mark.start + at, end: mark.end + at });
    if (begunAt >= 0) beginning = begunAt + at;
    passed += Buffer.from(bytes).toString('latin1');
    at += bytes.length;
  };
  for (const chunk of chunks) take(account.push(chunk));
  take(account.end());
  const { usage, done, finished, begun, estimatedTokens } = account;
  return { seen, beginning, passed, usage, done, finished, begun, estimatedTokens };
}

const text = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'Hello', ' world', 'Grüße 世界', 'x'.repeat(300)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '\\"',
      '\\',
      '"',
      'a"b',
      '\\u00e9',
      'a\nb',
      'a\rb',
      '\t',
      'usage',
      'finish_reason',
      '[DONE]',
    ),
  },
  fc.string({ maxLength: 8 }),
);
const rest = fc.constantFrom<(text: string) => string>(
  (each) => `{"choices":[{"index":0,"delta":{"content":"${each}"},"finish_reason":null}],"usage":null}`,
  (each) => `{"choices":[{"index":0,"delta":{"reasoning_content":"${each}"}}]}`,
  (each) => `{"choices":[{"delta":{"content":"${each}","refusal":"${each}"}}]}`,
  (each) => `{"choices":[{"delta":{"content":"${each}"},"finish_reason":"stop"}]}`,
  (each) => `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"${each}"}}]}}]}`,
  (each) => `{"choices":[{"delta":{"content":"${each}"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`,
  (each) => `{"choices":[{"delta":{"content":"${each}"}}],"error":"${each}"}`,
  // Malformed: the text is a name, or does not end.
  (each) => `{"content":"${each}":{"prompt_tokens":7,"completion_tokens":3}}`,
  (each) => `{"content":"${each}" :{"prompt_tokens":7,"completion_tokens":3}}`,
  (each) => `{"content":"${each}":"stop"}`,
  (each) => `{"content":"${each}`,
  (each) => `[DONE]{"content":"${each}","x":1}`,
  (each) => `{"content":"${each}","text":"${each}"}`,
);
const ends = fc.constantFrom('\n\n', '\n\n', '\n\n', '\r\n\r\n', '\r\r', '\n\r', '\n\r\n', '\r\n\r', '\n', '\n\n\n');
const before = fc.constantFrom('data: ', 'data: ', 'data: ', 'data:', 'event: x\ndata: ', ': c\n\ndata: ', '\ndata: ');
/** Runs of events that differ in their text only, as models send them. */
const run = fc
  .tuple(before, rest, ends, fc.array(text, { minLength: 1, maxLength: 5 }))
  .map(([lead, of, end, texts]) => texts.map((each) => `${lead}${of(each)}${end}`));
const stream = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(run, { maxLength: 6 })).map(([mark, runs]) => {
  const events = runs.flat();
  return [`${mark}${events[0] ?? ''}`, ...events.slice(1)];
});

describe('an event like the one before it', () => {
  it('counts for what it counts byte by byte, whatever its text and the bytes around it', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const whole = encoder.encode(events.join(''));
        const bytes = Array.from(whole, (_byte, at) => whole.subarray(at, at + 1));
        const chunks = events.map((event) => encoder.encode(event));
        expect(follow(chunks)).toEqual(follow(bytes));
      }),
      { numRuns: 800 },
    );
  });

  it('is measured again where the bytes around its text change with every event', () => {
    const events = Array.from({ length: 40 }, (_none, index) =>
      encoder.encode(`data: {"id":"${index}","choices":[{"delta":{"content":"four"}}]}\n\n`),
    );
    expect(follow(events)).toMatchObject({ estimatedTokens: 40 });
  });
});
