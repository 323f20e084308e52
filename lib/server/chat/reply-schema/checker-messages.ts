export type CheckerRequest =
  | { kind: 'schema'; key: string; schema: string }
  | { kind: 'reply'; key: string; schema: string; reply: string };

export type CheckerAnswer = { kind: 'checked'; fault: string | null } | { kind: 'failed'; message: string };

/** First message from the thread, sent once the thread is ready. */
export const CHECKER_READY = 'ready';
