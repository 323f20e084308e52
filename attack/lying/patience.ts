import type { Family } from './endpoint';
import type { ToldCall } from './told-lies';

/** Families whose calls use the processor for cryptography. Calls of other families mostly wait. */
export const COMPUTING: readonly Family[] = ['chats', 'money'];

const PATIENCE_MS = { truth: 60_000, lies: 2_000, computing: 6_000, large: 80_000 } as const;

/**
 * Maximum milliseconds that a call may take after its caller gave up. The value is large, because the machine may be
 * busy.
 */
export const LEAVING_MS = 20_000;
/** Maximum time in milliseconds in which a server must answer another request. */
export const ALIVE_TIMEOUT_MS = 60_000;

/**
 * Returns the milliseconds after which a caller gives up. The time is long for honest answers, so that such calls
 * always finish.
 */
export function patienceMs({ lies }: ToldCall, family: Family): number {
  const told = Object.values(lies).flat();
  if (told.length === 0) return PATIENCE_MS.truth;
  if (told.some(({ kind }) => kind === 'large')) return PATIENCE_MS.large;
  return COMPUTING.includes(family) ? PATIENCE_MS.computing : PATIENCE_MS.lies;
}
