import fs from 'node:fs';

/**
 * Whether a process with this id runs. One that has ended but was never reaped (an orphan in a
 * container whose first process does not do that) counts as ended, where the system can tell.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const state = stat.charAt(stat.lastIndexOf(')') + 2);
    return state === 'Z' || state === 'X';
  } catch {
    return true;
  }
}
