/** Next's router sends a tree of smaller depth. */
const DEPTH_MAX = 24;
const MEMBERS_MAX = 64;
const PARAMETER_KINDS = /^(?:c|oc|d|(?:c|d)i\(\.{1,3}\)|(?:c|d)i\(\.\.\)\(\.\.\))$/;
const MARKERS = ['refetch', 'inside-shared-layout', 'metadata-only'];

/**
 * Returns whether a text is a valid `Next-Router-State-Tree`: percent-encoded JSON in the format of Next's
 * `parseAndValidateFlightRouterState`, up to `DEPTH_MAX`. Next answers 500 for an invalid tree.
 */
export function isRouterState(text: string): boolean {
  try {
    return isTree(JSON.parse(decodeURIComponent(text)), DEPTH_MAX);
  } catch {
    return false;
  }
}

/** `[segment, children, [url, search]?, marker?, hints?, …]` */
function isTree(value: unknown, depth: number): boolean {
  if (depth === 0 || !Array.isArray(value) || value.length < 2 || value.length > 6) return false;
  const [segment, children, url, marker, hints, name] = value as unknown[];
  return (
    isSegment(segment) &&
    areChildren(children, depth) &&
    (url === undefined || url === null || isPair(url)) &&
    (marker === undefined || marker === null || MARKERS.includes(marker as string)) &&
    (hints === undefined || hints === null || Number.isFinite(hints)) &&
    (name === undefined || typeof name === 'string')
  );
}

function areChildren(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const children = Object.values(value);
  return children.length <= MEMBERS_MAX && children.every((child) => isTree(child, depth - 1));
}

/** A segment is a name, or `[parameter, value, kind, sibling names]`. */
function isSegment(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [parameter, key, kind, siblings] = value as unknown[];
  const known =
    siblings === null || (Array.isArray(siblings) && siblings.every((sibling) => typeof sibling === 'string'));
  return (
    typeof parameter === 'string' &&
    typeof key === 'string' &&
    typeof kind === 'string' &&
    PARAMETER_KINDS.test(kind) &&
    known
  );
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
