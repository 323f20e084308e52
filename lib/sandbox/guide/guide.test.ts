import Ajv from 'ajv/dist/2020';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { openApiSections, readDocuments } from './documents';
import { Guide } from './guide';
import { textForPattern } from './pattern-text';
import { fillSchema } from './schema-filler';
import { splitMarkdown } from './section';
import { SectionIndex } from './section-index';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

describe('the guide', () => {
  const guide = new Guide(readDocuments(process.cwd()));

  it.each([
    ['How do I run the tests or contribute?', /test/i],
    ['Why is money an integer of nano-USD?', /nano-USD/],
    ['Which upstreams can I configure?', /upstream/i],
  ])('answers "%s" from the documentation, and says what it is', (question, expected) => {
    const { text, passage, isFound } = guide.answer(question);
    expect(isFound).toBe(true);
    expect(text).toMatch(/I am a retrieval stand-in, not a language model.*$/);
    expect(passage).toMatch(expected);
  });

  it('admits that it has found nothing', () => {
    expect(guide.answer('zzyzx qwfpgj')).toMatchObject({
      isFound: false,
      text: expect.stringContaining('Nothing in it matches'),
    });
    expect(new Guide([]).answer('anything')).toMatchObject({ isFound: false });
  });

  it('names the document and quotes: no link into the repository, no picture, no line outside of the quotation', () => {
    const text =
      'Money is kept as [an integer](money.md#kept), see [the RFC](https://www.rfc-editor.org).\n\n![A picture](images/money.png)\n\n- one\n- two';
    const answer = new Guide([{ document: 'docs/money.md', heading: 'Money › Integers', text }]).answer(
      'How is money kept?',
    );
    const quotation = '> Money is kept as an integer, see [the RFC](https://www.rfc-editor.org).\n>\n> - one\n> - two';
    expect(answer.text).toBe(`**docs/money.md: Integers**\n\n${quotation}\n\n*${answer.text.split('*').at(-2)}*`);
  });

  it('names the sections that fit nearly as well, and no others', () => {
    const section = (heading: string, text: string) => ({ document: 'docs/a.md', heading, text });
    const { text } = new Guide([
      section('Staking', 'Stake tokens in the pool.'),
      section('Unrelated', 'Nothing about it, but for one word: stake, of a fence, in a garden, long ago.'),
      section('Pools', 'Staking pools.'),
    ]).answer('staking pools');
    expect(text).toContain('See also:\n- docs/a.md: Staking\n\n');
  });

  it('stays bounded for enormous questions', () => {
    expect(guide.answer('stake '.repeat(200_000)).text.length).toBeLessThan(4_000);
  });
});

describe('sections', () => {
  it('are cut at headings, not at comments in code, and carry the headings above', () => {
    const sections = splitMarkdown(
      'a.md',
      '# One\n\nfirst\n\n## Two\n```sh\n# no heading\n```\n### Three\n\n# Four\nlast',
    );
    expect(sections.map(({ heading }) => heading)).toEqual(['One', 'One › Two', 'Four']);
    expect(sections[1]?.text).toContain('# no heading');
  });

  it('are made of the operations of an OpenAPI document, too', () => {
    expect(openApiSections('{"paths": {"/a": {"get": {"summary": "Reads a", "description": "All of it."}}}}')).toEqual([
      { document: 'API reference', heading: 'GET /a', text: 'Reads a\n\nAll of it.' },
    ]);
  });

  it('of the documents come before operations that say as much', () => {
    const operation = openApiSections(
      '{"paths": {"/models/{model}": {"get": {"summary": "One model", "description": "The models are there."}}}}',
    );
    const index = new SectionIndex([
      ...operation,
      {
        document: 'docs/inference.md',
        heading: 'Private inference › Models',
        text: 'The list of models has what each of them can do.',
      },
    ]);
    expect(index.find('Which models are there?', 1)[0]?.section.document).toBe('docs/inference.md');
  });

  it('are found by rare words before common ones, in plural and singular', () => {
    const section = (heading: string, text: string) => ({ document: 'a', heading, text });
    const index = new SectionIndex([
      section('Keys', 'a key is a secret of the gateway'),
      section('Limits', 'the gateway has limits'),
      section('Gateway', 'the gateway, the gateway'),
    ]);
    expect(index.find('keys of the gateway', 3)[0]?.section.heading).toBe('Keys');
    expect(index.find('unrelated', 3)).toEqual([]);
  });
});

