import { describe, expect, it } from 'vitest';
import { isApiError } from '../errors';
import { randomJson } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { readPlainRequest } from './plain-json';
import { parseRpcBody } from './request';

/** Returns the parsed items of a body, or the code of its refusal. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return isApiError(error) ? error.code : error;
  }
}

/** Reads a body with the general reader. The added white space keeps the plain reader from matching. */
function general(text: string): unknown {
  return outcome(() => parseRpcBody(new TextEncoder().encode(`${text} `)));
}

describe('a plain body', () => {
  it.each([
    [
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
      { method: 'eth_chainId', params: '[]', paramsByName: false, id: '1' },
    ],
    [
      '{"jsonrpc":"2.0","id":"a é","method":"m","params":[]}',
      { method: 'm', params: '[]', paramsByName: false, id: '"a é"' },
    ],
    [
      '{"method":"m","params":["0x1",{"a":[1.50,-0,1e400,[true]]},null],"id":90071992547409930,"jsonrpc":"2.0"}',
      {
        method: 'm',
        params: '["0x1",{"a":[1.50,-0,1e400,[true]]},null]',
        paramsByName: false,
        id: '90071992547409930',
      },
    ],
  ])('%s', (text, item) => {
    expect(readPlainRequest(text, 100)).toEqual({ batch: false, items: [item] });
    expect(general(text)).toEqual({ batch: false, items: [item] });
  });

  it('may be a batch, up to its limit', () => {
    const batch = (count: number) =>
      `[${Array.from({ length: count }, (_none, id) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":[${id}]}`).join(',')}]`;
    expect(readPlainRequest(batch(100), 100)).toEqual(general(batch(100)));
    expect(readPlainRequest(batch(101), 100)).toBeNull();
  });

  it.each([
    '',
    '[]',
    '{}',
    '1',
    '[1]',
    'null',
    '{"jsonrpc":"2.0","id":1,"method":"m"}x',
    '{"jsonrpc":"2.0","id":1,"method":"m"},',
    '[{"jsonrpc":"2.0","id":1,"method":"m"}',
    '[{"jsonrpc":"2.0","id":1,"method":"m"},]',
    '[{"jsonrpc":"2.0","id":1,"method":"m"}}',
    '{"jsonrpc":"1.0","id":1,"method":"m"}',
    '{"jsonrpc":"2x0","id":1,"method":"m"}',
    '{"jsonrpc":"2.0","id":01,"method":"m"}',
    '{"jsonrpc":"2.0","id":1.0,"method":"m"}',
    '{"jsonrpc":"2.0","id":1,"method":""}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[1,]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[,1]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[1 2]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[01]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":["\n"]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":["\\x"]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[{"a":1,}]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[{"a"}]}',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}',
    `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(257)}"}`,
  ])('is not %j', (text) => {
    expect(readPlainRequest(text, 100)).toBeNull();
  });

  it('is read as the general reader does, or left to it, whatever has been done to it', () => {
    const random = new SeededRandom(31);
    let plain = 0;
    for (let i = 0; i < 20_000; i++) {
      const params = `[${Array.from({ length: random.integer(0, 3) }, () => randomJson(random, random.integer(0, 3))).join(',')}]`;
      const id = random.pick(['1', '-7', '"x"', '"\\u0041"', '12345678901234567890', 'null', '1.5']);
      const item = random.pick([
        `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":${params}}`,
        `{"method":"eth_call","params":${params},"id":${id},"jsonrpc":"2.0"}`,
      ]);
      let text = random.chance(0.3) ? `[${item},${item}]` : item;
      if (random.chance(0.5)) {
        const at = random.integer(0, text.length - 1);
        text =
          text.slice(0, at) +
          random.pick(['', '"', ',', '{', '}', '[', ']', ':', '0', ' ', '\\', '\u0001', 'é']) +
          text.slice(at + random.integer(0, 1));
      }
      // Replaces lone surrogates, which UTF-8 cannot encode.
      text = new TextDecoder().decode(new TextEncoder().encode(text));
      const found = readPlainRequest(text, 100);
      if (!found) continue;
      plain++;
      expect(found, text).toEqual(general(text));
    }
    expect(plain).toBeGreaterThan(2_000);
  });

  it('that is too long to be matched is left to the general reader', () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"m","params":["${'a'.repeat(70_000)}"]}`;
    expect(readPlainRequest(text, 100)).toBeNull();
    expect(outcome(() => parseRpcBody(new TextEncoder().encode(text)))).toMatchObject({ items: [{ method: 'm' }] });
  });

  it('of the worst kind takes no longer than others', () => {
    const nested = `{"jsonrpc":"2.0","id":1,"method":"m","params":[${'[[['.repeat(10_000)}`;
    const strings = `{"jsonrpc":"2.0","id":1,"method":"m","params":[${'"aaaaaaaa",'.repeat(5_000)}x]}`;
    for (const text of [nested, strings]) expect(readPlainRequest(text, 100)).toBeNull();
  });
});
