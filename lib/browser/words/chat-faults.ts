/** Why a schema, an answer under it, or a typed pin of the Chat page cannot be used. Apart from the tabs they stand in, whose words load later. */
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
