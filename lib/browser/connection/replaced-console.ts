'use client';

const TIMEOUT_MS = 5_000;
/** A page begins with about twenty. */
const SCRIPTS_MAX = 60;

/**
 * Whether the gateway serves another version of this console than the one that is open: a script of this page, whose
 * name holds the hash of its content, is not there any more. False where nothing answers.
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
