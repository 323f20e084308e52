import { z } from 'zod';
import { schemaFaultWords } from './words';

/** Stops zod from trying `eval`, which the CSP forbids. */
z.config({ jitless: true });

const FAULTS_MAX = 20;

/**
 * Returns an answer's violations of a schema, each as `path: fault`; empty if valid. The browser validates the answer,
 * because no server validates a streamed or encrypted one.
 * @param schema strict schema that `checkSchema` accepts
 */
export function replyFaults(text: string, schema: Readonly<Record<string, unknown>>): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [schemaFaultWords.notJson];
  }
  let check: z.ZodType;
  try {
    check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    return [schemaFaultWords.notChecked(error instanceof Error ? error.message : String(error))];
  }
  const { data, error } = check.safeParse(value);
  if (error)
    return error.issues
      .slice(0, FAULTS_MAX)
      .map(({ path, message, code }) =>
        path.length === 0
          ? message
          : `${path.map(String).join('.')}: ${code === 'invalid_type' && isMissing(value, path) ? 'is missing' : message}`,
      );
  return missingMembers(value, data, []).slice(0, FAULTS_MAX);
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return false;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return rest.length === 0;
  return isMissing((value as Record<PropertyKey, unknown>)[key], rest);
}

/**
 * Finds required members that the answer lacks. The parser does not report a missing member that has a `default` in the
 * schema.
 */
function missingMembers(value: unknown, filled: unknown, path: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null || typeof filled !== 'object' || filled === null) return [];
  return Object.entries(filled).flatMap(([key, inner]) =>
    Object.hasOwn(value, key)
      ? missingMembers((value as Record<string, unknown>)[key], inner, [...path, key])
      : [`${[...path, key].join('.')}: is missing`],
  );
}
