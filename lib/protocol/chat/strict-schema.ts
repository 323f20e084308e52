import type { ErrorTree } from '../errors';
import { endlessPath, unsatisfiable } from './unsatisfiable-schema';
import { FORMATS, KEYWORDS, NOTED_FORMATS, SCHEMA_VERSIONS, TYPES } from './json-schema-keywords';
import { isPlainObject, type JsonObject } from './json-pointer';
import { NOT_STRICT, REMOTE_REFERENCE, UNKNOWN_FORMAT } from './schema-fault-lead';
import { SCHEMA_LIMITS, schemaBudgetFault } from './schema-budget';
import { SchemaPlaces } from './schema-places';

const FAULTS_MAX = 50;

/**
 * Returns why a JSON Schema is not strict (spec, "Structured-output request field response_format"). Every object level
 * must list all properties in `required` and set `additionalProperties` to false. Every keyword must be known, at least
 * one reply must be valid, and references must stay within the schema. A schema beyond `SCHEMA_LIMITS` is not examined
 * further.
 *
 * @param allowsOptional accepts properties that `required` leaves out
 * @returns at most 50 messages as a tree by path; null if the schema is strict
 */
export function strictSchemaFaults(schema: unknown, allowsOptional = false): ErrorTree | null {
  const places = new SchemaPlaces(schema);
  const walk = new Walk(places, allowsOptional);
  const excess = schemaBudgetFault(schema, places);
  if (excess) walk.fault(excess.path, excess.message);
  else walk.go(schema);
  const endless = walk.count === 0 ? endlessPath(schema, places) : null;
  if (endless)
    walk.fault(
      endless,
      'Requires itself without end, so no reply fits. Allow null with anyOf, or make it an item of an array that may be empty.',
    );
  return walk.count === 0 ? null : walk.faults;
}

/** A `value` schema describes part of the reply and must be strict. A `test` schema only tests a value. */
type Role = 'value' | 'test';

class Walk {
  readonly faults: ErrorTree = { _errors: [] };
  count = 0;
  readonly #seen = new Map<object, Set<Role>>();
  readonly #open: { schema: JsonObject; path: readonly string[]; role: Role }[] = [];

  constructor(
    private readonly places: SchemaPlaces,
    private readonly allowsOptional: boolean,
  ) {}

  fault(path: readonly string[], message: string): void {
    if (++this.count > FAULTS_MAX) return;
    let level = this.faults;
    for (const step of path) level = childOf(level, safeName(step));
    level._errors.push(message);
  }

  /** Visits the schemas level by level. Recursion would overflow on a long chain, or never end on a cycle. */
  go(root: unknown): void {
    this.visit(root, [], 'value');
    // `visit` appends to the list during this loop.
    for (const { schema, path, role } of this.#open) this.#check(schema, path, role);
  }

  visit(schema: unknown, path: readonly string[], role: Role): void {
    if (!isPlainObject(schema)) return this.fault(path, 'Must be a schema object.');
    const roles = this.#seen.get(schema) ?? new Set();
    if (roles.has(role)) return;
    this.#seen.set(schema, roles.add(role));
    this.#open.push({ schema, path, role });
  }

  #check(schema: JsonObject, path: readonly string[], role: Role): void {
    this.#checkPlain(schema, path);
    for (const { keyword, message } of unsatisfiable(schema)) this.fault([...path, keyword], message);
    if (role === 'value') {
      this.#requireShape(schema, path);
      if (isObjectLevel(schema)) this.#checkObjectLevel(schema, path);
    }
    for (const [keyword, value] of Object.entries(schema)) this.#visitKeyword(schema, keyword, value, path, role);
  }