describe('a schema', () => {
  const ajv = new Ajv({
    strict: false,
    formats: { 'date-time': true, date: true, email: true, uuid: true, uri: true },
  });
  const filled = (schema: object) =>
    fillSchema(schema as Record<string, unknown>, { text: 'what was found', isFound: true });
  const strict = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });

  it.each(
    [
      strict({
        answer: { type: 'string' },
        found: { type: 'boolean' },
        score: { type: 'number', minimum: 0.25, maximum: 0.75 },
        rank: { type: 'integer', exclusiveMinimum: 3, multipleOf: 5 },
      }),
      strict({
        kind: { enum: ['a', 'b'] },
        fixed: { const: 7 },
        maybe: { type: ['string', 'null'] },
        nothing: { type: 'null' },
      }),
      strict({
        tags: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 2 },
        none: { type: 'array', items: strict({}), maxItems: 0 },
        pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2, items: false },
      }),
      strict({
        code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
        long: { type: 'string', minLength: 50 },
        at: { type: 'string', format: 'date-time' },
      }),
      strict({
        either: { anyOf: [{ type: 'null' }, strict({ x: { type: 'integer' } })] },
        ref: { $ref: '#/$defs/item' },
      }),
      {
        ...strict({ tree: { $ref: '#/$defs/node' } }),
        $defs: {
          node: strict({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }),
        },
      },
      {
        ...strict({ list: { $ref: '#/$defs/node' } }),
        $defs: {
          node: strict({
            value: { type: 'integer', minimum: -9, maximum: -3 },
            next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
          }),
        },
      },
      strict({
        names: { type: 'array', items: { type: 'string', maxLength: 6 }, minItems: 12, uniqueItems: true },
        ranks: { type: 'array', items: { type: 'integer', minimum: 2, maximum: 4 }, minItems: 3, uniqueItems: true },
        kinds: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
      }),
      strict({
        items: { type: 'array', items: strict({ sure: { type: 'boolean' } }), minItems: 2, uniqueItems: true },
        people: { type: 'array', items: strict({ name: { type: 'string' } }), minItems: 3, uniqueItems: true },
      }),
      strict({
        has: { type: 'array', items: { type: 'integer' }, contains: { minimum: 10 } },
        more: { type: 'array', items: { type: 'string' }, contains: { const: 'x' }, minContains: 2, minItems: 4 },
      }),
      {
        ...strict({ node: { $ref: '#node' } }),
        $defs: { part: { ...strict({ id: { type: 'integer', minimum: 7 } }), $anchor: 'node' } },
      },
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer', minimum: 4 } }, required: ['b'] },
        ],
      },
    ].map((schema) => [JSON.stringify(schema).slice(0, 90), schema]),
  )('is filled so that another validator takes it: %s', (_, schema) => {
    const whole = {
      ...(schema as object),
      $defs: { item: strict({ id: { type: 'string', format: 'uuid' } }), ...(schema as { $defs?: object }).$defs },
    };
    const value = filled(whole);
    const validate = ajv.compile(whole);
    expect(validate(value), JSON.stringify([value, validate.errors])).toBe(true);
  });

  it('is filled in bounded time where it can never be satisfied, or branches at every level', () => {
    const node = strict(
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`n${index}`, { $ref: '#/$defs/node' }])),
    );
    expect(JSON.stringify(filled({ $ref: '#/$defs/node', $defs: { node } })).length).toBeLessThan(200_000);
    expect(filled({ $ref: '#' })).toBeDefined();
    expect(filled({ allOf: [{ $ref: '#' }] })).toBeDefined();
  });

  it('is filled whatever its shape, for strict schemas made at random', () => {
    const random = new SeededRandom(7);
    const make = (depth: number): object => {
      switch (depth <= 0 ? random.integer(0, 3) : random.integer(0, 6)) {
        case 0:
          return { type: 'string', minLength: random.integer(0, 20), maxLength: random.integer(20, 60) };
        case 1:
          return { type: 'integer', minimum: random.integer(-20, 20), maximum: random.integer(21, 50) };
        case 2:
          return { type: random.chance(0.5) ? 'boolean' : ['number', 'null'] };
        case 3:
          return { enum: [random.integer(0, 5), 'x'] };
        case 4:
          return { type: 'array', items: make(depth - 1), minItems: random.integer(0, 3) };
        case 5:
          return { anyOf: [make(depth - 1), { type: 'null' }] };
        default:
          return strict(
            Object.fromEntries(
              Array.from({ length: random.integer(0, 4) }, (_, index) => [`p${index}`, make(depth - 1)]),
            ),
          );
      }
    };
    for (let round = 0; round < 150; round++) {
      const schema = strict({ root: make(4) });
      expect(ajv.validate(schema, filled(schema)), JSON.stringify(schema)).toBe(true);
    }
  });

  it.each([
    '^a+b?c*$',
    '^(?:x|y){2}$',
    '^\\d{3}[-.]\\w+@[a-z]+\\.(com|org)$',
    '^[^a-z]{4}$',
    '^0x[0-9a-fA-F]{40}$',
    '^\\$\\{.*\\}$',
  ])('pattern %s has a text', (pattern) => {
    expect(textForPattern(pattern)).toMatch(new RegExp(pattern, 'u'));
  });

  it.each(['^(?=a)b$', '(', '[', '\\1', '^(?<!a)b'])('pattern %s is given up on', (pattern) => {
    expect(textForPattern(pattern)).toBeNull();
  });
});
