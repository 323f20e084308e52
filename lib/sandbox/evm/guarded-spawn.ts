import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A child that reads nothing and whose output is read here. */
export type GuardedChild = ChildProcessByStdio<null, Readable, Readable>;

/** How long the guard gives the program to end by itself, seconds. */
const GRACE_SECONDS = 5;

/**
 * The shell becomes the program (`exec`), so the child's pid is the program's and no process stands
 * between. Before that it forks the guard, which blocks on a pipe from this process (3): a line says
 * that the program has ended, the pipe's end that this process has. An orphan that nobody reaps
 * (Z, in containers whose first process does not) has ended too.
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
 * Starts a program that cannot outlive this process, even one ended by SIGKILL: it then gets SIGTERM,
 * and SIGKILL after `graceSeconds` (whole ones, at most). It has a process group of its own, so that signals meant
 * for this process's group (a Ctrl-C, a SIGKILL) do not cut short what it writes.
 *
 * Costs one sleeping shell a program. Where there is no POSIX shell (Windows), the program is
 * started plainly and ends only when it is told to.
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
  // The guard may be gone already, ended by hand.
  pipe.on('error', () => undefined);
  child.once('exit', () => pipe.end('released\n'));
  return child;
}
