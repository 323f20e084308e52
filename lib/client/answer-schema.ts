import { isRecord } from '@/lib/protocol/json-record';

/**
 * Schema of an answer: a function that returns a value if it is valid, else throws. `at` is the value's path, such as
 * `data[0].amount`, for the error message. Objects keep unknown members. This file uses no package, because every
 * console page loads it.
 */
export type Schema<T> = (value: unknown, at: string) => T;

/** Thrown for a value that does not fit its schema. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError';

  constructor(
    readonly at: string,
    readonly value: unknown,
    readonly expected: string,
  ) {
    super(`${at} is not ${expected}`);
  }
}

const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?$/;

export const text = checked('a text', (value): value is string => typeof value === 'string');
export const number = checked(
  'a number',
  (value): value is number => typeof value === 'number' && Number.isFinite(value),
);
export const flag = checked('true or false', (value): value is boolean => typeof value === 'boolean');
/** USD as decimal text. Unlike a float, the text is exact. */
export const decimal = checked('an amount in digits', isDecimal);
export const members = checked('an object', isRecord);

export function oneOf<const Value extends string>(values: readonly Value[]): Schema<Value> {
  return checked(`one of ${values.join(', ')}`, (value): value is Value => values.some((each) => each === value));
}

export function list<T>(item: Schema<T>): Schema<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new MisfitError(at, value, 'a list');
    return value.map((each: unknown, index) => item(each, `${at}[${index}]`));
  };
}

/** Accepts values of the schema and null. A missing value becomes null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return (value, at) => (value === undefined || value === null ? null : schema(value, at));
}

/** Accepts values of the schema, and null. Null becomes an absent member. Usable only within `object`. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : schema(value, at));
}

export function record<T>(member: Schema<T>): Schema<Record<string, T>> {
  return (value, at) =>
    Object.fromEntries(
      Object.entries(members(value, at)).map(([name, each]) => [name, member(each, within(at, name))]),
    );
}

type Members = Readonly<Record<string, Schema<unknown>>>;
type Of<S> = S extends Schema<infer T> ? T : never;
type OptionalNames<M extends Members> = { [Name in keyof M]: undefined extends Of<M[Name]> ? Name : never }[keyof M];
type ObjectOf<M extends Members> = { [Name in Exclude<keyof M, OptionalNames<M>>]: Of<M[Name]> } & {
  [Name in OptionalNames<M>]?: Exclude<Of<M[Name]>, undefined>;
};

export function object<M extends Members>(schemas: M): Schema<ObjectOf<M>> {
  return (value, at) => {
    const found: Record<string, unknown> = { ...members(value, at) };
    for (const [name, schema] of Object.entries(schemas)) {
      const member = schema(found[name], within(at, name));
      if (member === undefined) delete found[name];
      else found[name] = member;
    }
    return found as ObjectOf<M>;
  };
}

export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

/**
 * Creates a schema from a predicate.
 *
 * @param expected name of the expected value in the error message, such as `a text`
 */
export function checked<T>(expected: string, isOne: (value: unknown) => value is T): Schema<T> {
  return (value, at) => {
    if (isOne(value)) return value;
    throw new MisfitError(at, value, expected);
  };
}

function within(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
