import type { PageFigures, ShiftCase } from './page-figures.ts';

const KILOBYTE = 1024;

/** Bound for every page of the console. */
export const SCRIPT_BYTES_MAX = 180 * KILOBYTE;
/** Chat verifies an enclave on load, which needs more code. */
const SCRIPT_BYTES_MAX_OF: ReadonlyMap<string, number> = new Map([['/chat', 236 * KILOBYTE]]);
/** Largest Cumulative Layout Shift. */
export const SHIFT_MAX = 0.02;
const INTERACTION_MS_MAX = 100;

const CASES: readonly (readonly [ShiftCase, string])[] = [
  ['plain', 'in a plain load'],
  ['slowApi', 'while the API is slow'],
  ['withWallet', 'with a wallet connected before'],
];

/** Returns the maximum bytes of script that a page may transfer before any user input. */
export function scriptBytesMax(path: string): number {
  return SCRIPT_BYTES_MAX_OF.get(path) ?? SCRIPT_BYTES_MAX;
}

/** Returns a sentence for each bound that a page exceeds. */
export function missedBounds({
  path,
  scriptBytes,
  shift,
  moved,
  interactionMs,
  slowestInteraction,
  failed,
}: PageFigures): string[] {
  const missed: string[] = [];
  const most = scriptBytesMax(path);
  if (scriptBytes > most)
    missed.push(`${path} loads ${kilobytes(scriptBytes)} KB of script; ${kilobytes(most)} KB is the most.`);
  for (const [name, when] of CASES) {
    if (shift[name] >= SHIFT_MAX)
      missed.push(
        `${path} shifts by ${shift[name].toFixed(3)} ${when}; it must stay below ${SHIFT_MAX}. ${moved[name].join('; ')}`,
      );
  }
  if (interactionMs >= INTERACTION_MS_MAX)
    missed.push(
      `${path} takes ${Math.round(interactionMs)} ms from ${slowestInteraction} to the next paint; it must stay below ${INTERACTION_MS_MAX} ms.`,
    );
  for (const request of failed) missed.push(`${path} has a request that fails: ${request}`);
  return missed;
}

/**
 * Script bytes of pages after their last improvement, plus a little, so that growth below the bound is noticed too.
 * Lower them after each improvement, and never raise them above the bound. A new page starts with its current size.
 */
const HELD_SCRIPT_BYTES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    '/': 180,
    '/keys': 169,
    '/top-up': 173,
    '/rpc': 174,
    '/chat': 230,
    '/speech': 172,
    '/video': 166,
    '/usage': 178,
    '/receipts': 168,
    '/reference': 170,
  }).map(([path, kb]) => [path, kb * KILOBYTE]),
);

/** Returns the maximum script bytes that tests accept: the value above, but at most the bound. */
export function heldScriptBytesMax(path: string): number {
  return Math.min(scriptBytesMax(path), HELD_SCRIPT_BYTES.get(path) ?? Infinity);
}

export function kilobytes(bytes: number): number {
  return Math.round(bytes / KILOBYTE);
}
