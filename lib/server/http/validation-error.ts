import type { z } from 'zod';
import { type ApiError, apiError, type ErrorTree } from '@/lib/protocol/errors';
import { treeOf as faultTree } from '@/lib/protocol/error-tree';
import { plainFault } from './plain-fault';

/**
 * Validates a value by its schema. Describes faults in plain words.
 * @param whole name of the value for faults without a field, such as `The request body`
 * @throws ApiError 400 INVALID_REQUEST with a tree of invalid fields
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const verdict = schema.safeParse(value, { error: plainFault });
  if (verdict.success) return verdict.data;
  throw validationError(verdict.error, whole);
}

/**
 * Builds the DetailedError (spec, "Error bodies"), with a sentence about the first fault and a tree of all.
 * @param whole as for `validated`
 */
export function validationError(error: z.ZodError, whole: string): ApiError {
  return apiError('INVALID_REQUEST', { message: sentenceOf(error, whole), details: treeOf(error) });
}

/** Builds the error of one field, for faults that a schema cannot express. @param fault without full stop */
export function fieldError(field: string, fault: string): ApiError {
  return apiError('INVALID_REQUEST', {
    message: `The field "${field}" is not valid: ${fault}.`,
    details: { _errors: [], [field]: { _errors: [`${fault}.`] } },
  });
}

/** Builds the error of a nested field. @param fault without full stop */
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
    for (const step of issue.path) node = childOf(node, String(step));
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

/** Describes a fault on one line without full stop, even if the client's field names have line breaks. */
function faultOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `There is no field ${issue.keys
      .slice(0, 5)
      .map((key) => JSON.stringify(key.slice(0, 60)))
      .join(', ')}`;
  return (issue?.message ?? 'It does not have the expected form').replace(/\s+/g, ' ').replace(/[.!?]+$/, '');
}
