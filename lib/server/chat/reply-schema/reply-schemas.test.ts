import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { strictSchemaFaults } from '@/lib/protocol/chat/strict-schema';
import { bundleProgram } from '@/test/bundle-program';
import { ReplySchemas } from './reply-schemas';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const CATASTROPHIC = object({ a: { type: 'string', pattern: '^(a+)+$' } });
const ENDLESS = JSON.stringify({ a: `${'a'.repeat(60)}!` });

function schemas(config: Partial<{ schemaCompileTimeoutMs: number; replyCheckTimeoutMs: number }> = {}): ReplySchemas {
  const made = new ReplySchemas({ schemaCompileTimeoutMs: 10_000, replyCheckTimeoutMs: 10_000, ...config });
  onTestFinished(() => made.close());
  return made;
}

/** Counts turns of this thread's event loop. Compiling or checking in this thread would block them. */
function countTurns(): () => number {
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOver = true;
    return turns;
  };
}

beforeAll(() => bundleProgram('schema-checker'));

describe('schemas and replies are checked in a thread of their own', () => {
  it('and what comes of it is told', async () => {
    const made = schemas();
    const schema = object({ a: { type: 'string' } });
    expect(await made.judge(schema, 1)).toEqual({ kind: 'usable' });
    expect(await Promise.all(['{"a":"x"}', '{"a":1}', '{'].map((reply) => made.replyFault(reply, schema, 1)))).toEqual([
      null,
      '/a must be string',
      'it is not valid JSON',
    ]);
    const twice = object({ a: { type: 'string', $anchor: 'x' }, b: { type: 'number', $anchor: 'x' } });
    expect(await made.judge(twice, 1)).toEqual({
      kind: 'faulty',
      fault: expect.stringMatching(/^Cannot be used to check a reply: /),
    });
  });

  it('which is ended where a pattern takes for ever, and nobody else notices', async () => {
    const made = schemas({ replyCheckTimeoutMs: 300 });
    await made.judge(CATASTROPHIC, 1);
    const turns = countTurns();
    const endless = made.replyFault(ENDLESS, CATASTROPHIC, 1);
    const other = made.replyFault('{"b":1}', object({ b: { type: 'number' } }), 2);
    expect(await endless).toBe('it takes too long to be checked');
    // Checking in this thread would leave only a handful of turns.
    expect(turns()).toBeGreaterThan(100);
    expect(await other).toBeNull();
    expect(await made.replyFault('{"a":"aa"}', CATASTROPHIC, 3)).toBeNull();
  });

  it('which is ended where a schema takes too long to compile, and the verdict is kept', async () => {
    const made = schemas({ schemaCompileTimeoutMs: 10 });
    const large = object(Object.fromEntries(range(1_000).map((i) => [`p${i}`, { type: 'string' }])));
    const verdict = await made.judge(large, 1);
    expect(verdict).toEqual({
      kind: 'faulty',
      fault: 'Is too complex: it takes more than 10 ms, or too much memory, to compile.',
    });
    // The cached verdict itself, not an equal one.
    expect(await made.judge(large, 2)).toBe(verdict);
  });

  it('and a caller may have so many waiting, and no more', async () => {
    const made = schemas();
    const verdicts = await Promise.all(range(30).map((i) => made.judge(object({ [`p${i}`]: { type: 'string' } }), 1)));
    expect(verdicts.filter(({ kind }) => kind === 'busy').length).toBeGreaterThanOrEqual(10);
    expect(await made.judge(object({ other: { type: 'string' } }), 2)).toEqual({ kind: 'usable' });
  });

  it('so that the largest that is strict is compiled in time, and holds up nothing', async () => {
    const made = schemas();
    await made.judge(object({}), 0);
    const largest: [string, Record<string, unknown>][] = [
      [
        '1,000 properties',
        object(Object.fromEntries(range(1_000).map((i) => [`p${i}`, { type: ['string', 'null'] }]))),
      ],
      [
        '450 objects to choose from',
        object({ a: { oneOf: range(450).map((i) => object({ [`k${i}`]: { type: 'string' } })) } }),
      ],
      [
        '100 patterns',
        object(Object.fromEntries(range(100).map((i) => [`p${i}`, { type: 'string', pattern: `^(a|b|c)+${i}$` }]))),
      ],
      [
        '450 references',
        object(Object.fromEntries(range(450).map((i) => [`p${i}`, { $ref: `#/$defs/d${i}` }])), {
          $defs: Object.fromEntries(range(450).map((i) => [`d${i}`, { type: 'string' }])),
        }),
      ],
      [
        'enums of 15,000 values',
        object(Object.fromEntries(range(15).map((i) => [`p${i}`, { enum: range(1_000).map((j) => `${i}-${j}`) }]))),
      ],
      [
        '60 references to 100 branches',
        object(Object.fromEntries(range(60).map((i) => [`p${i}`, { $ref: '#/$defs/u' }])), {
          $defs: { u: { anyOf: range(100).map((i) => ({ const: i })) } },
        }),
      ],
      [
        'a chain of 60 references',
        {
          ...object({ a: { $ref: '#/$defs/d0' } }),
          $defs: {
            ...Object.fromEntries(range(60).map((i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }])),
            d60: { type: 'string' },
          },
        },
      ],
    ];
    for (const [, schema] of largest) expect(strictSchemaFaults(schema)).toBeNull();
    for (const [index, [what, schema]] of largest.entries()) {
      const counted: number[] = [];
      // On a busy machine, this thread may get no processor until the other has finished, but not every time.
      while (counted.length < 5 && !counted.some((turns) => turns > 20)) {
        const turns = countTurns();
        expect(await made.judge({ ...schema, description: `number ${counted.length}` }, index), what).toEqual({
          kind: 'usable',
        });
        counted.push(turns());
      }
      // Compiling in this thread would leave only a handful of turns.
      expect(Math.max(...counted), what).toBeGreaterThan(20);
    }
  });
});
