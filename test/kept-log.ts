import { type Logger, pino } from 'pino';

export type LogLine = Record<string, unknown> & { msg: string; level: number };

/** Log that a test can read. */
export interface KeptLog {
  log: Logger;
  /** Log lines as written, one JSON text each. */
  texts: string[];
  /** Returns the lines with this message. */
  lines(message: string): LogLine[];
}

export function keptLog(level = 'info'): KeptLog {
  const texts: string[] = [];
  const log = pino({ level, base: null, timestamp: false }, { write: (text: string) => void texts.push(text) });
  return {
    log,
    texts,
    lines: (message) => texts.map((text) => JSON.parse(text) as LogLine).filter(({ msg }) => msg === message),
  };
}
