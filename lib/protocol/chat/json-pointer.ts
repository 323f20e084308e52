/** A JSON object, none of whose members is known. */
export type JsonObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A place within a document: by RFC 6901 pointer, or by `$anchor`. */
export type Target = { kind: 'pointer'; steps: string[] } | { kind: 'anchor'; name: string };

/** Where a reference leads that stays within its document; null for any other. */
export function localTarget(reference: string): Target | null {
  if (!reference.startsWith('#')) return null;
  let fragment: string;
  try {
    fragment = decodeURIComponent(reference.slice(1));
  } catch {
    return null;
  }
  if (fragment === '') return { kind: 'pointer', steps: [] };
  if (!fragment.startsWith('/')) return { kind: 'anchor', name: fragment };
  return {
    kind: 'pointer',
    steps: fragment
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  };
}
