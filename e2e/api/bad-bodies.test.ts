/**
 * @at next: Next's own server and another adapter read bodies.
 * @not postgres: these refusals come before any access to the database.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectErrorTree } from './harness/every-answer';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Balances, Caller } from './harness/operator';

/** Invalid bodies. Each gets its specified 4xx, a sentence, and no charge. */

let live: LiveGateway;
let caller: Caller;
let balanceBefore: Balances | undefined;
let chargesBefore: number;

beforeAll(async () => {
  live = await startLiveGateway();
  caller = await live.gateway.operator.createCaller();
  balanceBefore = (await live.gateway.operator.balances()).get(caller.accountId);
});
afterAll(async () => {
  if (!live) return;
  try {
    expect((await live.gateway.operator.balances()).get(caller.accountId), 'no refused body has cost anything').toEqual(
      balanceBefore,
    );
  } finally {
    await live?.stop();
  }
});
beforeEach(() => {
  live.stub.reset();
  chargesBefore = live.gateway.books.count();
});
afterEach(() => {
  expect(live.stub.requests, 'nothing is sent to the node').toHaveLength(0);
  expect(live.gateway.books.count(), 'nothing is charged').toBe(chargesBefore);
});

const send = (body: string | Uint8Array, options: { chunked?: boolean; headers?: Record<string, string> } = {}) =>
  live.gateway.rpc(body, { as: caller, ...options });

/** Expects 400 with a DetailedError: a sentence, which every answer is checked for, and a validation tree. */
function expectDetailed(answer: Answer): { error: string; details: { _errors: string[] } } {
  expect(answer.status, answer.text.slice(0, 300)).toBe(400);
  const body = answer.json as { error: string; details: { _errors: string[] } };
  expectErrorTree(body.details);
  return body;
}

/** Item as JSON text. `at` is the path that details must name. */
const item = (members: string) => `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"${members}}`;

describe('empty body', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \n\t\r '],
  ])('%s is 400', async (_what, body) => {
    expect(expectDetailed(await send(body)).details._errors).toHaveLength(1);
  });

  test('no body at all is 400', async () => {
    const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
    expectDetailed(await live.gateway.ask({ method: 'POST', path: '/api/v1/crypto/rpc/ethereum-mainnet', headers }));
  });
});

describe('invalid JSON is 400', () => {
  test.each([
    ['a word', 'hello'],
    ['a cut object', '{"method":"eth_chainId"'],
    ['a cut string', '{"method":"eth_cha'],
    ['a cut array', '[{"method":"eth_chainId"},'],
    ['a comma too many', '{"method":"eth_chainId",}'],
    ['single quotes', "{'method':'eth_chainId'}"],
    ['a bare key', '{method:"eth_chainId"}'],
    ['a comment', '{"method":"eth_chainId"/* no */}'],
    ['two objects', `${item('')}${item('')}`],
    ['bytes after the object', `${item('')}]`],
    ['NaN', item(',"params":[NaN]')],
    ['a number with a leading zero', item(',"params":[01]')],
    ['a control character in a string', item(',"params":["\n"]')],
    ['a lone escape', item(String.raw`,"params":["\x41"]`)],
    ['a NUL byte', '\u0000'],
    ['a form', 'method=eth_chainId&id=1'],
  ])('%s', async (_what, body) => void expectDetailed(await send(body)));

  test('JSON5 within a batch', async () => void expectDetailed(await send(`[${item('')},{method:1}]`)));
});

