export const NOT_STRICT = {
  isOpen: 'Must be false at every object level.',
  leavesOut: 'Must list every property; missing: ',
  saysNothing: 'Must have a type (or enum, const, $ref, anyOf, oneOf or allOf): without one, any value is valid.',
} as const;

export const UNKNOWN_FORMAT = 'Is not a format of JSON Schema. ';

export const REMOTE_REFERENCE =
  'Must refer to a place within this schema, such as "#/$defs/address". Other documents are not fetched.';

/** Returns the beginning of the error message for a schema's first fault. */
export function schemaFaultLead(fault: string): string {
  if (Object.values(NOT_STRICT).some((start) => fault.startsWith(start))) return 'The response schema is not strict';
  if (fault.startsWith(UNKNOWN_FORMAT)) return 'The response schema has an unknown format';
  if (fault === REMOTE_REFERENCE) return 'The response schema refers to another document';
  return 'The response schema cannot be used';
}
