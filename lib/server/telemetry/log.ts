import { type Logger, pino } from 'pino';

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
 * Creates the log. Writes to standard error, because commands print answers to standard output. Each event is a line of
 * JSON, or plain text on a terminal. Redacts credentials in logged headers.
 */
export function createLog(level: string): Logger {
  const redact = SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]);
  const destination = process.stderr.isTTY
    ? { write: (line: string) => void process.stderr.write(formatLogLine(line)) }
    : pino.destination({ dest: 2, sync: false });
  return pino({ level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
const CONTROL = { before: 0x20, from: 0x7f, to: 0x9f };

/** Formats a JSON log line for people: time, level (unless info), message, then the other fields. */
export function formatLogLine(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as {
    time: string;
    level: number;
    msg?: string;
    err?: { stack?: string };
  };
  const word = LEVELS[level] ?? String(level);
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const parts = [time.slice(11, 19), ...(word ? [`${word}:`] : []), msg ?? '', ...rest];
  return `${[parts.join(' '), ...(err?.stack?.split('\n') ?? [])].map(printable).join('\n')}\n`;
}

/** Replaces control characters. Text from outside could use them to control the terminal. */
function printable(text: string): string {
  return [...text].map((character) => (isControl(character) ? '\uFFFD' : character)).join('');
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < CONTROL.before || (code >= CONTROL.from && code <= CONTROL.to);
}
