/**
 * @at next: the thread that compiles schemas runs code from Next's own bundler.
 * @not postgres: schemas and fields are checked before money is reserved.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { says } from '@/test/scripted-model';
import { at } from './harness/at';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';

/** Chat bodies with which an attacker would block the gateway, or cost its operator more than their price. */

const entry = (id: string) => ({ id, object: 'model', created: 1, owned_by: 'test', context_length: 4_096 });
const HELLO = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const range = (length: number) => Array.from({ length }, (_, index) => index);
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const format = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
});

const EXPANDING = object(Object.fromEntries(range(160).map((i) => [`p${i}`, { $ref: '#/$defs/u' }])), {
  $defs: { u: { anyOf: range(160).map((i) => ({ const: i })) } },
});
const PATTERNS = object(
  Object.fromEntries(range(1_500).map((i) => [`p${i}`, { type: 'string', pattern: `^(a|b|c|d)+${i}$` }])),
);
const ENDLESS = object({ a: { type: 'string', pattern: '^(a+)+$' } });

let plain: ScriptedUpstream;
let enclave: ScriptedUpstream;
let gateway: GatewayUnderTest;
let caller: Caller;
beforeAll(async () => {
  [plain, enclave] = await Promise.all([
    startScriptedUpstream([entry('plain')]),
    startScriptedUpstream([entry('attested')]),
  ]);
  plain.script = says('Hello.');
  enclave.script = says('Hello.');
  gateway = await startGateway({
    profile: 'live',
    config: {
      inference: {
        chatUpstreams: [{ name: 'test', url: plain.url }],
        enclaveUpstreams: [{ name: 'enclave', url: enclave.url }],
      },
    },
  });
  caller = await gateway.operator.createCaller({ usd: '1' });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  plain?.close();
  enclave?.close();
});

const ask = (body: object | string, { key }: Caller = caller) =>
  gateway.ask({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const spent = async ({ accountId }: Caller) => (await gateway.operator.balances()).get(accountId)?.usd;

describe('a schema', () => {
  test.each([
    ['that expands', EXPANDING],
    ['of patterns', PATTERNS],
    ['that is itself', { $ref: '#' }],
  ])('%s is 400, before an upstream is asked, and costs nothing', async (_what, schema) => {
    const [before, asked] = [await spent(caller), plain.asked.length];
    const { status, json } = await ask({ ...HELLO, ...format(schema) });
    expect([status, (json as { code: string }).code]).toEqual([400, 'INVALID_REQUEST']);
    expect([await spent(caller), plain.asked.length]).toEqual([before, asked]);
  });

  test('is compiled and replies are held to it, by the bundled thread', async () => {
    const schema = object({ a: { type: 'string' } });
    plain.script = says('{"a":"x"}');
    expect((await ask({ ...HELLO, ...format(schema) })).status).toBe(200);
    plain.script = says('{"a":1}');
    expect(await ask({ ...HELLO, ...format(schema) })).toMatchObject({
      status: 400,
      json: { code: 'REPLY_SCHEMA_MISMATCH' },
    });
    plain.script = says('Hello.');
  });

  test('hundreds of them hardly delay other callers', async () => {
    const attacker = await gateway.operator.createCaller({ usd: '1' });
    plain.script = (asked, response) =>
      says(asked.body.includes('json_schema') ? JSON.stringify({ a: `${'a'.repeat(60)}!` }) : 'Hello.')(
        asked,
        response,
      );
    let isOver = false;
    const attack = async (): Promise<number> => {
      let sent = 0;
      for (; !isOver; sent++)
        await ask(
          {
            ...HELLO,
            ...format([EXPANDING, PATTERNS, ENDLESS, object({ [`p${sent}`]: { type: 'string' } })][sent % 4] as object),
          },
          attacker,
        );
      return sent;
    };
    const attacks = [attack(), attack()];
    const tookMs: number[] = [];
    for (let i = 0; i < 40; i++) {
      const startedAt = performance.now();
      expect((await ask(HELLO)).status).toBe(200);
      tookMs.push(performance.now() - startedAt);
    }
    isOver = true;
    expect(Math.min(...(await Promise.all(attacks)))).toBeGreaterThan(2);
    plain.script = says('Hello.');
    // On two cores with a load of 18, the median was 23 ms. The maximum was 101 ms, except 646 ms for the first, which
    // starts the thread. Before the fix, one such schema blocked all requests for 5,000 ms.
    expect(tookMs.toSorted((a, b) => a - b)[20]).toBeLessThan(500);
    expect(Math.max(...tookMs)).toBeLessThan(2_000);
  });
});

at('fast').describe('a field', () => {
  test('that is not known reaches no plain model', async () => {
    await ask({
      ...HELLO,
      best_of: 20,
      Max_Tokens: 4_000,
      num_predict: 4_000,
      models: ['dear'],
      N: 16,
      ['max_to\u212aens']: 4_000,
    });
    expect(plain.asked.at(-1)?.body).toBe(JSON.stringify(HELLO));
  });

  test.each([
    'best_of',
    'min_tokens',
    'max_new_tokens',
    'num_predict',
    'models',
    'thinking',
    'Max_Tokens',
    'N',
    'Stream',
    'Model',
    'max_token\u017f',
    'max_to\u212aens',
  ])('%s is refused by name to an attested model', async (name) => {
    const asked = enclave.asked.length;
    const { status, json } = await ask({ ...HELLO, model: 'attested', [name]: 5 });
    expect([status, (json as { details: object }).details]).toEqual([
      400,
      expect.objectContaining({ [name]: expect.anything() }),
    ]);
    expect(enclave.asked).toHaveLength(asked);
  });

  test('twice is refused, whatever the model', async () => {
    for (const model of ['plain', 'attested']) {
      const { status, json } = await ask(
        `{"model":"${model}","messages":[{"role":"user","content":"x"}],"max_tokens":5,"max_to\\u006bens":4000}`,
      );
      expect([status, (json as { error: string }).error]).toEqual([
        400,
        'The field "max_tokens" is not valid: It appears twice.',
      ]);
    }
  });

  test('that is known goes to an attested model as it came', async () => {
    const body =
      ' { "model" : "attested","seed":18446744073709551615, "messages":[{"role":"user","content":"\\u00e9"}],"n":1 ,"other":[1.50]}';
    expect((await ask(body)).status).toBe(200);
    expect(enclave.asked.at(-1)?.body).toBe(body);
  });
});
