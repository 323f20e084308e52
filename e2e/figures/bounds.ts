import type { PageFigures, ShiftCase } from './page-figures.ts';

const KILOBYTE = 1024;

/** What every page of the console keeps to. */
export const SCRIPT_BYTES_MAX = 180 * KILOBYTE;
/** Chat verifies an enclave on arrival, and needs its code for that. */
const SCRIPT_BYTES_MAX_OF: ReadonlyMap<string, number> = new Map([
  ['/chat', 240 * KILOBYTE],
  // Overview and Usage plot spending on arrival, and Top up follows payments.
  ['/', 192 * KILOBYTE],
  ['/usage', 186 * KILOBYTE],
  ['/top-up', 181 * KILOBYTE],
  // The bundler cuts the code that all pages share into two files of like size, which compress worse by 1 KB.
  ['/rpc', 182 * KILOBYTE],
]);
/** Largest Cumulative Layout Shift. */
export const SHIFT_MAX = 0.02;
const INTERACTION_MS_MAX = 100;

const CASES: readonly (readonly [ShiftCase, string])[] = [
  ['plain', 'in a plain load'],
  ['slowApi', 'while the API is slow'],
  ['withWallet', 'with a wallet connected before'],
];

/** The most script that a page may load before anyone acts, in bytes over the wire. */
export function scriptBytesMax(path: string): number {
  return SCRIPT_BYTES_MAX_OF.get(path) ?? SCRIPT_BYTES_MAX;
}

/** The bounds that a page misses, each as a sentence; empty if it keeps to all. */
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

/** What pages held when they were last improved, with a little room, so that none grows back to its bound unseen. Lower it with each step; never raise it beyond the bound. A new page begins with what it loads. */
const HELD_SCRIPT_BYTES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    '/': 192,
    '/keys': 177,
    '/top-up': 181,
    '/rpc': 182,
    '/chat': 238,
    '/speech': 180,
    '/video': 174,
    '/usage': 186,
    '/receipts': 176,
    '/reference': 178,
  }).map(([path, kb]) => [path, kb * KILOBYTE]),
);

/** The most script that a test lets a page load: what it held when it was last improved, and never more than its bound. */
export function heldScriptBytesMax(path: string): number {
  return Math.min(scriptBytesMax(path), HELD_SCRIPT_BYTES.get(path) ?? Infinity);
}

/** Bytes as whole kilobytes. */
export function kilobytes(bytes: number): number {
  return Math.round(bytes / KILOBYTE);
}
