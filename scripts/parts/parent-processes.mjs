import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { LAUNCHER_VARIABLE } from './pinned-node.mjs';

const checkMs = 1000;

// Removes the variable from the environment after reading it, because the parent of this command's children is this
// command.
const launcher = Number(process.env[LAUNCHER_VARIABLE]) || undefined;
delete process.env[LAUNCHER_VARIABLE];

/**
 * Calls `gone` once when the parent of this command ends before the command. The parent is npm or the Node that handed
 * the command over. npm runs a command through a shell, so the command would keep running after npm was killed. Does
 * nothing without such a parent.
 *
 * @param {() => void} gone
 */
export function watchParents(gone) {
  const npm = process.env.npm_lifecycle_event ? findNpm() : undefined;
  const watched = [npm, launcher].filter((pid) => pid !== undefined);
  if (watched.length === 0) return;
  const timer = setInterval(() => {
    if (watched.every(isAlive)) return;
    clearInterval(timer);
    gone();
  }, checkMs);
  timer.unref();
}

/**
 * Searches three generations of parents, because a shell and another Node process may be between npm and this command.
 * @returns {number | undefined}
 */
function findNpm() {
  let pid = process.ppid;
  for (let generation = 0; generation < 3 && pid > 1; generation += 1) {
    const found = describe(pid);
    if (!found) return undefined;
    if (/^npm\b|npm-cli\.js/.test(found.command)) return pid;
    pid = found.parent;
  }
  return undefined;
}

/** @param {number} pid @returns {{parent: number, command: string} | undefined} */
function describe(pid) {
  try {
    // The process name is in parentheses and may contain parentheses and spaces.
    const status = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
    return {
      parent: Number(status[1]),
      command: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    };
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  }
  const listed = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const match = /^\s*(\d+)\s+(.*)$/m.exec(listed.stdout ?? '');
  return match ? { parent: Number(match[1]), command: match[2] ?? '' } : undefined;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
