import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS, until, untilEnded } from '../sandbox-under-test';
import { isRunning } from './folder-owner';
import { type GuardedChild, spawnGuarded } from './anvil-process';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

/** Closes the pipe that the guard reads, as the death of this process would. */
function loseParent(child: GuardedChild): void {
  (child.stdio[3] as Writable).destroy();
}

/**
 * Returns the running pids of the child's process group: the child and its guard. Reads /proc on Linux, because slim
 * containers lack `ps`.
 */
function group(child: GuardedChild): number[] {
  const pids =
    process.platform === 'linux'
      ? fs.readdirSync('/proc').filter((name) => groupInProc(name) === child.pid)
      : execFileSync('ps', ['-ax', '-o', 'pgid=,pid='], { encoding: 'utf8' })
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .filter(([pgid]) => Number(pgid) === child.pid)
          .map(([, pid]) => pid);
  return pids.map(Number).filter(isRunning);
}

function groupInProc(pid: string): number | undefined {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}

describe.skipIf(process.platform === 'win32')('spawnGuarded', () => {
  it('runs the program under the pid it reports, with its arguments unchanged', async () => {
    // The child runs until the test ends it. Otherwise, on a busy machine, the test could look at the group too late.
    const child = spawnGuarded(process.execPath, [
      '-e',
      'console.log(process.pid, process.argv[1]); setInterval(() => {}, 1000)',
      `a 'b' "$c" \\`,
    ]);
    expect(group(child)).toContain(child.pid);
    const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    expect(printed.trim()).toBe(`${child.pid} a 'b' "$c" \\`);
    child.kill();
    await once(child, 'exit');
  });

  it('leaves no guard behind when the program has ended by itself', async () => {
    const child = spawnGuarded('/bin/sh', ['-c', 'exit 3']);
    expect(await once(child, 'exit')).toEqual([3, null]);
    await until('the guard ends', () => group(child).length === 0);
  });

  it('ends the program with SIGTERM when its parent has gone, so that it can save what it has', async () => {
    const child = spawnGuarded(
      '/bin/sh',
      ['-c', 'trap "echo saved; exit 0" TERM; echo up; while :; do sleep 0.01; done'],
      60,
    );
    await once(child.stdout.setEncoding('utf8'), 'data');
    loseParent(child);
    expect(await once(child.stdout, 'data')).toEqual(['saved\n']);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('kills a program that does not heed it', async () => {
    const child = spawnGuarded('/bin/sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.2; done'], 1);
    await once(child.stdout, 'data');
    loseParent(child);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    await untilEnded(child.pid ?? 0);
  });
});
