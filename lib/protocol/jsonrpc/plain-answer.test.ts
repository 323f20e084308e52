import { describe, expect, it } from 'vitest';
import { randomJson } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { readAnswer, readBatchAnswer } from './answer';
import { readPlainAnswer, readPlainAnswers } from './plain-json';

/** Reads a response with the general reader. The added white space keeps the plain reader from matching. */
const general = (text: string) => readAnswer(new TextEncoder().encode(`${text} `));
const generalBatch = (text: string) => readBatchAnswer(new TextEncoder().encode(`${text} `), 100);

describe('a plain response', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
    '{"jsonrpc":"2.0","id":1,"result":null}\n',
    '{"jsonrpc":"2.0","id":"a","result":{"a":["0x1",true],"b":-1.5e3}}',
    '{"jsonrpc":"2.0","result":[],"id":9007199254740993}',
  ])('%j is found where the general reader finds it', (text) => {
    expect(readPlainAnswer(text)).toEqual(general(text));
    expect(readPlainAnswer(text)).not.toBeNull();
  });

  it.each([
    '',
    '{}',
    '[]',
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}x',
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}\n\n',
    '{"jsonrpc":"2.0","id":1,"result":"0x1"',
    '{"jsonrpc":"2.0","id":1,"result":}',
    '{"jsonrpc":"2.0","id":1,"result":01}',
    '{"jsonrpc":"2.0","id":1,"result":[1,]}',
    '{"jsonrpc":"2.0","id":1,"result":"\n"}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}',
    '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1}}',
    '{"jsonrpc":"2.0","id":1,"result":1,"result":2}',
  ])('%j is not one', (text) => {
    expect(readPlainAnswer(text)).toBeNull();
  });

  it('is read as the general reader does, or left to it, whatever has been done to it, alone and in a batch', () => {
    const random = new SeededRandom(32);
    let plain = 0;
    for (let i = 0; i < 20_000; i++) {
      const result = randomJson(random, random.integer(0, 2));
      const item = random.pick([
        `{"jsonrpc":"2.0","id":${i},"result":${result}}`,
        `{"jsonrpc":"2.0","result":${result},"id":${i}}`,
      ]);
      const isBatch = random.chance(0.4);
      let text = isBatch ? `[${item},${item}]` : item;
      if (random.chance(0.5)) {
        const at = random.integer(0, text.length - 1);
        text =
          text.slice(0, at) +
          random.pick(['', '"', ',', '{', '}', '[', ']', ':', '0', ' ', '\\', '\u0001']) +
          text.slice(at + random.integer(0, 1));
      }
      if (text.length !== new TextEncoder().encode(text).length) continue;
      const found = isBatch ? readPlainAnswers(text, 100) : readPlainAnswer(text);
      if (!found) continue;
      plain++;
      expect(found, text).toEqual(isBatch ? generalBatch(text) : general(text));
    }
    expect(plain).toBeGreaterThan(2_000);
  });

  it('beyond ASCII is cut by bytes all the same', () => {
    const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":"é"}');
    const found = readAnswer(bytes);
    expect(new TextDecoder().decode(bytes.subarray(found?.valueStart, found?.valueEnd))).toBe('"é"');
  });

  it('is one of at most so many', () => {
    const text = '[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":2,"result":2}]';
    expect(readPlainAnswers(text, 2)).toHaveLength(2);
    expect(readPlainAnswers(text, 1)).toBeNull();
  });
});
