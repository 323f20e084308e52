import { isClosedWhilePaused } from '@/packages/turnpike-client/command/closed-while-paused';
import { runCommandLine } from '@/packages/turnpike-client/command/run';

/** Orders to start or abort a command line. */
export type Order =
  | { type: 'run'; id: number; args: string[]; env: Record<string, string>; input: string }
  | { type: 'abort'; id: number };

export type Report =
  | { type: 'ready' }
  | { type: 'printed'; id: number; where: 'out' | 'err'; text: string }
  | { type: 'ended'; id: number; code: number };

/*
 * Process under attack. Runs many command lines of turnpike-client in parallel in one process, so that an attack that
 * ends the process is noticed. Survives only errors that the command itself survives.
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
    readLines: async function* () {},
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
