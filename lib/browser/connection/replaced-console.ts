'use client';

const TIMEOUT_MS = 5_000;
/** Maximum number of scripts to check. A page starts with about twenty. */
const SCRIPTS_MAX = 60;

/**
 * Returns whether the gateway serves another console version: a script of this page, named by its content hash, is
 * gone. False if no response arrives.
 */
export async function isConsoleReplaced(): Promise<boolean> {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src*="/_next/static/"]')].slice(
    0,
    SCRIPTS_MAX,
  );
  const found = await Promise.all(scripts.map(({ src }) => isGone(src)));
  return found.includes(true);
}

async function isGone(src: string): Promise<boolean> {
  try {
    const { status } = await fetch(src, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return status === 404;
  } catch {
    return false;
  }
}
