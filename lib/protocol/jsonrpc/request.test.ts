import { describe, expect, it } from 'vitest';
import { type ApiError, type ErrorTree, isApiError } from '../errors';
import { randomJson, randomJsonString } from '../testing/random-json';
import { SeededRandom } from '../testing/seeded-random';
import { BATCH_ITEMS_MAX, parseRpcBody, REQUEST_DEPTH_MAX, rpcRequestSchema } from './request';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseRpcBody(bytesOf(text));

function refusalOf(body: string | Uint8Array): ApiError {
  try {
    parseRpcBody(typeof body === 'string' ? bytesOf(body) : body);
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

const treeAt = (error: ApiError, ...path: string[]): unknown =>
  path.reduce<unknown>((tree, field) => (tree as ErrorTree)[field], error.details);

describe('sound requests are cut, never re-serialised', () => {
  it.each([
    '1',
    '0',
    '-1',
    '-0',
    '9007199254740993',
    '-170141183460469231731687303715884105728',
    'null',
    '""',
    '"a"',
    '"\\u0041\\ud83d\\ude00"',
    '"1"',
    '"é 中 😀"',
    '"\\""',
  ])('gives the id %s back exactly', (id) => {
    expect(parse(`{"method":"m","id":${id}}`).items[0]?.id).toBe(id);
    expect(parse(`[{"method":"m","id" :\n ${id}\t}]`).items[0]?.id).toBe(id);
  });

  it('answers an absent id with null', () => {
    expect(parse('{"method":"m"}').items[0]?.id).toBe('null');
  });

  it('passes params on as they came', () => {
    expect(parse('{"method":"m","params":[ 1.0, 1e400 ,"\\u0041"]}').items[0]?.params).toBe('[ 1.0, 1e400 ,"\\u0041"]');
    for (const body of [
      '{"method":"m"}',
      '{"method":"m","params":null}',
      '{"jsonrpc":"2.0","id":null,"method":"m","params": null }',
      '{"method":"m","params":[1],"params":null}',
    ])
      expect(parse(body).items[0]).toEqual({ method: 'm', params: '[]', paramsByName: false, id: 'null' });
    expect(
      parse('[{"method":"a","params":null,"id":1},{"method":"b","params":null}]').items.map(({ params }) => params),
    ).toEqual(['[]', '[]']);
    expect(parse('{"method":"m","params":{"a":1}}').items[0]).toMatchObject({ params: '{"a":1}', paramsByName: true });
  });

  it('reads a batch of one as a batch, and a hundred', () => {
    expect(parse('[{"method":"m"}]')).toMatchObject({ batch: true, items: [{ method: 'm' }] });
    const hundred = parse(
      `[${Array.from({ length: BATCH_ITEMS_MAX }, (_none, id) => `{"method":"m${id}","id":${id}}`).join(',')}]`,
    );
    expect(hundred.items.map(({ method, id }) => method + id)).toEqual(
      Array.from({ length: 100 }, (_none, id) => `m${id}${id}`),
    );
  });

  it('takes the last of duplicate members, as the parser does, for every member alike', () => {
    const [item] = parse('{"id":1,"method":"a","params":[1],"i\\u0064":"2","method":"b","params":[2]}').items;
    expect(item).toEqual({ method: 'b', params: '[2]', paramsByName: false, id: '"2"' });
  });

  it('ignores unknown members, whatever their names', () => {
    expect(parse('{"__proto__":{"method":"x"},"constructor":1,"toString":[],"method":"m"}').items[0]?.method).toBe('m');
  });

  it('keeps two items with one id apart', () => {
    expect(parse('[{"method":"a","id":1},{"method":"b","id":1}]').items.map(({ method, id }) => [method, id])).toEqual([
      ['a', '1'],
      ['b', '1'],
    ]);
  });
});

describe('bodies that are refused', () => {
  it.each([
    ['', 'EMPTY_BODY'],
    [' \n\t', 'EMPTY_BODY'],
    ['{', 'INVALID_JSON'],
    ['{"method":"m"', 'INVALID_JSON'],
    ['{"method":"m"}}', 'INVALID_JSON'],
    ['{"method":"m"} x', 'INVALID_JSON'],
    ['[{"method":"m"},]', 'INVALID_JSON'],
    ["{'method':'m'}", 'INVALID_JSON'],
    ['{"method":"m\n"}', 'INVALID_JSON'],
    ['\ufeff{"method":"m"}', 'INVALID_JSON'],
    ['nul', 'INVALID_JSON'],
    ['[}', 'INVALID_JSON'],
    ['null', 'INVALID_REQUEST'],
    ['1', 'INVALID_REQUEST'],
    ['"m"', 'INVALID_REQUEST'],
    ['true', 'INVALID_REQUEST'],
    ['[]', 'INVALID_REQUEST'],
    ['{}', 'INVALID_REQUEST'],
    ['[[]]', 'INVALID_REQUEST'],
    ['[null]', 'INVALID_REQUEST'],
    ['["m"]', 'INVALID_REQUEST'],
  ])('%j is %s', (text, code) => {
    expect(refusalOf(text)).toMatchObject({ code, details: { _errors: expect.any(Array) as unknown } });
  });

  it('a byte order mark is named, since nobody would see it quoted', () => {
    expect(refusalOf('\ufeff{"method":"m"}').message).toBe(
      'The request body is not valid JSON: it starts with a byte order mark, which JSON does not allow.',
    );
  });

  it('invalid UTF-8, anywhere', () => {
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"method":"m'), Buffer.from(bad), Buffer.from('"}')]);
      expect(refusalOf(body).code).toBe('INVALID_ENCODING');
    }
  });

  it('a batch of 101, saying how many it holds', () => {
    const error = refusalOf(`[${'{"method":"m"},'.repeat(100)}{"method":"m"}]`);
    expect(error.code).toBe('BATCH_TOO_LARGE');
    expect(error.message).toContain('101');
  });

  it.each(['{}', '[]', 'true', 'false', '1.5', '1.0', '1e3', '-1e-7'])('an id that is %s, naming the field', (id) => {
    expect(treeAt(refusalOf(`{"method":"m","id":${id}}`), 'id', '_errors')).toEqual([
      'Must be an integer, a string or null if present',
    ]);
  });

  it('every field at fault of every item at fault, by index', () => {
    const error = refusalOf('[{"method":"m"},{"method":1,"params":"x","jsonrpc":"1.0"},7]');
    expect(error.message).toBe(
      'The request is not valid: item 1, "jsonrpc" must be "2.0" if present. 3 more faults in "details". Method not supported: m.',
    );
    expect(treeAt(error, '0')).toBeUndefined();
    expect(Object.keys(treeAt(error, '1') as object).sort()).toEqual(['_errors', 'jsonrpc', 'method', 'params']);
    expect(treeAt(error, '2', '_errors')).toEqual(['Must be a JSON-RPC request object']);
  });

  it('every proper prefix of a sound request', () => {
    const text =
      ' [{"jsonrpc":"2.0","method":"eth_call","params":[{"to":"0x\\u0030"},"latest"],"id":"é"}, {"method":"m","id":-7}]';
    const bytes = bytesOf(text);
    for (let length = 0; length < bytes.length; length++)
      expect(['EMPTY_BODY', 'INVALID_JSON', 'INVALID_ENCODING']).toContain(refusalOf(bytes.subarray(0, length)).code);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('of exactly the maximum is accepted, one more is refused, single and batch', () => {
    expect(parse(`{"method":"m","params":${nested(REQUEST_DEPTH_MAX - 1)}}`).items).toHaveLength(1);
    expect(refusalOf(`{"method":"m","params":${nested(REQUEST_DEPTH_MAX)}}`).code).toBe('NESTING_TOO_DEEP');
    expect(parse(`[{"method":"m","params":${nested(REQUEST_DEPTH_MAX - 2)}}]`).items).toHaveLength(1);
    expect(refusalOf(`[{"method":"m","params":${nested(REQUEST_DEPTH_MAX - 1)}}]`).code).toBe('NESTING_TOO_DEEP');
  });

  it.each(['[', '{"a":', '[{"params":'])('of 10,000 and of millions of %j is refused without a stack', (open) => {
    for (const count of [10_000, 1_000_000]) expect(refusalOf(open.repeat(count)).code).toBe('NESTING_TOO_DEEP');
  });
});

describe('the quick check and the schema agree', () => {
  const FIELDS = ['jsonrpc', 'method', 'params', 'id', 'other'];
  const VALUES = [
    'null',
    '1',
    '1.5',
    '-0',
    '"2.0"',
    '"1.0"',
    '""',
    '"m"',
    `"${'x'.repeat(256)}"`,
    `"${'x'.repeat(257)}"`,
    '[]',
    '[1,{}]',
    '{}',
    '{"constructor":1}',
    '{"__proto__":{}}',
    'true',
    '99999999999999999999',
  ];

  it('on random objects', () => {
    const random = new SeededRandom(11);
    let accepted = 0;
    for (let i = 0; i < 20_000; i++) {
      const sound = { jsonrpc: '"2.0"', method: '"m"', params: '[]', id: '1' } as Record<string, string>;
      const members = FIELDS.filter(() => random.chance(0.7)).map(
        (field) => [field, random.chance(0.5) ? (sound[field] ?? '0') : random.pick(VALUES)] as const,
      );
      const text = `{${members.map(([field, value]) => `"${field}":${value}`).join(',')}}`;
      const value = JSON.parse(text) as Record<string, unknown>;
      const id = members.find(([field]) => field === 'id')?.[1];
      const bySchema = rpcRequestSchema.safeParse(
        /^-?\d+$/.test(id ?? '') ? { ...value, id: BigInt(id as string) } : value,
      ).success;
      expect(verdictOf(text), text).toBe(bySchema);
      if (bySchema) accepted++;
    }
    expect(accepted).toBeGreaterThan(500);
  });

  it('on any JSON at all: an answer or a refusal, and never another fault', () => {
    const random = new SeededRandom(12);
    for (let i = 0; i < 5_000; i++) {
      const text = random.chance(0.5)
        ? randomJson(random, 4)
        : `{"method":${randomJsonString(random)},"params":${randomJson(random, 3)},"id":${randomJson(random, 1)}}`;
      const bytes = bytesOf(text);
      if (random.chance(0.3) && bytes.length > 0) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      try {
        for (const item of parseRpcBody(bytes).items) {
          const value = JSON.parse(new TextDecoder().decode(bytes)) as
            | Record<string, unknown>
            | Record<string, unknown>[];
          const all = Array.isArray(value) ? value : [value];
          expect(
            all.some(
              ({ method, params, id }) =>
                method === item.method &&
                JSON.stringify(params ?? []) === JSON.stringify(JSON.parse(item.params)) &&
                JSON.stringify(id ?? null) === JSON.stringify(JSON.parse(item.id)),
            ),
          ).toBe(true);
        }
      } catch (error) {
        if (!isApiError(error)) throw error;
      }
    }
  });

  function verdictOf(text: string): boolean {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }
});

describe('time grows with the size alone', () => {
  const SIZE = 5_000_000;
  it.each([
    ['backslashes', `{"method":"m","params":["${'\\\\'.repeat(SIZE / 2)}"]}`],
    ['quotes', `{"method":"m","params":[${'"",'.repeat(SIZE / 3)}""]}`],
    ['unknown members', `{"method":"m",${'"é":0,'.repeat(SIZE / 7)}"k":0}`],
    ['items', `[${'{},'.repeat(SIZE / 3)}{}]`],
    ['an unterminated string', `{"method":"${'x'.repeat(SIZE)}`],
    ['a long id', `{"method":"m","id":"${'x'.repeat(SIZE)}"}`],
    ['digits', `{"method":"m","id":${'1'.repeat(SIZE)}}`],
  ])('5 MB of %s', (_name, text) => {
    const bytes = bytesOf(text);
    const before = process.cpuUsage();
    try {
      parseRpcBody(bytes);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_500);
  });
});

it('a batch with malformed items names the methods that would be refused besides', () => {
  const { message } = refusalOf('[null,1,{"method":"eth_accounts"},{"method":"eth_foo"},{"method":"eth_chainId"}]');
  expect(message).toMatch(
    /^The request is not valid: item 0 must be a JSON-RPC request object\. 1 more fault in "details"\. /,
  );
  expect(message).toContain('eth_foo');
  expect(message).toContain('eth_accounts');
  expect(message).not.toContain('eth_chainId');
});
