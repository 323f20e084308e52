const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
const CONTROL = { from: 0x20, delete: 0x7f };

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
  return `${printable(parts.join(' '))}\n${err?.stack ? `${err.stack}\n` : ''}`;
}

/** Replaces control characters, because text from outside must not control the terminal. */
function printable(text: string): string {
  return [...text].map((character) => (isControl(character) ? '\uFFFD' : character)).join('');
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < CONTROL.from || code === CONTROL.delete;
}
