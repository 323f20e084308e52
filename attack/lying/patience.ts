import type { Family } from './endpoints';
import type { ToldCall } from './told-lies';

const PATIENCE_MS = { truth: 60_000, lies: 1_500, chats: 6_000 } as const;

/** When a caller gives up, milliseconds: where it is told the truth, not before it is done. Chats compute. */
export function patienceMs({ lies }: ToldCall, family: Family): number {
  if (Object.keys(lies).length === 0) return PATIENCE_MS.truth;
  return family === 'chats' ? PATIENCE_MS.chats : PATIENCE_MS.lies;
}
