/** What one look at the world came to. */
export interface Finding {
  /** What was looked at: the path of a field, a variable, or a word such as `clock`. */
  subject: string;
  verdict: 'ok' | 'warning' | 'fault';
  /** What was found. */
  sentence: string;
  /** What to do; null where there is nothing to do. */
  remedy: string | null;
}

/** Something that is as it should be. */
export function ok(subject: string, sentence: string): Finding {
  return { subject, verdict: 'ok', sentence, remedy: null };
}

/** Something doubtful: a gateway works with it. */
export function warning(subject: string, sentence: string, remedy: string): Finding {
  return { subject, verdict: 'warning', sentence, remedy };
}

/** Something by which callers or money would come to harm. */
export function fault(subject: string, sentence: string, remedy: string): Finding {
  return { subject, verdict: 'fault', sentence, remedy };
}
