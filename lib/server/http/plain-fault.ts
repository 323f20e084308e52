import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  url: 'a URL',
  datetime: 'a time as in ISO 8601',
  date: 'a date such as 2027-01-31',
};
const CHOICES_MAX = 20;

/**
 * Describes a schema's fault in plain words without full stop: `Must be an array, not a string`. Zod uses a schema's
 * own messages instead, if any.
 */
export function plainFault(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `It is missing and must be ${kindOf(issue.expected)}`
        : `Must be ${kindOf(issue.expected)}${foundIn(issue.input)}`;
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return oneOf((issue as { options?: unknown[] }).options ?? []);
    case 'invalid_format':
      return `Must be ${FORMATS[issue.format] ?? `of the form ${issue.format}`}`;
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    default:
      return 'It does not have the expected form';
  }
}

function bound({ origin }: { origin: string }, limit: number | bigint, relation: string): string {
  if (origin === 'string') return `Must have ${relation} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `Must have ${relation} ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return `Must be ${relation} ${limit}`;
}

function oneOf(values: readonly unknown[]): string {
  const named = values
    .slice(0, CHOICES_MAX)
    .map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)));
  if (named.length === 0) return 'It does not have any of the expected types';
  return named.length === 1 ? `Must be ${named[0]}` : `Must be ${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

function kindOf(expected: string): string {
  return KINDS[expected] ?? `of the type ${expected}`;
}

/** Names the type of a JSON value. The value itself may be long or secret. */
function foundIn(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? ', not a number' : '';
  if (typeof value === 'boolean') return `, not ${value}`;
  if (value === null) return ', not null';
  return `, not ${Array.isArray(value) ? 'an array' : (KINDS[typeof value] ?? typeof value)}`;
}
