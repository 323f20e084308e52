const VERSION = /^((?:\/api)?\/v1)(?=\/|$)/;

interface ApiPath {
  /** `/api/v1` or `/v1`; empty if the path has no version. */
  base: string;
  /** Path after the base, with a leading slash. */
  path: string;
}

/**
 * Normalizes a path that a client joined to a base URL. Removes double and trailing slashes, and encodes a model id
 * with slashes as one segment.
 */
export function apiPathOf(path: string): ApiPath {
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const base = VERSION.exec(tidy)?.[1] ?? '';
  const rest = tidy.slice(base.length) || '/';
  const model = /^\/models\/(.+)$/.exec(rest)?.[1];
  return { base, path: model === undefined ? rest : `/models/${segmentOf(model) ?? model}` };
}

function segmentOf(model: string): string | null {
  try {
    const id = decodeURIComponent(model);
    return id === '.' || id === '..' ? null : encodeURIComponent(id);
  } catch {
    return null;
  }
}
