import { describe, expect, it } from 'vitest';
import { randomJson } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { readAnswer, readBatchAnswer } from './answer';
import { readPlainAnswer, readPlainAnswers } from './plain-json';

/** Reads a response with the general reader. The added white space keeps the plain reader from matching. */
const general = (text: string) => readAnswer(new TextEncoder().encode(`${text} `));
const generalBatch = (text: string) => readBatchAnswer(new TextEncoder().encode(`${text} `), 100);
const plain = (text: string) => readPlainAnswer(new TextEncoder().encode(text));
const plainBatch = (text: string, itemsMax = 100) => readPlainAnswers(new TextEncoder().encode(text), itemsMax);

describe('a plain response', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
    '{"jsonrpc":"2.0","id":1,"result":null}\n',
    '{"jsonrpc":"2.0","id":"a","result":{"a":["0x1",true],"b":-1.5e3}}',
    '{"jsonrpc":"2.0","result":[],"id":9007199254740993}',
    '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"m","data":{"a":[]}}}',
  ])('%j is found where the general reader finds it', (text) => {
    expect(plain(text)).toEqual(general(text));
    expect(plain(text)).not.toBeNull();
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
    '{"jsonrpc":"2.0","id":1,"error":null}',
    '{"jsonrpc":"2.0","id":1,"error":[]}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1},"result":1}',
    '{"jsonrpc":"2.0","id":01,"result":1}',
    '{"jsonrpc":"2.0","id":1,"result":"é"}',
    '{"jsonrpc":"2.0","id":1,"result":"\\u0041"}',
    '{"jsonrpc":"2.0","id":1,"result":nul}',
    '{"jsonrpc":"2.0","id":1,"result":-}',
    '{"jsonrpc":"2.0","id":1,"result":1e}',
    '{"jsonrpc":"2.0","id":1,"result":1.}',
    '{"jsonrpc":"2.0","id":1,"result":{"a":1,}}',
    `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(17)}${']'.repeat(17)}}`,
    '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1}}',
    '{"jsonrpc":"2.0","id":1,"result":1,"result":2}',
  ])('%j is not one', (text) => {
    expect(plain(text)).toBeNull();
  });

  it('is read as the general reader does, or left to it, whatever has been done to it, alone and in a batch', () => {
    const random = new SeededRandom(32);
    let found = 0;
    for (let i = 0; i < 20_000; i++) {
      const result = randomJson(random, random.integer(0, 2));
      const item = random.pick([
        `{"jsonrpc":"2.0","id":${i},"result":${result}}`,
        `{"jsonrpc":"2.0","result":${result},"id":${i}}`,
        `{"jsonrpc":"2.0","id":${i},"error":{"code":1,"message":${result}}}`,
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
      const answer = isBatch ? plainBatch(text) : plain(text);
      if (!answer) continue;
      found++;
      expect(answer, text).toEqual(isBatch ? generalBatch(text) : general(text));
    }
    expect(found).toBeGreaterThan(2_000);
  });

  it('beyond ASCII is cut by bytes all the same', () => {
    const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":"é"}');
    const found = readAnswer(bytes);
    expect(new TextDecoder().decode(bytes.subarray(found?.valueStart, found?.valueEnd))).toBe('"é"');
  });

  it('is one of at most so many', () => {
    const text = '[{"jsonrpc":"2.0","id":1,"result":1},{"jsonrpc":"2.0","id":2,"result":2}]';
    expect(plainBatch(text, 2)).toHaveLength(2);
    expect(plainBatch(text, 1)).toBeNull();
  });
});
