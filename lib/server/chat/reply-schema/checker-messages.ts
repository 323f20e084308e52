/** What the thread of schemas is asked. */
export type CheckerQuestion =
  | { kind: 'schema'; key: string; schema: string }
  | { kind: 'reply'; key: string; schema: string; reply: string };

/** What it says: a fault or none, or what kept it from finding out. */
export type CheckerAnswer = { kind: 'checked'; fault: string | null } | { kind: 'failed'; message: string };

/** What it says first, once it can be asked. */
export const CHECKER_READY = 'ready';
