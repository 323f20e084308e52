import { type Logger, pino } from 'pino';

export type LogLine = Record<string, unknown> & { msg: string; level: number };

/** A log whose lines a test looks at. */
export interface KeptLog {
  log: Logger;
  /** As they were written, one JSON text each. */
  texts: string[];
  /** Those with this message, without the time. */
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