  #visitKeyword(schema: JsonObject, keyword: string, value: unknown, path: readonly string[], role: Role): void {
    const shape = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (shape === 'plain' && keyword !== '$ref' && keyword !== '$dynamicRef') return;
    const at = [...path, keyword];
    switch (shape) {
      case undefined:
        return this.fault(at, 'Is not a keyword of JSON Schema 2020-12 or draft-07.');
      case 'schema':
        return typeof value === 'boolean' ||
          (keyword === 'additionalProperties' && role === 'value' && isObjectLevel(schema))
          ? undefined
          : this.visit(value, at, role);
      case 'test':
        return typeof value === 'boolean' ? undefined : this.visit(value, at, 'test');
      case 'schemas':
        return this.#visitList(value, at, role);
      case 'tests':
        return this.#visitList(value, at, role === 'value' && keyword === 'allOf' ? 'value' : 'test');
      case 'schema-map':
        return this.#visitMap(value, at, role);
      case 'test-map':
        return this.#visitMap(value, at, 'test');
      case 'schema-or-schemas':
        if (Array.isArray(value)) return this.#visitList(value, at, role);
        return value === false ? undefined : this.visit(value, at, role);
      case 'dependencies':
        return this.#visitMap(value, at, 'test', Array.isArray);
      case 'plain':
        return this.#follow(value, at, role);
    }
  }

  #visitList(value: unknown, path: readonly string[], role: Role): void {
    if (!Array.isArray(value) || value.length === 0)
      return this.fault(path, 'Must be an array with at least one schema.');
    value.forEach((schema, index) => this.visit(schema, [...path, String(index)], role));
  }

  #visitMap(
    value: unknown,
    path: readonly string[],
    role: Role,
    isOther: (schema: unknown) => boolean = () => false,
  ): void {
    if (!isPlainObject(value)) return this.fault(path, 'Must be an object of schemas.');
    for (const [name, schema] of Object.entries(value)) if (!isOther(schema)) this.visit(schema, [...path, name], role);
  }

  #follow(reference: unknown, path: readonly string[], role: Role): void {
    if (typeof reference !== 'string') return this.fault(path, 'Must be a string.');
    const { target, place: schema } = this.places.follow(reference);
    if (target === null) return this.fault(path, REMOTE_REFERENCE);
    if (schema === undefined)
      return this.fault(path, `Refers to ${JSON.stringify(reference.slice(0, 100))}, which does not exist.`);
    this.visit(schema, target.kind === 'pointer' ? target.steps : ['$defs', target.name], role);
  }

  /** Requires a keyword that restricts the value. A schema without such a keyword accepts any value. */
  #requireShape(schema: JsonObject, path: readonly string[]): void {
    const says = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf'].some((keyword) =>
      Object.hasOwn(schema, keyword),
    );
    if (!says && !isObjectLevel(schema)) this.fault(path, NOT_STRICT.saysNothing);
  }

  #checkObjectLevel(schema: JsonObject, path: readonly string[]): void {
    if (schema['additionalProperties'] !== false) this.fault([...path, 'additionalProperties'], NOT_STRICT.isOpen);
    const names = new Set(isPlainObject(schema['properties']) ? Object.keys(schema['properties']) : []);
    const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
    const missing = this.allowsOptional ? [] : [...names].filter((name) => !required.has(name));
    if (missing.length > 0)
      this.fault(
        [...path, 'required'],
        `${NOT_STRICT.leavesOut}${missing.slice(0, 20).join(', ')}. Allow null in a property's type to make it optional.`,
      );
    const unknown = [...required].filter((name) => typeof name === 'string' && !names.has(name));
    if (Object.hasOwn(schema, 'patternProperties')) return;
    if (unknown.length > 0)
      this.fault([...path, 'required'], `Lists names that are not properties: ${unknown.slice(0, 20).join(', ')}.`);
    for (const keyword of ['dependentRequired', 'dependencies'])
      this.#checkDependents(schema[keyword], names, [...path, keyword]);
  }

  /** Requires that a property's dependents are properties too. Otherwise no value is valid. */
  #checkDependents(dependents: unknown, names: ReadonlySet<string>, path: readonly string[]): void {
    if (!isPlainObject(dependents)) return;
    for (const [name, others] of Object.entries(dependents)) {
      const unknown =
        Array.isArray(others) && names.has(name)
          ? (others as unknown[]).filter((other) => typeof other === 'string' && !names.has(other))
          : [];
      if (unknown.length > 0)
        this.fault([...path, name], `Lists names that are not properties: ${unknown.slice(0, 20).join(', ')}.`);
    }
  }

  #checkPlain(schema: JsonObject, path: readonly string[]): void {
    for (const [keyword, value] of Object.entries(schema)) {
      const message = PLAIN_CHECKS.get(keyword)?.(value, path) ?? null;
      if (message !== null) this.fault([...path, keyword], message);
    }
  }
}

type Check = (value: unknown, path: readonly string[]) => string | null;

const isCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'Must be an integer from 0.';
const isNumber: Check = (value) => (typeof value === 'number' ? null : 'Must be a number.');
const isString: Check = (value) => (typeof value === 'string' ? null : 'Must be a string.');
const isBoolean: Check = (value) => (typeof value === 'boolean' ? null : 'Must be true or false.');
const isNameList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length;
const isNames: Check = (value) => (isNameList(value) ? null : 'Must be an array of distinct strings.');
const isAnchor: Check = (value) =>
  typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)
    ? null
    : 'Must be a name of letters, digits, "-", "_" and ".", such as "node".';

/** Smallest `multipleOf` that floating-point division can test. */
const DIVISOR_MIN = 1e-9;
const DIVISOR_MAX = 1e15;

/** Checks for keyword values that a validator would reject or misread. */
const PLAIN_CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    $schema: (value, path) =>
      path.length > 0
        ? 'Is allowed only at the top level of the schema.'
        : SCHEMA_VERSIONS.has(value)
          ? null
          : 'Must name JSON Schema 2020-12 or draft-07.',
    $id: (value, path) => (path.length > 0 ? 'Is allowed only at the top level of the schema.' : isString(value, path)),
    $anchor: isAnchor,
    $dynamicAnchor: isAnchor,
    type: (value) => {
      const types: unknown[] = Array.isArray(value) ? value : [value];
      return types.length > 0 && types.every((type) => TYPES.has(type)) && new Set(types).size === types.length
        ? null
        : `Must be one or more of ${[...TYPES].join(', ')}.`;
    },
    enum: (value) =>
      Array.isArray(value) && value.length > 0 && value.length <= SCHEMA_LIMITS.enumValues
        ? null
        : `Must be an array of 1 to ${SCHEMA_LIMITS.enumValues.toLocaleString('en-US')} values.`,
    required: isNames,
    dependentRequired: (value) =>
      isPlainObject(value) && Object.values(value).every(isNameList)
        ? null
        : 'Must be an object of arrays of distinct strings.',
    dependencies: (value) =>
      isPlainObject(value) && Object.values(value).every((each) => !Array.isArray(each) || isNameList(each))
        ? null
        : 'Must be an object of schemas, or of arrays of distinct strings.',
    pattern: (value) =>
      isPattern(value)
        ? null
        : `Must be a regular expression of ECMA-262 with at most ${SCHEMA_LIMITS.patternLength} characters.`,
    patternProperties: (value) =>
      !isPlainObject(value) || Object.keys(value).every(isPattern)
        ? null
        : `Has a name that is not a regular expression of ECMA-262 with at most ${SCHEMA_LIMITS.patternLength} characters.`,
    format: (value) =>
      typeof value === 'string' && (FORMATS.has(value) || NOTED_FORMATS.has(value))
        ? null
        : `${UNKNOWN_FORMAT}The known formats are ${[...FORMATS].join(', ')}.`,
    multipleOf: (value) =>
      typeof value === 'number' && value >= DIVISOR_MIN && value <= DIVISOR_MAX
        ? null
        : `Must be a number from ${DIVISOR_MIN} to ${DIVISOR_MAX}.`,
    maximum: isNumber,
    minimum: isNumber,
    exclusiveMaximum: isNumber,
    exclusiveMinimum: isNumber,
    maxLength: isCount,
    minLength: isCount,
    maxItems: isCount,
    minItems: isCount,
    maxContains: isCount,
    minContains: isCount,
    maxProperties: isCount,
    minProperties: isCount,
    uniqueItems: isBoolean,
    nullable: isBoolean,
    deprecated: isBoolean,
    readOnly: isBoolean,
    writeOnly: isBoolean,
    $comment: isString,
    title: isString,
    description: isString,
    contentEncoding: isString,
    contentMediaType: isString,
  }),
);

function isObjectLevel(schema: JsonObject): boolean {
  const type = schema['type'];
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return true;
  return (
    type === undefined &&
    ['properties', 'patternProperties', 'additionalProperties'].some((keyword) => Object.hasOwn(schema, keyword))
  );
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > SCHEMA_LIMITS.patternLength) return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function childOf(level: ErrorTree, name: string): ErrorTree {
  if (!Object.hasOwn(level, name)) Object.defineProperty(level, name, { value: { _errors: [] }, enumerable: true });
  return level[name] as ErrorTree;
}

function safeName(name: string): string {
  return name === '_errors' ? '_errors ' : name;
}
