export interface Finding {
  /** Subject of the check: the path of a configuration field, the name of a variable, or a word such as `clock`. */
  subject: string;
  verdict: 'ok' | 'warning' | 'fault';
  sentence: string;
  /** Advice; null if there is nothing to do. */
  remedy: string | null;
}

export function ok(subject: string, sentence: string): Finding {
  return { subject, verdict: 'ok', sentence, remedy: null };
}

/** Returns a finding about a problem that does not stop the gateway. */
export function warning(subject: string, sentence: string, remedy: string): Finding {
  return { subject, verdict: 'warning', sentence, remedy };
}

/** Returns a finding about a problem that affects callers or money. */
export function fault(subject: string, sentence: string, remedy: string): Finding {
  return { subject, verdict: 'fault', sentence, remedy };
}
