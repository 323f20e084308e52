type Json = Readonly<Record<string, unknown>>;

/** Returns a JSON object unchanged, and an empty object for anything else. */
export function recordOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** Parses a JSON object; null for anything else. */
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
