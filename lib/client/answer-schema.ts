/**
 * Schemas of answers. The console loads them with every page, so they are functions of a few lines instead of a package.
 * A schema returns the value as it was found to be, or throws; objects keep members that it does not name.
 * @param at where the value stands, such as `data[0].amount`
 */
export type Schema<T> = (value: unknown, at: string) => T;

/** A value that is not of its schema: where it stands, what is there, and what was expected. */
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
/** An amount in USD as digits, which no float has rounded. */
export const decimal = checked('an amount in digits', isDecimal);
/** An object of any members. */
export const members = checked('an object', isRecord);

/** Takes one of these texts and no other. */
export function oneOf<const Value extends string>(values: readonly Value[]): Schema<Value> {
  return checked(`one of ${values.join(', ')}`, (value): value is Value => values.some((each) => each === value));
}

export function list<T>(item: Schema<T>): Schema<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new MisfitError(at, value, 'a list');
    return value.map((each: unknown, index) => item(each, `${at}[${index}]`));
  };
}

/** Takes what is absent, or null, for null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return (value, at) => (value === undefined || value === null ? null : schema(value, at));
}

/** Takes what is absent, or null, for a member that is not there; in `object` alone. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : schema(value, at));
}

/** Takes an object whose members, whatever their names, are all of one schema. */
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

/** Whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes what a function says is one. @param expected for the message, as `a text` */
export function checked<T>(expected: string, isOne: (value: unknown) => value is T): Schema<T> {
  return (value, at) => {
    if (isOne(value)) return value;
    throw new MisfitError(at, value, expected);
  };
}

function within(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
