import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { endAtClosedPipe } from '@/lib/command-line/program';
import { isClosedWhilePaused } from './closed-while-paused';
import { type CommandIo, EXIT } from './command';
import { printableLine } from './printable';
import { runCommandLine } from './run';
import { UsageError } from '@/lib/command-line/usage-error';

const NODE_MAJOR_MIN = 22;

endAtClosedPipe([process.stdout, process.stderr], (code) => process.exit(code));

process.on('uncaughtException', (error) => {
  if (isClosedWhilePaused(error)) return;
  process.stderr.write(`This is a bug in turnpike-client: ${printableLine(error.message)}\n`);
  process.exit(EXIT.fault);
});

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());

async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: muted, terminal: true });
  const given = new Promise<never>((_resolve, reject) => {
    terminal.once('SIGINT', () => abort.abort());
    terminal.once('close', () => reject(new UsageError('No password was given.')));
  });
  try {
    return await Promise.race([terminal.question('', { signal: abort.signal }), given]);
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

async function* readLines(): AsyncGenerator<string> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: process.stdin.isTTY === true,
  });
  lines.once('SIGINT', () => abort.abort());
  abort.signal.addEventListener('abort', () => lines.close());
  yield* lines;
}

const io: CommandIo = {
  env: process.env,
  out: (output) => void process.stdout.write(output),
  err: (output) => void process.stderr.write(output),
  write: (bytes) => void process.stdout.write(bytes),
  askSecret: process.stdin.isTTY ? askSecret : null,
  readInput: () => text(process.stdin),
  readLines,
  signal: abort.signal,
};

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MAJOR_MIN)
  process.stderr.write(
    `turnpike-client needs Node ${NODE_MAJOR_MIN} or newer, but this is ${process.versions.node}. The command may fail.\n`,
  );

process.exitCode = await runCommandLine(process.argv.slice(2), io);
// Exits explicitly, because keep-alive sockets would keep the process running. Waits until the output is written. If
// nobody reads the output any more, endAtClosedPipe exits.
process.stdout.write('', (error) => {
  if (error == null) process.exit();
});
