const NAME = 'answer';

export function responseFormatOf(schema: Readonly<Record<string, unknown>>) {
  return { type: 'json_schema', json_schema: { name: NAME, strict: true, schema } } as const;
}
