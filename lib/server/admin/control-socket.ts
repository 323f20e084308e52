import { mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { GatewayFigures } from '@/lib/protocol/operator-figures';

/** The gateway's answer to `reload`. */
export const controlAnswerSchema = z.object({
  ok: z.boolean(),
  message: z.string().max(100_000),
  changed: z.array(z.string()).max(10_000),
  faults: z.array(z.string()).max(10_000),
});
export type ControlAnswer = z.output<typeof controlAnswerSchema>;

export interface Commands {
  reload(): Promise<ControlAnswer>;
  status(): GatewayFigures;
}

/** A running gateway and its answer. The answer is null if none arrived or if this release cannot parse it. */
export interface Answered<T> {
  pid: number;
  answer: T | null;
}

const NAME = /^control-(\d{1,10})\.sock$/;
const QUESTION_BYTES_MAX = 100;
const ANSWER_BYTES_MAX = 1024 * 1024;
const PATIENCE_MS = 5_000;
/** A reload may wait for lists of models. */
const ANSWER_MS = { status: 10_000, reload: 30_000 };
/** Maximum bytes of a Unix socket's path on macOS, without the terminating zero. Linux allows 107. */
const PATH_BYTES_MAX = 103;

/**
 * Listens in the data folder for the operator's commands, on a socket that only this user can open.
 * @returns null if the folder's path is too long for a socket
 */
export async function listenForCommands(
  dataDir: string,
  commands: Commands,
): Promise<{ close(): Promise<void> } | null> {
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
      else if (question.endsWith('\n')) {
        socket.setTimeout(0);
        answerTo(question.trim(), commands).then(
          (answer) => socket.end(`${JSON.stringify(answer)}\n`),
          () => socket.destroy(),
        );
      }
    });
  });
  await listening(server, path);
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        remove(path);
      }),
  };
}

async function answerTo(question: string, { reload, status }: Commands): Promise<ControlAnswer | GatewayFigures> {
  if (question === 'reload') return reload();
  if (question === 'status') return status();
  return { ok: false, message: 'This gateway does not support that command.', changed: [], faults: [] };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The umask makes the new socket private from the start. With a later chmod instead, other users could connect
    // first.
    const umask = process.umask(0o177);
    server.listen(path, () => resolve());
    process.umask(umask);
  });
}

/** Sends a command to every gateway that uses a data folder. Removes sockets of gateways that have ended. */
export async function askGateways<T>(
  dataDir: string,
  command: keyof Commands,
  schema: z.ZodType<T>,
): Promise<Answered<T>[]> {
  const pids = namesIn(dataDir).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const answered = await Promise.all(
    pids.map((pid) =>
      askGateway(join(dataDir, `control-${pid}.sock`), command, schema).then((answer) => ({
        pid: Number(pid),
        answer,
      })),
    ),
  );
  return answered.flatMap(({ pid, answer }) => (answer === 'gone' ? [] : [{ pid, answer }]));
}

function askGateway<T>(path: string, command: keyof Commands, schema: z.ZodType<T>): Promise<T | 'gone' | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path, () => socket.write(`${command}\n`));
    socket.setTimeout(ANSWER_MS[command], () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.length > ANSWER_BYTES_MAX) socket.destroy();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ECONNREFUSED' && code !== 'ENOENT') return;
      remove(path);
      resolve('gone');
    });
    socket.on('close', () => resolve(read(text, schema)));
  });
}

function read<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text));
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
    // The socket does not exist.
  }
}
