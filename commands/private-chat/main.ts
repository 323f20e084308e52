import { createInterface } from 'node:readline';
import { endAtClosedPipe } from '../closed-pipe';
import { runPrivateChat } from './run';

endAtClosedPipe([process.stdout, process.stderr], (code) => process.exit(code));

const abort = new AbortController();
process.once('SIGINT', () => abort.abort());

/** Opens standard input only when the command reads it. */
async function* typedLines(): AsyncGenerator<string> {
  const lines = createInterface({
    input: process.stdin,
    terminal: process.stdin.isTTY === true,
    output: process.stderr,
  });
  lines.once('SIGINT', () => abort.abort());
  abort.signal.addEventListener('abort', () => lines.close());
  yield* lines;
}

process.exitCode = await runPrivateChat(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  lines: typedLines(),
  signal: abort.signal,
});
