import { isClosedWhilePaused } from '@/packages/turnpike-client/command/closed-while-paused';
import { runCommandLine } from '@/packages/turnpike-client/command/run';

/** A command line to run, or one to end. */
export type Order =
  | { type: 'run'; id: number; args: string[]; env: Record<string, string>; input: string }
  | { type: 'abort'; id: number };

/** What a command printed, and how it ended. */
export type Report =
  | { type: 'ready' }
  | { type: 'printed'; id: number; where: 'out' | 'err'; text: string }
  | { type: 'ended'; id: number; code: number };

/*
 * The process under attack: runs command lines of turnpike-client as its parent orders, many at once and one process
 * for all, so that whatever ends the process is seen. It survives what the command survives, and nothing else.
 */

const running = new Map<number, AbortController>();
const tell = (report: Report): void => void process.send?.(report);

process.on('message', (order: Order) => {
  if (order.type === 'abort') return running.get(order.id)?.abort();
  const { id, args, env, input } = order;
  const abort = new AbortController();
  running.set(id, abort);
  const printed =
    (where: 'out' | 'err') =>
    (text: string): void =>
      tell({ type: 'printed', id, where, text });
  const io = {
    env,
    signal: abort.signal,
    out: printed('out'),
    err: printed('err'),
    write: (bytes: Uint8Array) => printed('out')(new TextDecoder().decode(bytes)),
    askSecret: null,
    readInput: () => Promise.resolve(input),
  };
  void runCommandLine(args, io).then((code) => {
    running.delete(id);
    tell({ type: 'ended', id, code });
  });
});
process.on('uncaughtException', (error) => {
  if (!isClosedWhilePaused(error)) throw error;
});
process.once('disconnect', () => process.exit());
tell({ type: 'ready' });
