import { isPlainObject } from './json-pointer';
import { KEYWORDS } from './json-schema-keywords';
import { appliedSizes } from './schema-graph';
import type { SchemaPlaces } from './schema-places';

/** Limits of one schema. A schema within these limits compiles in well under a second (docs/inference.md). */
export const SCHEMA_LIMITS = {
  /** Nesting depth of the JSON, and of the schemas after following every reference. */
  depth: 64,
  /** Number of members and items in the document, including `enum`, `const`, `default` and `examples`. */
  values: 20_000,
  /** Total length of all names and strings, in UTF-16 code units. */
  textLength: 131_072,
  schemas: 1_000,
  /** Number of schemas after every reference is expanded. A recursive schema counts once. */
  expandedSchemas: 10_000,
  /** Number of schemas that check the same value of a reply. */
  schemasPerValue: 1_000,
  references: 500,
  /** Number of branches in all `anyOf`, `oneOf` and `allOf` together. */
  branches: 500,
  /** Number of `pattern` values and `patternProperties` names together. */
  patterns: 100,
  patternLength: 512,
  patternsLength: 8_192,
  enumValues: 1_000,
} as const;

interface BudgetFault {
  path: readonly string[];
  message: string;
}

/**
 * Checks a schema against `SCHEMA_LIMITS`, which bound the cost of compiling the schema and of checking replies. The
 * time of this check depends on the limits, not on the expanded schema.
 *
 * @returns first exceeded limit, or null
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

class WrittenSize {
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
    // A validator that uses plain JavaScript objects misreads the member `__proto__`.
    if (name === '__proto__')
      this.#refuse('Is a name that the gateway cannot check in replies. Choose another name.', [...this.#path, name]);
    this.#countWithin(name, value);
  }

  #countWithin(step: string, value: unknown): void {
    this.#path.push(step);
    this.#countKeyword(step, value);
    this.count(value);
    this.#path.pop();
  }

  /**
   * Counts keywords by name. A property with a keyword's name counts too. The limits leave room for such properties.
   */
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
      this.#refuse(`Exceeds the limit: the whole schema may have at most ${count(SCHEMA_LIMITS[kind])} ${what}.`);
  }

  #refuse(message: string, path: readonly string[] = this.#path): never {
    throw new OverBudget([...path], message);
  }
}

/** A Map is fast for absent names, and most names are absent. */
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
      // A boolean schema costs nothing.
      return Array.isArray(value) ? value.length : typeof value === 'boolean' ? 0 : 1;
  }
}

function checkApplied(root: unknown, places: SchemaPlaces): void {
  for (const { path, expanded, perValue, levels } of appliedSizes(root, places)) {
    if (perValue === Infinity)
      throw new OverBudget(
        path(),
        'Refers to itself without an object or array in between, so no reply can be checked.',
      );
    if (levels > SCHEMA_LIMITS.depth)
      throw new OverBudget(
        path(),
        `Is nested more than ${SCHEMA_LIMITS.depth} levels deep when references are followed.`,
      );
    if (perValue > SCHEMA_LIMITS.schemasPerValue)
      throw new OverBudget(
        path(),
        `Checks a single value against more than ${count(SCHEMA_LIMITS.schemasPerValue)} schemas.`,
      );
    if (expanded > SCHEMA_LIMITS.expandedSchemas)
      throw new OverBudget(
        path(),
        `Has more than ${count(SCHEMA_LIMITS.expandedSchemas)} schemas when every reference is expanded.`,
      );
  }
}
