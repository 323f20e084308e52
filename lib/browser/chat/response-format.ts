const NAME = 'answer';

/** The field of a chat request that asks for a document of a schema. */
export function responseFormatOf(schema: Readonly<Record<string, unknown>>) {
  return { type: 'json_schema', json_schema: { name: NAME, strict: true, schema } } as const;
}
