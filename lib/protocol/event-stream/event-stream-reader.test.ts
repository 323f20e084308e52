import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamAccount } from '../chat/stream-account';
import { AnswerEventReader } from '../e2ee/ml-kem/answer-events';
import { FrameReader, frameOf } from '../e2ee/ehbp/frames';
import { EventStreamReader } from './event-stream-reader';
import { type StreamPart, StreamSplitter } from './stream-splitter';

const utf8 = new TextEncoder();
const BYTES_MAX = 1_000_000;

/** Returns the chunks of a stream that is cut at these offsets. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [
    0,
    ...[...new Set(places.map((place) => place % (bytes.length + 1)))].sort((one, other) => one - other),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => bytes.slice(at[index], end));
}

function read(chunks: readonly Uint8Array[]) {
  const reader = new EventStreamReader(BYTES_MAX);
  const events = chunks.flatMap((chunk) => reader.push(chunk));
  const { events: last, cut: rest } = reader.end();
  return { events: [...events, ...last], cut: rest };
}

/** Reads events exactly as the standard describes: line by line on the whole text. */
function readByTheLetter(text: string): string[] {
  const dispatched: string[] = [];
  let data: string[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  // Text after the last line end is not a line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (data.length > 0) dispatched.push(data.join('\n'));
      data = [];
    } else if (line === 'data') data.push('');
    else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
  }
  return dispatched;
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.oneof(
  fc.constantFrom(
    'data',
    'data:',
    'data: [DONE]',
    'data:  x',
    ': comment',
    ':',
    'event: x',
    'id: 1',
    ' data: x',
    'data : x',
    '\ufeffdata: y',
    'datax: 1',
    'data: Grüße 世界 🦊',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
);
const stream = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.array(fc.tuple(fc.oneof({ weight: 2, arbitrary: line }, { weight: 1, arbitrary: fc.constant('') }), lineEnd), {
      maxLength: 30,
    }),
  )
  .map(([mark, lines]) => mark + lines.flat().join(''));
const places = fc.array(fc.nat(), { maxLength: 40 });

describe('an event stream', () => {
  it('is read as the standard has it, whatever its line ends are, and however it is cut into chunks', () => {
    fc.assert(
      fc.property(stream, places, (text, cuts) => {
        const { events } = read(cut(utf8.encode(text), cuts));
        expect(events.filter((data) => data !== null)).toEqual(readByTheLetter(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves every byte where it is: parts follow one another, and what is taken is all of them', () => {
    fc.assert(
      fc.property(stream, places, fc.constantFrom('event' as const, 'line' as const), (text, cuts, unit) => {
        const bytes = utf8.encode(text);
        const parts: string[] = [];
        const onPart = ({ bytes: all, start, end }: StreamPart): void =>
          void parts.push(Buffer.from(all.subarray(start, end)).toString());
        const splitter = new StreamSplitter({ unit, partBytesMax: BYTES_MAX, onPart });
        const taken = cut(bytes, cuts).map((chunk) => {
          const whole = Buffer.from(splitter.push(chunk));
          // Overwrites the chunk, because the sender may reuse its buffer.
          chunk.fill(0x21);
          return whole;
        });
        taken.push(Buffer.from(splitter.finish()));
        expect(Buffer.concat(taken).toString()).toBe(text);
        expect(parts.join('').replace(/[\ufeff\n]/g, '')).toBe(text.replace(/[\ufeff\n]/g, ''));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives an event at its last byte: nothing waits for the next one', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const reader = new EventStreamReader(BYTES_MAX);
      expect(reader.push(utf8.encode(`data: x${end}${end}`))).toEqual(['x']);
    }
  });

  it.each(['data: x', 'data: x\n', 'data: x\r', 'data: x\r\n'])(
    'tells of an event that its end cuts short: %j',
    (text) => {
      expect(read([utf8.encode(text)])).toEqual({ events: [], cut: 'x' });
    },
  );

  it('has a byte order mark at its beginning alone', () => {
    expect(read([utf8.encode('\ufeffdata: x\n\n\ufeffdata: [DONE]\n\n')]).events).toEqual(['x', null]);
  });

  it.each([1, 7, 100_000])('is refused where an event is too long, in chunks of %i bytes', (size) => {
    const reader = new EventStreamReader(1_000);
    const bytes = utf8.encode(`data: ${'x'.repeat(2_000)}\n\n`);
    expect(() => {
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    }).toThrow(expect.objectContaining({ fault: 'too-long' }));
  });
});

/** Measures CPU time, because wall time depends on the machine's load. */
function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('the time that a reader takes grows with the bytes, and not with their square, in chunks of one byte', () => {
  const eventOf = (length: number): Uint8Array =>
    utf8.encode(`data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(length)}"}}]}\n\n`);
  it.each<[string, (length: number) => Uint8Array, () => { push: (bytes: Uint8Array) => unknown }]>([
    ['of events', eventOf, () => new EventStreamReader(8_000_000)],
    ['of what a stream cost', eventOf, () => new StreamAccount()],
    [
      'of encrypted pieces',
      (length) => utf8.encode(`data: {"e2e":"${'A'.repeat(length)}"}\n`),
      () => new AnswerEventReader(),
    ],
    ['of encrypted frames', (length) => frameOf(new Uint8Array(length)), () => new FrameReader()],
  ])('the reader %s', (_name, bytesOf, readerOf) => {
    const timeOf = (length: number): number => {
      const bytes = bytesOf(length);
      return Math.min(
        ...[1, 2, 3].map(() =>
          cpuMs(() => {
            const reader = readerOf();
            for (let at = 0; at < bytes.length; at++) reader.push(bytes.subarray(at, at + 1));
          }),
        ),
      );
    };
    timeOf(50_000);
    const [short, long] = [timeOf(60_000), timeOf(480_000)];
    // The stream is eight times as long. Quadratic time would grow 64-fold.
    expect(long / Math.max(short, 1)).toBeLessThan(24);
  });
});
