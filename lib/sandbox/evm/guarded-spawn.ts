import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Child process without input. The parent reads its output. */
export type GuardedChild = ChildProcessByStdio<null, Readable, Readable>;

/** Time between SIGTERM and SIGKILL, in seconds. */
const GRACE_SECONDS = 5;

/**
 * Shell script that forks a guard and then becomes the program (`exec`), so the child's pid is the program's.
 *
 * The guard blocks on file descriptor 3, a pipe from this process. A line means that the program has ended. EOF means
 * that this process has ended. A process in state Z counts as ended: some containers never reap orphans.
 */
const guard = (graceSeconds: number) => `
{
  read -r released <&3 && exit 0
  kill -TERM $$
  end=$(( $(date +%s) + ${graceSeconds} ))
  while kill -0 $$ && [ "$(date +%s)" -lt $end ]; do
    [ -r /proc/$$/stat ] && read -r stat </proc/$$/stat && case "$stat" in *') Z '*) exit 0 ;; esac
    sleep 0.05 || sleep 1
  done
  kill -KILL $$
} </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

/**
 * Starts a program that ends when this process ends, even by SIGKILL. A guard process then sends the program SIGTERM,
 * and SIGKILL after `graceSeconds` (whole seconds). The program has a separate process group, so that a Ctrl-C for this
 * process's group does not interrupt the program's writes.
 *
 * Each program costs one sleeping shell. Windows has no POSIX shell, so there the program ends only on request.
 */
export function spawnGuarded(
  program: string,
  args: readonly string[],
  graceSeconds: number = GRACE_SECONDS,
): GuardedChild {
  if (process.platform === 'win32')
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const child = spawn('/bin/sh', ['-c', guard(graceSeconds), 'sh', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const pipe = child.stdio[3] as Writable;
  // A write fails if the guard has been killed.
  pipe.on('error', () => undefined);
  child.once('exit', () => pipe.end('released\n'));
  return child;
}
