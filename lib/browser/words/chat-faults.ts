/**
 * Faults in a schema, an answer or a typed pin. In a separate file, because the texts of the Chat page's tabs load
 * later.
 */
export const schemaFaultWords = {
  notAnObject: 'A schema is a JSON object.',
  notJson: 'The answer is not valid JSON.',
  notChecked: (why: string) => `Not checked here: ${why}`,
} as const;

export const pinFaultWords = {
  nameMissing: 'Give it a name.',
  lacks: (missing: string) => `A workload is known by all of these together. Missing: ${missing}.`,
  wrongLength: (label: string, length: number) => `${label} takes ${length} hexadecimal characters.`,
} as const;