describe('invalid UTF-8 is 400', () => {
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"id":"'), Buffer.from(bytes), Buffer.from('","method":"eth_chainId"}')]);
  test.each([
    ['a lone continuation byte', [0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['bytes that are never UTF-8', [0xff, 0xfe]],
    ['beyond U+10FFFF', [0xf5, 0x80, 0x80, 0x80]],
  ])('%s', async (_what, bytes) => void expectDetailed(await send(around(bytes))));

  test('UTF-16', async () => void expectDetailed(await send(Buffer.from(item(''), 'utf16le'))));
});

describe('a body that is neither an object nor an array is 400', () => {
  test.each(['null', 'true', '1', '"eth_chainId"', '1e400'])(
    '%s',
    async (body) => void expectDetailed(await send(body)),
  );
});

describe('wrong types are 400, and details has one sub-object per invalid field', () => {
  const wrong: Readonly<Record<string, readonly string[]>> = {
    jsonrpc: ['"1.0"', '"2"', '2.0', '2', 'null', 'true', '["2.0"]', '{}', '""'],
    method: ['1', 'null', 'true', '["eth_chainId"]', '{}', '""', `"${'m'.repeat(100_000)}"`],
    params: ['1', '"[]"', 'true', '{}', '{"to":"0x1"}'],
    id: ['{}', '{"a":1}', '[]', '[1]', 'true', 'false', '1.5', '-0.5', '1.0', '1e3', '1E400', '1e-7'],
  };
  const cases = Object.entries(wrong).flatMap(([field, values]) => values.map((value) => [field, value] as const));

  test.each(cases)('%s: %s', async (field, value) => {
    const others = Object.entries({ jsonrpc: '"2.0"', id: '1', method: '"eth_chainId"' }).filter(
      ([name]) => name !== field,
    );
    const { details } = expectDetailed(
      await send(`{${[...others, [field, value]].map(([name, text]) => `"${name}":${text}`).join(',')}}`),
    );
    expect(details).toHaveProperty([field, '_errors', 0]);
  });

  test('a missing method', async () => {
    expect(expectDetailed(await send('{"jsonrpc":"2.0","id":1}')).details).toHaveProperty('method._errors.0');
  });

  test('an empty object', async () => {
    expect(expectDetailed(await send('{}')).details).toHaveProperty('method._errors.0');
  });

  test('every wrong field of an item is named', async () => {
    const { details } = expectDetailed(await send('{"jsonrpc":1,"id":{},"method":2,"params":3}'));
    expect(Object.keys(details).sort()).toEqual(['_errors', 'id', 'jsonrpc', 'method', 'params']);
  });

  test.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"eth_chainId"'],
  ])('an item of a batch that is %s', async (_what, value) => {
    expect(expectDetailed(await send(`[${item('')},${value}]`)).details).toHaveProperty(['1', '_errors', 0]);
  });

  test('each batch item is validated on its own: the faults stand under their items', async () => {
    const { details } = expectDetailed(
      await send(`[${item('')},{"method":1},${item('')},{"method":"eth_chainId","id":1.5}]`),
    );
    expect(details).toHaveProperty(['1', 'method', '_errors', 0]);
    expect(details).toHaveProperty(['3', 'id', '_errors', 0]);
    expect(Object.keys(details).sort()).toEqual(['1', '3', '_errors']);
  });

  test('a member __proto__ is no way to supply fields', async () => {
    expectDetailed(await send('{"id":1,"__proto__":{"method":"eth_chainId"}}'));
  });
});

describe('batches', () => {
  test('[] is 400', async () => void expectDetailed(await send('[]')));
  test('[ ] is 400', async () => void expectDetailed(await send(' [ \n ] ')));

  test('a batch over 100 items is 400: 101 items', async () => {
    const { error } = expectDetailed(await send(`[${Array(101).fill(item('')).join(',')}]`));
    expect(error).toContain('100');
  });

  test('a batch over 100 items is 400: 50,000 items', async () => {
    expectDetailed(await send(`[${Array(50_000).fill('{"method":"eth_chainId"}').join(',')}]`));
  });

  test('a batch over 100 items is 400: a million commas', async () => {
    expectDetailed(await send(`[${'1,'.repeat(1_000_000)}1]`));
  });

  test('a batch in a batch', async () => void expectDetailed(await send(`[[${item('')}]]`)));
});

describe('10 MB bodies are 413', () => {
  const large = item(`,"params":["${'x'.repeat(10 * 1024 * 1024)}"]`);

  test('with a Content-Length', async () => expect((await send(large)).status).toBe(413));
  test('without a Content-Length', async () => expect((await send(large, { chunked: true })).status).toBe(413));

  test('the gateway answers the next call', async () => {
    for (let i = 0; i < 5; i++) await send(large, { chunked: i % 2 === 0 });
    expectDetailed(await send('{}'));
  });
});

describe('nesting of 10,000 is 400', () => {
  const arrays = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;

  test.each([
    ['arrays as params', item(`,"params":${arrays}`)],
    ['objects in params', item(`,"params":[${objects}]`)],
    ['arrays as the body', arrays],
    ['objects as the body', objects],
    ['arrays as the id', `{"method":"eth_chainId","id":${arrays}}`],
    ['objects as an unknown member', item(`,"extra":${objects}`)],
    ['arrays that do not end', '['.repeat(10_000)],
    ['objects that do not end', '{"a":'.repeat(10_000)],
    ['in an item of a batch', `[${item('')},${item(`,"params":${arrays}`)}]`],
    ['a million arrays that do not end', '['.repeat(1_000_000)],
  ])('%s', async (_what, body) => void expectDetailed(await send(body)));
});

describe('wrong content type is 415', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
    'application/jsonx',
    ';',
  ])('Content-Type: %s', async (type) =>
    expect((await send(item(''), { headers: { 'content-type': type } })).status).toBe(415),
  );

  test.each(['gzip', 'br', 'deflate', 'nonsense'])('Content-Encoding: %s', async (encoding) => {
    expect((await send(item(''), { headers: { 'content-encoding': encoding } })).status).toBe(415);
  });
});
