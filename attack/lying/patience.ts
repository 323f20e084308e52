import type { Family } from './endpoints';
import type { ToldCall } from './told-lies';

/** Families whose calls compute, with their cryptography; others wait for most of their time. */
export const COMPUTING: readonly Family[] = ['chats', 'money'];

const PATIENCE_MS = { truth: 60_000, lies: 2_000, computing: 6_000, large: 80_000 } as const;

/** What a call may take beyond the moment at which its caller gave up, milliseconds: machines may be busy. */
export const LEAVING_MS = 20_000;
/** Within which what serves others has to answer another request, milliseconds. */
export const ALIVE_TIMEOUT_MS = 60_000;

/** When a caller gives up, milliseconds: where it is told the truth, not before it is done. */
export function patienceMs({ lies }: ToldCall, family: Family): number {
  const told = Object.values(lies).flat();
  if (told.length === 0) return PATIENCE_MS.truth;
  if (told.some(({ kind }) => kind === 'large')) return PATIENCE_MS.large;
  return COMPUTING.includes(family) ? PATIENCE_MS.computing : PATIENCE_MS.lies;
}
