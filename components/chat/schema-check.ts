import { faultsOf } from '@/lib/protocol/error-tree';
import { strictSchemaFaults } from '@/lib/protocol/chat/strict-schema';
import { JsonSyntaxError, parseJsonDocument } from '@/lib/browser/text/json-document';
import { schemaFaultWords } from './words';

/** Fault in a schema; an empty `path` means the whole schema. */
export interface SchemaFault {
  path: string;
  message: string;
  /** Offset of the first JSON syntax error, from 0; null for valid JSON. */
  offset: number | null;
}

export type SchemaCheck =
  | { kind: 'none' }
  | { kind: 'strict'; schema: Readonly<Record<string, unknown>> }
  | { kind: 'faulty'; faults: readonly SchemaFault[] };

/** Checks whether the gateway accepts a JSON schema. Whitespace alone counts as no schema. */
export function checkSchema(text: string): SchemaCheck {
  if (text.trim() === '') return { kind: 'none' };
  try {
    parseJsonDocument(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'faulty', faults: [{ path: '', message: error.message, offset: error.offset }] };
  }
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return { kind: 'faulty', faults: [{ path: '', message: schemaFaultWords.notAnObject, offset: null }] };
  const tree = strictSchemaFaults(schema);
  return tree === null
    ? { kind: 'strict', schema: schema as Record<string, unknown> }
    : { kind: 'faulty', faults: faultsOf(tree).map((fault) => ({ ...fault, offset: null })) };
}

export const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: 'object',
    properties: {
      summary: { type: 'string', description: 'A single sentence' },
      steps: { type: 'array', items: { type: 'string' } },
      found: { type: 'boolean' },
    },
    required: ['summary', 'steps', 'found'],
    additionalProperties: false,
  },
  null,
  2,
);
