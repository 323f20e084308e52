import { describe, expect, it } from 'vitest';
import { skipValue } from '../json-scan';
import { randomJson } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { DOCUMENT_DEPTH_MAX, type JsonStructure, scannedInPlace, StructureScan } from './structure-scan';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Scans a document in pieces of these sizes, in rotation. */
function scan(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): JsonStructure {
  const found = StructureScan.start();
  if (!found) throw new Error('This engine has no vectors.');
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const end = Math.min(bytes.length, at + (sizes[piece % sizes.length] as number));
    found.feed(bytes, at, end);
    at = end;
  }
  return found.end();
}

/** Returns whether the JavaScript scanner finds that the document is one container. */
function isWhole(bytes: Uint8Array): boolean {
  return skipValue(bytes, 0, DOCUMENT_DEPTH_MAX) === bytes.length;
}

describe('the structure of a document', () => {
  it('is whole where the scanner in JavaScript finds its end, whatever was done to it and in whatever pieces it comes', () => {
    const random = new SeededRandom(41);
    const verdicts = { true: 0, false: 0 };
    for (let i = 0; i < 6_000; i++) {
      let text = `[${Array.from({ length: random.integer(1, 6) }, () => randomJson(random, random.integer(0, 4))).join(',')}]`;
      if (random.chance(0.6)) {
        const at = random.integer(1, text.length - 1);
        text =
          text.slice(0, at) +
          random.pick(['', '"', '\\', '\\"', '\\\\"', ',', 'x', '#', '\u0000', 'é', ' ']) +
          text.slice(at + random.integer(0, 1));
      }
      const bytes = bytesOf(text);
      // Skips documents with text after the first value, which other code must detect.
      if (skipValue(bytes, 0, 1_000) > 0 && !isWhole(bytes)) continue;
      const expected = isWhole(bytes);
      const sizes = Array.from({ length: 3 }, () => random.integer(1, 150));
      expect(scan(bytes, sizes).isWhole, `${text} in ${String(sizes)}`).toBe(expected);
      expect(scan(bytes).isWhole, text).toBe(expected);
      verdicts[`${expected}`]++;
    }
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(500);
  });

  it('is not whole at any length but the last', () => {
    const bytes = bytesOf(`{"a":["${'x\\"'.repeat(40)}",{"b":"${'\\\\'.repeat(40)}"}],"c":"${'y'.repeat(70)}\\\\"}`);
    for (let length = 0; length < bytes.length; length++)
      expect(scan(bytes.subarray(0, length)).isWhole, String(length)).toBe(length === 0);
    expect(scan(bytes).isWhole).toBe(true);
  });

  it('knows escapes in runs of every length at every place of a block and of a piece', () => {
    for (let before = 0; before < 130; before++) {
      for (let run = 0; run < 6; run++) {
        const bytes = bytesOf(`["${'x'.repeat(before)}${'\\'.repeat(run)}",1]`);
        const expected = isWhole(bytes);
        expect(expected).toBe(run % 2 === 0);
        for (const size of [bytes.length, 64, 63, 1])
          expect(scan(bytes, [size]).isWhole, `${before} ${run} ${size}`).toBe(expected);
      }
    }
  });

  it.each(['[1}', '{"a":]', '[tru]', '[,,]'])('is no more than structure: %s passes', (text) => {
    expect(scan(bytesOf(text)).isWhole).toBe(isWhole(bytesOf(text)));
    expect(scan(bytesOf(text)).isWhole).toBe(true);
  });

  it('takes every byte outside of strings as the scanner in JavaScript does', () => {
    for (let byte = 0; byte < 256; byte++) {
      if (['"', '[', '{', ']', '}'].includes(String.fromCharCode(byte))) continue;
      const bytes = Uint8Array.from([0x5b, byte, 0x5d]);
      expect(scan(bytes).isWhole, String(byte)).toBe(isWhole(bytes));
    }
  });

  it('admits as many levels as answers may have, and no more', () => {
    const nested = (depth: number) => bytesOf('['.repeat(depth) + ']'.repeat(depth));
    expect(scan(nested(DOCUMENT_DEPTH_MAX)).isWhole).toBe(true);
    expect(scan(nested(DOCUMENT_DEPTH_MAX + 1)).isWhole).toBe(false);
    expect(scan(bytesOf('[]]')).isWhole).toBe(false);
  });
});

describe('the ends of containers', () => {
  it('are those that the scanner in JavaScript finds, across pieces and stretches', () => {
    const random = new SeededRandom(42);
    const item = () => `{"k":"${'v'.repeat(random.integer(0, 3_000))}","n":[${'1,'.repeat(random.integer(0, 900))}2]}`;
    for (let i = 0; i < 20; i++) {
      const bytes = bytesOf(
        `[${Array.from({ length: 60 }, () => `{"result":[${Array.from({ length: random.integer(1, 4) }, item).join(',')}]}`).join(',')}]`,
      );
      expect(bytes.length).toBeGreaterThan(65_536);
      const { ends, isWhole: whole } = scan(bytes, [random.integer(1, 200_000), random.integer(1, 100)]);
      expect(whole).toBe(true);
      expect(ends.get(0)).toBe(bytes.length);
      expect(ends.size).toBeGreaterThan(100);
      for (const [start, end] of ends) expect(skipValue(bytes, start, 1_000)).toBe(end);
    }
  });

  it('are kept apart where documents arrive by turns', () => {
    const texts = ['a', 'b"\\', 'c'].map((letter) => `{"r":[${`${JSON.stringify(letter.repeat(50))},`.repeat(400)}1]}`);
    const scans = texts.map(() => StructureScan.start() as StructureScan);
    const documents = texts.map(bytesOf);
    for (let at = 0; at < Math.max(...documents.map(({ length }) => length)); at += 777) {
      documents.forEach((bytes, index) => scans[index]?.feed(bytes, at, Math.min(bytes.length, at + 777)));
    }
    for (const [index, bytes] of documents.entries()) expect(scans[index]?.end()).toEqual(scan(bytes));
  });

  it('are found in place, in the memory that is read into', () => {
    const bytes = bytesOf(`{"id":1,"result":[${'"0x",'.repeat(1_000)}1]}`);
    const found = StructureScan.start() as StructureScan;
    const place = scannedInPlace as Uint8Array;
    for (let at = 0; at < bytes.length; at += 1_000) {
      const piece = bytes.subarray(at, at + 1_000);
      // Fills the buffer with quotes around the piece, as if other data surrounded it.
      place.fill(0x22);
      place.set(piece, 17);
      found.feed(place, 17, 17 + piece.length);
    }
    expect(found.end()).toEqual(scan(bytes));
  });
});

it('takes time by the size alone', () => {
  const SIZE = 5_000_000;
  const adversaries = [
    '\\'.repeat(SIZE),
    '\\"'.repeat(SIZE / 2),
    '"",'.repeat(SIZE / 3),
    '['.repeat(SIZE),
    `[${'[],'.repeat(SIZE / 3)}1]`,
    ' '.repeat(SIZE),
    `[${`[${'1,'.repeat(600)}1],`.repeat(SIZE / 1_200)}1]`,
  ];
  for (const text of adversaries) {
    const bytes = bytesOf(`[${text}`);
    const before = performance.now();
    scan(bytes, [65_536, 100]);
    // Measured: under 40 ms. Quadratic time takes minutes.
    expect(performance.now() - before, text.slice(0, 10)).toBeLessThan(2_000);
  }
});
