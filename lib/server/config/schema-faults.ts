import { meant, nearestName } from '@/lib/protocol/nearest-name';
import { networkMeant } from '@/lib/protocol/nearest-networks';
import { NETWORKS } from '@/lib/protocol/networks';
import { z } from 'zod';
import type { Faults } from './faults';
import { fieldPath, valueAt } from './field-path';
import type { Substituted } from './file';
import { isSecretField, shownValue } from './shown-value';

const NAMES_LISTED_MAX = 24;

interface Checked {
  schema: z.ZodType;
  settings: unknown;
  variables: ReadonlyMap<string, string>;
  substituted: Substituted;
}

/**
 * Reports the errors of the schema validation. Each message names the field or its environment variable, and says what
 * is expected.
 */
export function noteSchemaFaults(error: z.ZodError, checked: Checked, faults: Faults): void {
  for (const issue of error.issues.flatMap(innermost)) {
    if (issue.code === 'unrecognized_keys') noteUnknownFields(issue, checked, faults);
    else faults.set(givenName(issue.path, checked.variables), sentenceOf(issue, checked));
  }
}

/** Returns the environment variable that set a field, or else the field's path. */
export function givenName(steps: readonly PropertyKey[], variables: ReadonlyMap<string, string>): string {
  const path = fieldPath(steps);
  const [field, variable] = [...variables].find(([given]) => path === given || path.startsWith(`${given}[`)) ?? [
    path,
    path,
  ];
  return variable + path.slice(field.length);
}

type Issue = z.core.$ZodIssue;

/**
 * Returns the issues to report instead of the given issue. For a union, these are the issues of the alternative that
 * the value resembles most. For an invalid field name, the message says what is wrong with the name.
 */
function innermost(issue: Issue): Issue[] {
  if (issue.code === 'invalid_key') return [{ ...issue, message: issue.issues[0]?.message ?? issue.message }];
  if (issue.code !== 'invalid_union') return [issue];
  const possible = issue.errors.filter((faults) =>
    faults.some(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  const least = Math.min(...possible.map(strangeness));
  const [meantOne, ...others] = possible.filter((faults) => strangeness(faults) === least);
  if (!meantOne || others.length > 0) return [issue];
  return meantOne.flatMap(innermost).map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

function strangeness(faults: readonly Issue[]): number {
  return faults.reduce(
    (sum, { code, message }) =>
      sum + (code === 'unrecognized_keys' || (code === 'invalid_type' && /undefined$/.test(message)) ? 1 : 0),
    0,
  );
}

function noteUnknownFields(
  { path, keys }: Extract<Issue, { code: 'unrecognized_keys' }>,
  { schema }: Checked,
  faults: Faults,
): void {
  const names = fieldNames(schema, path);
  for (const key of keys) {
    const nearest = nearestName(key, names);
    const hint =
      nearest === null
        ? ` (its fields are ${names.slice(0, NAMES_LISTED_MAX).join(', ')}${names.length > NAMES_LISTED_MAX ? ' and more' : ''})`
        : `; did you mean ${nearest}?`;
    faults.set(
      fieldPath([...path, key]),
      `is not a field of ${path.length === 0 ? 'the configuration' : fieldPath(path)}${hint}`,
    );
  }
}

const ARTICLES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text in quotes (string)',
  boolean: 'true or false',
  array: 'a list (array)',
  object: 'an object',
  record: 'an object',
};

function sentenceOf(issue: Issue, { settings, substituted }: Checked): string {
  const path = fieldPath(issue.path);
  const value = valueAt(settings, issue.path);
  const mayBeSecret = isSecretField(path) || substituted.has(path);
  const found = shownValue(value, mayBeSecret);
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? `is missing: expected ${ARTICLES[issue.expected] ?? issue.expected}`
        : `expected ${ARTICLES[issue.expected] ?? issue.expected}, found ${found}`;
    case 'invalid_value': {
      const words = issue.values.map(String);
      return `expected ${words.length > 1 ? 'one of ' : ''}${issue.values.map((word) => JSON.stringify(word)).join(', ')}, found ${found}${typeof value === 'string' && !mayBeSecret ? meant(value, words) : ''}`;
    }
    case 'too_small':
    case 'too_big':
      return `${boundOf(issue)}, found ${found}`;
    case 'invalid_key': {
      const key = String(issue.path.at(-1));
      return `${issue.message}${issue.path[0] === 'networks' ? networkMeant(key, NETWORKS, '; did') : ''}`;
    }
    default:
      return typeof value === 'string' || typeof value === 'number'
        ? `${issue.message} (found ${found})`
        : issue.message;
  }
}

function boundOf(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  const what: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };
  return `expected ${bound}${what[issue.origin] ?? ''}`;
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

function fieldNames(schema: z.ZodType, steps: readonly PropertyKey[]): string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const places = steps.reduce<JsonSchema[]>(
    (all, step) => all.flatMap(alternatives).flatMap((each) => below(each, step)),
    [root],
  );
  return [...new Set(places.flatMap(alternatives).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...inner.flatMap(alternatives)];
}

function below({ properties, additionalProperties, items }: JsonSchema, step: PropertyKey): JsonSchema[] {
  if (typeof step === 'number') return items ? [items] : [];
  const named = Object.hasOwn(properties ?? {}, step) ? properties?.[String(step)] : undefined;
  if (named) return [named];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}
