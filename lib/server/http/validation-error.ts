import { branchName, treeOf as faultTree } from '@/lib/protocol/error-tree';
import { type ApiError, apiError, type ErrorTree } from '@/lib/protocol/errors';
import type { z } from 'zod';

/**
 * Validates a value by its schema.
 * @param whole name of the whole value in error messages, such as `The request body`
 * @throws ApiError 400 INVALID_REQUEST with a tree of invalid fields
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const verdict = schema.safeParse(value, { error: plainFault });
  if (verdict.success) return verdict.data;
  throw validationError(verdict.error, whole);
}

/** Builds the DetailedError (spec, "Error bodies"), with a sentence about the first fault and a tree of all faults. */
export function validationError(error: z.ZodError, whole: string): ApiError {
  return apiError('INVALID_REQUEST', { message: sentenceOf(error, whole), details: treeOf(error) });
}

/**
 * Builds the error of one field, for faults that a schema cannot express. @param fault sentence without its full stop
 */
export function fieldError(field: string, fault: string): ApiError {
  return apiError('INVALID_REQUEST', {
    message: `The field "${field}" is not valid: ${fault}.`,
    details: { _errors: [], [field]: { _errors: [`${fault}.`] } },
  });
}

/** Builds the error of a nested field. @param fault sentence without its full stop */
export function pathError(path: readonly string[], fault: string): ApiError {
  const shown = path.join('.').replace(/\s+/g, ' ').slice(0, 100);
  return apiError('INVALID_REQUEST', {
    message: `The field "${shown}" is not valid: ${fault}.`,
    details: faultTree(
      path.map((step) => step.slice(0, 100)),
      `${fault}.`,
    ),
  });
}

function sentenceOf({ issues }: z.ZodError, whole: string): string {
  const [first] = issues;
  const path = first?.path.map(String).join('.') ?? '';
  const where = path === '' ? whole : `The field "${path.slice(0, 100)}"`;
  const others = issues.length - 1;
  const more = others > 0 ? ` ${others} more ${others === 1 ? 'fault is' : 'faults are'} in "details".` : '';
  return `${where} is not valid: ${faultOf(first)}.${more}`;
}

function treeOf({ issues }: z.ZodError): ErrorTree {
  const tree: ErrorTree = { _errors: [] };
  for (const issue of issues) {
    let node = tree;
    for (const step of issue.path) node = childOf(node, branchName(String(step)));
    node._errors.push(`${faultOf(issue)}.`);
  }
  return tree;
}

function childOf(node: ErrorTree, field: string): ErrorTree {
  const known = Object.hasOwn(node, field) ? node[field] : undefined;
  if (known !== undefined && !Array.isArray(known)) return known;
  const child: ErrorTree = { _errors: [] };
  node[field] = child;
  return child;
}

/** Describes a fault on one line, without a full stop. Line breaks in the client's field names are removed. */
function faultOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `There is no field ${issue.keys
      .slice(0, 5)
      .map((key) => JSON.stringify(key.slice(0, 60)))
      .join(', ')}`;
  return (issue?.message ?? 'It does not have the expected form').replace(/\s+/g, ' ').replace(/[.!?]+$/, '');
}

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
 * Describes a fault in plain words, without a full stop: `Must be an array, not a string`. If a schema has its own
 * message, Zod uses that message instead.
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

/** Describes only the value's type, because the value may be long or secret. */
function foundIn(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? ', not a number' : '';
  if (typeof value === 'boolean') return `, not ${value}`;
  if (value === null) return ', not null';
  return `, not ${Array.isArray(value) ? 'an array' : (KINDS[typeof value] ?? typeof value)}`;
}
