import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '@/test/bundle-program';
import { chatGateway } from '@/test/chat-gateway';
import { says, scriptedModel } from '@/test/scripted-model';

const HELLO = { model: 'plain', messages: [{ role: 'user', content: 'Hello?' }] };
const upstreams = (url: string) => ({ chatUpstreams: [{ name: 'test', url }] });
const range = (length: number) => Array.from({ length }, (_, index) => index);
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const format = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
});
/** Inserts the schema as text. In an object literal, `__proto__` would not become a property. */
const proto = (schema: string): string => JSON.stringify({ ...HELLO, ...format('HERE') }).replace('"HERE"', schema);

beforeAll(() => bundleProgram('schema-checker'));

/** Builds levels of references, each of which refers twice to the next level. */
const doubling = (keyword: string) =>
  object(
    { a: { $ref: '#/$defs/d0' } },
    {
      $defs: {
        ...Object.fromEntries(
          range(30).map((level) => [
            `d${level}`,
            { [keyword]: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
          ]),
        ),
        d30: { type: 'string' },
      },
    },
  );

const HOSTILE: [string, object | string, string][] = [
  [
    '160 references to one anyOf of 160 branches',
    object(Object.fromEntries(range(160).map((i) => [`p${i}`, { $ref: '#/$defs/u' }])), {
      $defs: { u: { anyOf: range(160).map((i) => ({ const: i })) } },
    }),
    '10,000 schemas',
  ],
  [
    '1,500 patterns',
    object(Object.fromEntries(range(1_500).map((i) => [`p${i}`, { type: 'string', pattern: `^(a|b|c|d)+${i}$` }]))),
    '1,000 schemas',
  ],
  [
    '900 patterns',
    object(Object.fromEntries(range(900).map((i) => [`p${i}`, { type: 'string', pattern: `^(a|b|c|d)+${i}$` }]))),
    '100 patterns',
  ],
  [
    '1,500 patterns of names',
    object(
      {},
      { patternProperties: Object.fromEntries(range(1_500).map((i) => [`^(a|b|c|d)+${i}$`, { type: 'string' }])) },
    ),
    '1,000 schemas',
  ],
  ['exponential references', doubling('anyOf'), '1,000 schemas'],
  ['exponential references in allOf', doubling('allOf'), '1,000 schemas'],
  ['a schema that is itself', { $ref: '#' }, 'Refers to itself'],
  ['a schema that is itself and more', { allOf: [{ $ref: '#' }] }, 'Refers to itself'],
  [
    'a schema that depends on itself',
    object({ a: { type: 'string' } }, { dependentSchemas: { a: { $ref: '#' } } }),
    'Refers to itself',
  ],
  [
    'a schema that is required within itself',
    object({ v: { type: 'number' }, next: { $ref: '#' } }),
    'schema.properties.next: Requires itself',
  ],
  [
    'a property called __proto__',
    proto(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
    ),
    '__proto__',
  ],
  [
    'a member called __proto__ at the top',
    proto('{"type":"object","properties":{},"required":[],"additionalProperties":false,"__proto__":{"type":"string"}}'),
    '__proto__',
  ],
  ['invalid dependents', object({ a: { type: 'string' } }, { dependentRequired: { a: 'b' } }), 'dependentRequired'],
  [
    'dependents that no reply can have',
    object({ a: { type: 'string' } }, { dependentRequired: { a: ['b'] } }),
    'dependentRequired.a',
  ],
  ['a divisor beyond floating point', object({ a: { type: 'number', multipleOf: 1e-300 } }), 'multipleOf'],
  [
    'a number beyond floating point',
    proto(
      '{"type":"object","properties":{"a":{"type":"number","maximum":1e400}},"required":["a"],"additionalProperties":false}',
    ),
    'too large',
  ],
  ['a text that no reply has', object({ a: { type: 'string', minLength: 1e9 } }), 'minLength'],
  ['a huge value to equal', object({ a: { const: 'x'.repeat(200_000) } }), '131,072 characters'],
  ['a value to equal of many parts', object({ a: { const: range(30_000) } }), '20,000 members'],
  [
    'a comparison of each item with each',
    object({ a: { type: 'array', items: object({}), uniqueItems: true } }),
    'uniqueItems',
  ],
  ['names of its own within', object({ a: { $id: 'https://example.com/a', type: 'string' } }), '$id'],
  [
    'one anchor twice',
    object({ a: { type: 'string', $anchor: 'x' }, b: { type: 'number', $anchor: 'x' } }),
    'Cannot be used',
  ],
  [
    'deep nesting',
    range(120).reduce<object>((inner) => ({ type: 'array', items: inner }), { type: 'string' }),
    'levels',
  ],
];

describe('a hostile schema is 400 by path, before an upstream is asked, and costs nothing', () => {
  it.each(HOSTILE)('%s', async (_what, schema, reason) => {
    const model = await scriptedModel();
    const { ask, charges } = await chatGateway(upstreams(model.url));
    const body = typeof schema === 'string' ? schema : JSON.stringify({ ...HELLO, ...format(schema) });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { status, json } = await ask(body);
    delay.disable();
    expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error).toContain('response_format.json_schema.schema');
    expect(json.error).toContain(reason);
    expect([model.asked, await charges()]).toEqual([[], []]);
    if (process.env['SHOW_TIMES']) console.log(_what, 'block', (delay.max / 1e6).toFixed(0));
    // Measured with the client in this process: 1 to 45 ms. Compiling the first schema in this thread took 5,100 ms.
    expect(delay.max / 1e6).toBeLessThan(1_500);
  });

  it('and gives back what was held, where the fault shows in compiling', async () => {
    const model = await scriptedModel(says('{"a":"x"}'));
    const { ask, caller } = await chatGateway(upstreams(model.url));
    const key = await caller(3_100_000);
    const twice = object({ a: { type: 'string', $anchor: 'x' }, b: { type: 'number', $anchor: 'x' } });
    for (let i = 0; i < 5; i++)
      expect((await ask({ ...HELLO, ...format(twice), max_tokens: 1_000 }, { key })).status).toBe(400);
    expect(
      (await ask({ ...HELLO, ...format(object({ a: { type: 'string' } })), max_tokens: 1_000 }, { key })).status,
    ).toBe(200);
  });

  it('and callers who cannot pay get the price, and nothing is compiled', async () => {
    const model = await scriptedModel();
    const { ask, caller, gateway } = await chatGateway(upstreams(model.url));
    let compiled = 0;
    const { replySchemas } = gateway.chat.current;
    const judge = replySchemas.judge.bind(replySchemas);
    replySchemas.judge = (...given) => {
      compiled++;
      return judge(...given);
    };
    const sound = { ...HELLO, ...format(object({ a: { type: 'string' } })) };
    for (const amount of [0, 1, 1_000]) expect((await ask(sound, { key: await caller(amount) })).status).toBe(402);
    expect(compiled).toBe(0);
    await ask(sound);
    expect(compiled).toBe(1);
  });
});

describe('a pattern that takes for ever on a reply', () => {
  it('holds up nobody else', async () => {
    const model = await scriptedModel((asked, response) =>
      says(asked.body.includes('json_schema') ? JSON.stringify({ a: `${'a'.repeat(60)}!` }) : 'Hello.')(
        asked,
        response,
      ),
    );
    const { ask } = await chatGateway({ ...upstreams(model.url), replyCheckTimeoutMs: 400 });
    const endless = ask({ ...HELLO, ...format(object({ a: { type: 'string', pattern: '^(a+)+$' } })) });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let i = 0; i < 10; i++) expect((await ask(HELLO)).status).toBe(200);
    const { status, json } = await endless;
    delay.disable();
    expect([status, json.code]).toEqual([400, 'REPLY_SCHEMA_MISMATCH']);
    expect(json.error).toContain('takes too long to be checked');
    if (process.env['SHOW_TIMES']) console.log('endless pattern', 'block', (delay.max / 1e6).toFixed(0));
    // A check in this thread takes 400 ms on an idle machine.
    expect(delay.max / 1e6).toBeLessThan(350);
  });
});
