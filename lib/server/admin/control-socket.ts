import { chmodSync, mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';

/** What a gateway says to a command: what became of it. */
const answerSchema = z.object({ ok: z.boolean(), message: z.string().max(100_000), changed: z.array(z.string()).max(10_000), faults: z.array(z.string()).max(10_000) });
export type ControlAnswer = z.output<typeof answerSchema>;

/** A gateway that runs, and what it answered; null where it did not. */
export interface Answered {
  pid: number;
  answer: ControlAnswer | null;
}

const NAME = /^control-(\d{1,10})\.sock$/;
const QUESTION_BYTES_MAX = 100;
const ANSWER_BYTES_MAX = 1024 * 1024;
const PATIENCE_MS = 5_000;
/** Of the path of a socket (unix(7), sun_path), its last byte aside. */
const PATH_BYTES_MAX = 103;

/**
 * Listens in the data folder for the operator's commands, as a socket that only this user can open. The one command is
 * `reload`.
 * @returns null where the folder's path is too long for a socket.
 */
export async function listenForCommands(dataDir: string, reload: () => Promise<ControlAnswer>): Promise<{ close(): Promise<void> } | null> {
  const path = join(dataDir, `control-${process.pid}.sock`);
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return null;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  remove(path);
  const server = createServer((socket) => {
    let question = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      question += chunk.toString('utf8');
      if (question.length > QUESTION_BYTES_MAX) socket.destroy();
      else if (question.endsWith('\n')) void answerTo(question.trim(), reload).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  });
  await listening(server, path);
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        remove(path);
      }),
  };
}

async function answerTo(question: string, reload: () => Promise<ControlAnswer>): Promise<ControlAnswer> {
  if (question === 'reload') return reload();
  return { ok: false, message: 'This gateway does not know that command.', changed: [], faults: [] };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
}

/** Has every gateway on a data folder do a command. Sockets that gateways left behind are removed. */
export async function askGateways(dataDir: string, command: 'reload'): Promise<Answered[]> {
  const pids = namesIn(dataDir).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const answered = await Promise.all(pids.map((pid) => askGateway(join(dataDir, `control-${pid}.sock`), command).then((answer) => ({ pid: Number(pid), answer }))));
  return answered.flatMap(({ pid, answer }) => (answer === 'gone' ? [] : [{ pid, answer }]));
}

function askGateway(path: string, command: string): Promise<ControlAnswer | 'gone' | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path, () => socket.write(`${command}\n`));
    socket.setTimeout(PATIENCE_MS * 2, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.length > ANSWER_BYTES_MAX) socket.destroy();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ECONNREFUSED' && code !== 'ENOENT') return;
      remove(path);
      resolve('gone');
    });
    socket.on('close', () => resolve(read(text)));
  });
}

function read(text: string): ControlAnswer | null {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function namesIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir);
  } catch {
    return [];
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is not there.
  }
}
