/** A JSON value in which whole numbers may be bigints, as u64 amounts have to be. */
export type Json =
  | JsonText
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** A value that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** JSON text with bigints as numbers of all their digits, which JSON.stringify refuses. Undefined members are left out. */
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
