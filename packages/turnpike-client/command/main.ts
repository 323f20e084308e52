import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { isClosedWhilePaused } from './closed-while-paused';
import { type CommandIo, EXIT } from './command';
import { printableLine } from './printable';
import { runCommandLine } from './run';
import { UsageError } from './usage-error';

/** Exit code that a shell reports after SIGPIPE. */
const CLOSED_PIPE = 141;
const NODE_MAJOR_MIN = 22;

for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(CLOSED_PIPE);
  });
}

process.on('uncaughtException', (error) => {
  if (isClosedWhilePaused(error)) return;
  process.stderr.write(`This is a fault of turnpike-client: ${printableLine(error.message)}\n`);
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

const io: CommandIo = {
  env: process.env,
  out: (output) => void process.stdout.write(output),
  err: (output) => void process.stderr.write(output),
  write: (bytes) => void process.stdout.write(bytes),
  askSecret: process.stdin.isTTY ? askSecret : null,
  readInput: () => text(process.stdin),
  signal: abort.signal,
};

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MAJOR_MIN)
  process.stderr.write(
    `turnpike-client needs Node ${NODE_MAJOR_MIN} or newer, and this is ${process.versions.node}: what follows may fail.\n`,
  );

process.exitCode = await runCommandLine(process.argv.slice(2), io);
// Exits explicitly, because keep-alive sockets would keep the process running. Flushes output first.
if (process.stdout.writableLength === 0) process.exit();
else process.stdout.once('drain', () => process.exit());
