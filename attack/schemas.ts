import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, judge } from './attack';
import { evmSignIn } from './chains/evm-account';
import { keyOf, ownOf, type Target } from './target';
import { type Answer, askJson, bearer } from './wire/ask';
import { beside } from './wire/bystander';
import { counted } from './wire/burst';

const CHAT = '/api/v1/chat/completions';

/** Returns a chat request with a response schema, given as JSON text. */
export function chatWithSchema(schema: string, model = 'guide'): string {
  return `{"model":"${model}","max_tokens":5,"messages":[{"role":"user","content":"hello"}],"response_format":{"type":"json_schema","json_schema":{"name":"bomb","strict":true,"schema":${schema}}}}`;
}

function object(properties: Record<string, unknown>, more: object = {}): string {
  return JSON.stringify({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
}

function many<Value>(count: number, make: (index: number) => Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));
}

/** Schemas of a few kilobytes that take seconds to compile. */
export const SCHEMA_BOMBS: Readonly<Record<string, string>> = {
  references: object(
    many(160, () => ({ $ref: '#/$defs/a' })),
    { $defs: { a: { anyOf: Array.from({ length: 160 }, (_, index) => ({ type: 'string', const: `c${index}` })) } } },
  ),
  // Compiling a Unicode property class expands its table of characters.
  patterns: object(many(1_500, (index) => ({ type: 'string', pattern: `^\\p{L}[\\p{N}\\p{Lu}]${index}$` }))),
  branches: object({
    a: {
      anyOf: Array.from({ length: 40 }, (_, outer) => ({
        anyOf: Array.from({ length: 40 }, (__, inner) => ({ type: 'string', const: `${outer}.${inner}` })),
      })),
    },
  }),
};

/** Unusable schemas, which the gateway must refuse before it spends anything. */
const UNUSABLE: Readonly<Record<string, string>> = {
  'contains itself': '{"$ref":"#"}',
  'contains itself by two': object(
    { a: { $ref: '#/$defs/b' } },
    { $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } } },
  ),
  'contains itself within anyOf': object(
    { a: { $ref: '#/$defs/b' } },
    { $defs: { b: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'string' }] } } },
  ),
  ['__proto__']:
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
  dependentRequired: object({ a: { type: 'string' } }, { dependentRequired: { a: ['b'] } }),
  'doubles thirty times': object(
    { a: { $ref: '#/$defs/d0' } },
    {
      $defs: {
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `d${index}`,
            { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
          ]),
        ),
        d30: { type: 'string' },
      },
    },
  ),
};

async function bomb(target: Target, schema: string) {
  const headers = await evmSignIn(target, privateKeyToAccount(generatePrivateKey()));
  const statuses: number[] = [];
  const { worstMs, isBearable } = await beside(target, async () => {
    // A different name prevents the use of a cached compilation.
    for (const turn of [1, 2])
      statuses.push(
        (await askJson(target, CHAT, chatWithSchema(schema.replaceAll('"p0"', `"q${turn}${Date.now()}"`)), { headers }))
          .status,
      );
  });
  return judge(
    isBearable && !statuses.includes(200),
    `a wallet with nothing in it: ${counted(statuses)}; others waited ${worstMs.toFixed(0)} ms at most`,
  );
}

export const SCHEMA_ATTACKS: readonly Attack[] = [
  ...Object.entries(SCHEMA_BOMBS).map(([name, schema]): Attack => ({
    id: `schema-${name}`,
    title: `A schema of ${(schema.length / 1000).toFixed(0)} kB whose ${name} take long to compile, sent by a wallet with nothing in it`,
    needs: [],
    isQuick: true,
    run: (target) => bomb(target, schema),
  })),
  {
    id: 'schema-unusable',
    title: `Schemas that no answer can be checked by (${Object.keys(UNUSABLE).join(', ')}): refused before an upstream or a charge`,
    needs: ['key', 'own gateway'],
    isQuick: true,
    run: async (target) => {
      const startedMs = performance.now();
      const answers: Answer[] = [];
      for (const schema of Object.values(UNUSABLE))
        answers.push(await askJson(target, CHAT, chatWithSchema(schema), { headers: bearer(keyOf(target)) }));
      const upstream = ownOf(target).recorder.since(startedMs, '/guide/v1/chat').length;
      const told = Object.keys(UNUSABLE).map((name, index) => `${name} ${answers[index]?.status}`);
      return judge(
        upstream === 0 && answers.every(({ status }) => status === 400),
        `${upstream} reached the upstream; ${told.join(', ')}`,
      );
    },
  },
];
