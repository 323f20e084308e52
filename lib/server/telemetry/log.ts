import { type Logger, pino } from 'pino';

/**
 * The gateway's log: one JSON line an event on standard error, so that commands keep standard output for answers.
 * Credentials are redacted wherever a request's headers might be logged.
 */
export function createLog(level: string): Logger {
  const secrets = ['authorization', 'sign-in-with-x', 'x-sign-in-with-x', 'payment-signature', 'x-payment', 'x-402-payment'];
  return pino(
    { level, base: null, redact: secrets.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]), timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false }),
  );
}
