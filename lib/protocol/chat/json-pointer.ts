export type JsonObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Place within a document: an RFC 6901 pointer or an `$anchor`. */
export type Target = { kind: 'pointer'; steps: string[] } | { kind: 'anchor'; name: string };

/** Parses a reference that points into its own document; null for other references. */
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
