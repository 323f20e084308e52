import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Finds processes by an environment variable that children inherit, even if they left their parent's process group.
 * Returns none on systems other than Linux.
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
 * Lists the running processes of a group, without zombies. Works only on Linux.
 *
 * @param {number} group
 * @returns {number[]}
 */
export function livingMembers(group) {
  return listProcesses().filter((pid) => {
    // Format: pid (name) state parent group …. The name may contain parentheses and spaces.
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
 * Waits up to `patienceMs` until no marked process runs. Then kills those that still run.
 *
 * @param {string} name
 * @param {string} value
 * @param {number} patienceMs
 * @returns {Promise<string[]>} command lines of the killed processes
 */
export async function endMarked(name, value, patienceMs) {
  const untilMs = performance.now() + patienceMs;
  while (findMarked(name, value).length > 0 && performance.now() < untilMs) await sleep(200);
  const left = findMarked(name, value);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
  return left.map(({ pid, command }) => `${pid} ${command}`);
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // The process has ended or belongs to another user.
    return '';
  }
}
