/** How the sentences start that name a fault of strictness, and not of another kind. */
export const NOT_STRICT = {
  isOpen: 'Must be false at every object level.',
  leavesOut: 'Must list every property; missing: ',
  saysNothing: 'Must say a type (or enum, const, $ref, anyOf, oneOf or allOf): without one it lets anything pass.',
} as const;

/** How the sentence starts that names a format which is none. */
export const UNKNOWN_FORMAT = 'Is not a format of JSON Schema. ';

/** About a reference to another document. */
export const REMOTE_REFERENCE =
  'Must refer to a place within this schema, such as "#/$defs/address": others are not fetched.';

/** What is wrong with a response schema, as the sentence about it begins. @param fault the message of its first fault. */
export function schemaFaultLead(fault: string): string {
  if (Object.values(NOT_STRICT).some((start) => fault.startsWith(start)))
    return 'The response schema is not strict, as it has to be';
  if (fault.startsWith(UNKNOWN_FORMAT)) return 'The response schema names a format that is not known';
  if (fault === REMOTE_REFERENCE) return 'The response schema refers to another document';
  return 'The response schema cannot be used';
}
