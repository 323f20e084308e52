/** Log of the sandbox: one short line per event. A pino logger implements this interface. */
export interface SandboxLog {
  info(line: string): void;
  warn(line: string): void;
}

const WARNING = 'warning: ';

/** Logs to standard error, which the gateway reads line by line. */
export const stderrLog: SandboxLog = {
  info: (line) => void process.stderr.write(`${oneLine(line)}\n`),
  warn: (line) => void process.stderr.write(`${WARNING}${oneLine(line)}\n`),
};

/** Copies a `stderrLog` line of another process to `log`, at the line's original level. */
export function relayLine(line: string, log: SandboxLog): void {
  if (line.startsWith(WARNING)) log.warn(line.slice(WARNING.length));
  else log.info(line);
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
