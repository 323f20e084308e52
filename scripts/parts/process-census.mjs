import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Finds processes by a mark in the environment that they inherited, so also those
 * that left their parent's group. Linux only; elsewhere it finds none.
 *
 * @param {string} name of the environment variable
 * @param {string} value
 * @returns {{pid: number, command: string}[]} without this process
 */
export function findMarked(name, value) {
  if (process.platform !== 'linux') return [];
  const mark = `${name}=${value}`;
  return listProcesses()
    .filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

/**
 * The processes of a group that still run, without the dead that nobody has
 * reaped. Linux only.
 *
 * @param {number} group
 * @returns {number[]}
 */
export function livingMembers(group) {
  return listProcesses().filter((pid) => {
    // pid (name) state parent group …, and the name may itself hold brackets and blanks.
    const [state, , itsGroup] = read(`/proc/${pid}/stat`)
      .replace(/^.*\)\s*/s, '')
      .split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  });
}

/** @returns {number[]} */
function listProcesses() {
  return fs
    .readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

/**
 * Waits until no marked process is left; ends those that stay.
 *
 * @param {string} name
 * @param {string} value
 * @param {number} patienceMs
 * @returns {Promise<string[]>} the command lines of those that had to be ended
 */
export async function endMarked(name, value, patienceMs) {
  const untilMs = performance.now() + patienceMs;
  while (findMarked(name, value).length > 0 && performance.now() < untilMs) await sleep(200);
  const left = findMarked(name, value);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  return left.map(({ pid, command }) => `${pid} ${command}`);
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // It ended, or belongs to somebody else.
    return '';
  }
}
