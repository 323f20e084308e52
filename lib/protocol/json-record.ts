type Json = Readonly<Record<string, unknown>>;

/** Returns a JSON object unchanged, and an empty object for anything else. */
export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Parses a JSON object; null for anything else. */
export function parsedRecord(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns whether a value is a JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
