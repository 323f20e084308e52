/** JSON value in which integers may be bigints, because u64 amounts need them. */
export type Json =
  | JsonText
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export class JsonText {
  constructor(readonly text: string) {}
}

/** Formats JSON. Writes bigints as numbers with all digits, which JSON.stringify cannot. Omits undefined members. */
export function toJsonText(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(toJsonText).join(',')}]`;
  const members = Object.entries(value as Record<string, Json | undefined>)
    .filter((member): member is [string, Json] => member[1] !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJsonText(member)}`);
  return `{${members.join(',')}}`;
}
