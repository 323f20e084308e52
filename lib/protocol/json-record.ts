type Json = Readonly<Record<string, unknown>>;

/** A JSON object as it is; an empty one in place of anything else. */
export function recordOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The object that a JSON text holds; null where it holds none. */
export function parsedRecord(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
