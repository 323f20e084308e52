import { type Logger, pino } from 'pino';
import { formatLogLine } from './log-line';

const SECRET_HEADERS = [
  'authorization',
  'x-api-key',
  'sign-in-with-x',
  'x-sign-in-with-x',
  'payment-signature',
  'x-payment',
  'x-402-payment',
];

/**
 * Creates the log on standard error, because commands print answers on standard output. Each event is a line of JSON,
 * or plain text on a terminal. Redacts credentials in logged headers.
 */
export function createLog(level: string): Logger {
  const redact = SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]);
  const destination = process.stderr.isTTY
    ? { write: (line: string) => void process.stderr.write(formatLogLine(line)) }
    : pino.destination({ dest: 2, sync: false });
  return pino({ level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
