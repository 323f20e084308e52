import { isPlainObject } from './json-pointer';
import { KEYWORDS } from './json-schema-keywords';
import { appliedSizes } from './schema-graph';
import type { SchemaPlaces } from './schema-places';

/**
 * What one schema may come to. Each number is far above a person's largest, and low enough that a schema of exactly
 * that size is compiled in well under a second (measured in docs/inference.md).
 */
export const SCHEMA_LIMITS = {
  /** Levels of JSON, and of schemas with references followed. */
  depth: 64,
  /** Members and items of the whole document, of `enum`, `const`, `default` and `examples` too. */
  values: 20_000,
  /** UTF-16 code units of all names and strings together. */
  textLength: 131_072,
  /** As written. */
  schemas: 1_000,
  /** With every reference replaced by what it refers to; a recursive one counts once. */
  expandedSchemas: 10_000,
  /** That a single value of a reply is checked against. */
  schemasPerValue: 1_000,
  references: 500,
  /** Of all `anyOf`, `oneOf` and `allOf` together. */
  branches: 500,
  /** `pattern`s, and names of `patternProperties`. */
  patterns: 100,
  patternLength: 512,
  /** Of all patterns together. */
  patternsLength: 8_192,
  /** Of one `enum`. */
  enumValues: 1_000,
} as const;

/** Where a schema goes beyond the budget, and what the limit is. */
export interface BudgetFault {
  path: readonly string[];
  message: string;
}

/**
 * Counts what a schema would cost to compile and to check replies with, before either is begun. Takes time in
 * proportion to the limits, never to what the schema expands to.
 * @returns the first limit that it exceeds; null where it is within all of them.
 */
export function schemaBudgetFault(root: unknown, places: SchemaPlaces): BudgetFault | null {
  try {
    new WrittenSize().count(root);
    checkApplied(root, places);
    return null;
  } catch (error) {
    if (error instanceof OverBudget) return error;
    throw error;
  }
}

class OverBudget extends Error implements BudgetFault {
  constructor(
    readonly path: readonly string[],
    message: string,
  ) {
    super(message);
  }
}

const count = (limit: number): string => limit.toLocaleString('en-US');

type Counted = 'schemas' | 'references' | 'branches' | 'patterns' | 'patternsLength';

/** The document as it is written, whatever it means. */
class WrittenSize {
  /** Where the count is. */
  readonly #path: string[] = [];
  #values = 0;
  #textLength = 0;
  readonly #counts: Record<Counted, number> = {
    schemas: 0,
    references: 0,
    branches: 0,
    patterns: 0,
    patternsLength: 0,
  };

  count(value: unknown): void {
    if (this.#path.length > SCHEMA_LIMITS.depth)
      this.#refuse(`Is nested more than ${SCHEMA_LIMITS.depth} levels deep.`, this.#path.slice(0, 4));
    if (++this.#values > SCHEMA_LIMITS.values)
      this.#refuse(`Has more than ${count(SCHEMA_LIMITS.values)} members and items.`, []);
    if (typeof value === 'string') return this.#addText(value);
    if (typeof value === 'number' && !Number.isFinite(value)) this.#refuse('Is a number that is too large.');
    if (Array.isArray(value)) for (const [index, item] of value.entries()) this.#countWithin(String(index), item);
    else if (isPlainObject(value)) for (const [name, inner] of Object.entries(value)) this.#countMember(name, inner);
  }

  #countMember(name: string, value: unknown): void {
    this.#addText(name);
    // A validator compares members by means of JavaScript objects, in which this name is something else.
    if (name === '__proto__')
      this.#refuse('Is a name that replies cannot be checked for: choose another one.', [...this.#path, name]);
    this.#countWithin(name, value);
  }

  #countWithin(step: string, value: unknown): void {
    this.#path.push(step);
    this.#countKeyword(step, value);
    this.count(value);
    this.#path.pop();
  }

  /** A property that is called as a keyword counts as one: the limits have room for that. */
  #countKeyword(name: string, value: unknown): void {
    this.#add('schemas', schemasIn(name, value), 'schemas');
    if (name === '$ref' || name === '$dynamicRef') this.#add('references', 1, 'references');
    if ((name === 'anyOf' || name === 'oneOf' || name === 'allOf') && Array.isArray(value))
      this.#add('branches', value.length, 'branches of anyOf, oneOf and allOf together');
    if (name === 'pattern' && typeof value === 'string') this.#addPattern(value);
    if (name === 'patternProperties' && isPlainObject(value))
      for (const pattern of Object.keys(value)) this.#addPattern(pattern);
  }

  #addPattern(pattern: string): void {
    if (pattern.length > SCHEMA_LIMITS.patternLength)
      this.#refuse(`Must be a regular expression of ECMA-262 with at most ${SCHEMA_LIMITS.patternLength} characters.`);
    this.#add('patterns', 1, 'patterns');
    this.#add('patternsLength', pattern.length, 'characters of patterns');
  }

  #addText({ length }: string): void {
    this.#textLength += length;
    if (this.#textLength > SCHEMA_LIMITS.textLength)
      this.#refuse(`Has more than ${count(SCHEMA_LIMITS.textLength)} characters of names and text.`, []);
  }

  #add(kind: Counted, by: number, what: string): void {
    if (by === 0) return;
    this.#counts[kind] += by;
    if (this.#counts[kind] > SCHEMA_LIMITS[kind])
      this.#refuse(`Brings the schema to more than ${count(SCHEMA_LIMITS[kind])} ${what}.`);
  }

  #refuse(message: string, path: readonly string[] = this.#path): never {
    throw new OverBudget([...path], message);
  }
}

/** Looked up for every name of every request, most of which are no keywords. */
const SHAPES = new Map(Object.entries(KEYWORDS));

function schemasIn(name: string, value: unknown): number {
  switch (SHAPES.get(name)) {
    case undefined:
    case 'plain':
      return 0;
    case 'schema-map':
    case 'test-map':
    case 'dependencies':
      return isPlainObject(value) ? Object.keys(value).length : 0;
    default:
      // true and false are schemas, too, and cost nothing.
      return Array.isArray(value) ? value.length : typeof value === 'boolean' ? 0 : 1;
  }
}

/** What it comes to when references are followed: products of what is written. */
function checkApplied(root: unknown, places: SchemaPlaces): void {
  for (const { path, expanded, perValue, levels } of appliedSizes(root, places)) {
    if (perValue === Infinity)
      throw new OverBudget(
        path(),
        'Refers to itself without an object or array in between, so that no reply could ever be checked.',
      );
    if (levels > SCHEMA_LIMITS.depth)
      throw new OverBudget(path(), `Comes to more than ${SCHEMA_LIMITS.depth} levels when references are followed.`);
    if (perValue > SCHEMA_LIMITS.schemasPerValue)
      throw new OverBudget(
        path(),
        `Has a single value checked against more than ${count(SCHEMA_LIMITS.schemasPerValue)} schemas.`,
      );
    if (expanded > SCHEMA_LIMITS.expandedSchemas)
      throw new OverBudget(
        path(),
        `Comes to more than ${count(SCHEMA_LIMITS.expandedSchemas)} schemas when references are replaced by what they refer to.`,
      );
  }
}
