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

/** Reads a body without the general reader. */
function plain(text: string): unknown {
  const body = readPlainRequest(new TextEncoder().encode(text), text, 100);
  return body && { batch: body.batch, items: body.items };
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
      '{"method":"m","params":["0x1",{"a":[1.50,-0,1e400,[true]]},null],"id":90071992547409930,"jsonrpc":"2.0"}',
      {
        method: 'm',
        params: '["0x1",{"a":[1.50,-0,1e400,[true]]},null]',
        paramsByName: false,
        id: '90071992547409930',
      },
    ],
    [
      '{"jsonrpc":"2.0","id":"a b","method":"m","params":[]}',
      { method: 'm', params: '[]', paramsByName: false, id: '"a b"' },
    ],
  ])('%s', (text, item) => {
    expect(plain(text)).toEqual({ batch: false, items: [item] });
    expect(general(text)).toEqual({ batch: false, items: [item] });
  });

  it('may be a batch, up to its limit', () => {
    const batch = (count: number) =>
      `[${Array.from({ length: count }, (_none, id) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":[${id}]}`).join(',')}]`;
    expect(plain(batch(100))).toEqual(general(batch(100)));
    expect(plain(batch(101))).toBeNull();
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
    '{"jsonrpc":"2.0","id":"é","method":"m"}',
    `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(257)}"}`,
    `{"jsonrpc":"2.0","id":1,"method":"m","params":${'['.repeat(17)}${']'.repeat(17)}}`,
  ])('is not %j', (text) => {
    expect(plain(text)).toBeNull();
  });

  it('is read as the general reader does, or left to it, whatever has been done to it', () => {
    const random = new SeededRandom(31);
    let read = 0;
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
      const found = plain(text);
      if (!found) continue;
      read++;
      expect(found, text).toEqual(general(text));
    }
    expect(read).toBeGreaterThan(2_000);
  });

  it.each([
    ['one after another', 'mmnnm', [1, 1, 1, 1, 1]],
    ['without params in between', 'mnmnnm', [1, 0, 1, 1, 0, 1]],
    ['that begin alike', ['eth', 'eth_a', 'eth', 'eth_ab', 'eth_a'], [1, 1, 1, 1, 1]],
  ])('may have several methods: %s', (_how, methods, withParams) => {
    const items = Array.from(methods, (method, id) =>
      withParams[id]
        ? `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[${id}]}`
        : `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`,
    );
    const text = `[${items.join(',')},{"method":"m","params":[],"id":7,"jsonrpc":"2.0"},${items.join(',')}]`;
    expect(plain(text)).not.toBeNull();
    expect(plain(text)).toEqual(general(text));
  });

  it.each([
    [
      '[{"jsonrpc":"2.0","id":"a","method":"m","params":[1]},{"method":"n","params":[],"id":-2,"jsonrpc":"2.0"}]',
      ['"a"', '-2'],
    ],
    ['[{"jsonrpc":"2.0","id":1,"method":"m","params":[]},{"jsonrpc":"2.0","id":2,"method":"m"}]', undefined],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', undefined],
  ])('has the places of its ids if it is a batch in which all items have params: %s', (text, ids) => {
    const body = readPlainRequest(new TextEncoder().encode(text), text, 100);
    const places = body?.plain?.ids;
    expect(places && ids?.map((_id, i) => text.slice(places[i * 2], places[i * 2 + 1]))).toEqual(ids);
  });

  it('is not one that was cut off', () => {
    const text =
      '[{"jsonrpc":"2.0","id":1,"method":"m","params":["0x1",{"a":-1.5e3}]},{"jsonrpc":"2.0","id":2,"method":"m","params":[true]}]';
    for (let length = 0; length < text.length; length++)
      expect(plain(text.slice(0, length)), String(length)).toBeNull();
    expect(plain(text)).not.toBeNull();
  });

  it('is read from its own part of a buffer', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"m","params":["0x1"]}';
    const buffer = new TextEncoder().encode(`xyz${text}"}]`);
    const bytes = buffer.subarray(3, 3 + text.length);
    expect(readPlainRequest(bytes, text, 100)).toEqual(general(text));
    expect(readPlainRequest(bytes.subarray(0, -1), text.slice(0, -1), 100)).toBeNull();
  });

  it('has no byte in its strings that JSON does not allow there', () => {
    for (let code = 0; code < 256; code++)
      for (let at = 0; at < 9; at++) {
        const inside = `${'a'.repeat(at)}${String.fromCharCode(code)}${'a'.repeat(8 - at)}`;
        const text = `{"jsonrpc":"2.0","id":1,"method":"m","params":["${inside}"]}`;
        const isPlain = code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c;
        expect(plain(text) !== null, `${code} at ${at}`).toBe(isPlain);
      }
  });

  it('of the worst kind takes no longer than others', () => {
    const nested = `{"jsonrpc":"2.0","id":1,"method":"m","params":[${'[[['.repeat(10_000)}`;
    const strings = `{"jsonrpc":"2.0","id":1,"method":"m","params":[${'"aaaaaaaa",'.repeat(5_000)}x]}`;
    for (const text of [nested, strings]) expect(plain(text)).toBeNull();
  });
});
