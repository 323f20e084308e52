const VERSION = /^((?:\/api)?\/v1)(?=\/|$)/;

/** A path of the API, tidied up. */
export interface ApiPath {
  /** `/api/v1` or `/v1`; empty where it names no version. */
  base: string;
  /** What follows, with a slash in front. */
  path: string;
}

/**
 * Tidies a path up as clients mean it that join a base URL and a path: without doubled and closing slashes, and with the
 * id of a model as one segment, since ids have slashes. Nothing else is decoded.
 */
export function apiPathOf(path: string): ApiPath {
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const base = VERSION.exec(tidy)?.[1] ?? '';
  const rest = tidy.slice(base.length) || '/';
  const model = /^\/models\/(.+)$/.exec(rest)?.[1];
  return { base, path: model === undefined ? rest : `/models/${segmentOf(model) ?? model}` };
}

/** An id as one segment; null for what no path may have. */
function segmentOf(model: string): string | null {
  try {
    const id = decodeURIComponent(model);
    return id === '.' || id === '..' ? null : encodeURIComponent(id);
  } catch {
    return null;
  }
}
