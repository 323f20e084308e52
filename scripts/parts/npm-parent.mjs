import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const checkMs = 1000;

/**
 * Calls `gone` once when the npm that started this command has ended without it:
 * npm runs a command through a shell, and a kill of npm leaves both running. Does
 * nothing for a command that npm did not start.
 *
 * @param {() => void} gone
 */
export function watchNpm(gone) {
  const npm = process.env.npm_lifecycle_event ? findNpm() : undefined;
  if (npm === undefined) return;
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    gone();
  }, checkMs);
  timer.unref();
}

/** The parent, or, where the shell stays in between, its parent. @returns {number | undefined} */
function findNpm() {
  let pid = process.ppid;
  for (let generation = 0; generation < 2 && pid > 1; generation += 1) {
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
    // The name in brackets may itself hold brackets and blanks.
    const status = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
    return { parent: Number(status[1]), command: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
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
