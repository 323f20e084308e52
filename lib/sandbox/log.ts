/** Where the sandbox tells what happens, one short line an event. A pino logger is one. */
export interface SandboxLog {
  info(line: string): void;
  warn(line: string): void;
}

const WARNING = 'warning: ';

/** A log on standard error, which the gateway reads from its child line by line. */
export const stderrLog: SandboxLog = {
  info: (line) => void process.stderr.write(`${oneLine(line)}\n`),
  warn: (line) => void process.stderr.write(`${WARNING}${oneLine(line)}\n`),
};

/** Hands a line that `stderrLog` wrote in another process to `log`, at the level it had there. */
export function relayLine(line: string, log: SandboxLog): void {
  if (line.startsWith(WARNING)) log.warn(line.slice(WARNING.length));
  else log.info(line);
}

/** The text without line breaks or runs of white space, as a log line needs it. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
