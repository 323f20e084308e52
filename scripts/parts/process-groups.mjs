import { spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { watchParents } from './parent-processes.mjs';
import { livingMembers } from './process-census.mjs';

/**
 * Each child leads its own process group. Ctrl-C therefore reaches only this command, which stops its children in
 * order. A signal to a child's group also ends the processes that this child has started.
 */

const ownGroup = process.platform !== 'win32';
// Longer than the time for which the gateway waits for running calls.
const defaultGraceMs = 15_000;
const leftoverGraceMs = 2_000;
// A terminal or systemd sends a signal to the whole group. npm, a shell and the parent Node then pass the same signal
// on. Signals within this time count as one signal.
const echoedSignalMs = 1_000;

/**
 * Running children with their time limits to stop.
 *
 * @type {Map<import('node:child_process').ChildProcess, number>}
 */
const running = new Map();
let stopping = false;

/** Returns whether a stop signal has arrived. Failures after a stop signal are expected. */
export function isStopping() {
  return stopping;
}

/**
 * Starts a program in its own process group and tracks it until it ends.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'env'> & {env?: Record<string, string | undefined>}}
 * [options]
 */
export function spawnGroup(program, args, { env = process.env, ...options } = {}) {
  const child = spawn(program, args, { detached: ownGroup, ...options, env: /** @type {NodeJS.ProcessEnv} */ (env) });
  running.set(child, defaultGraceMs);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Sets how long `stopGroup` waits for a running child.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs
 */
export function allowGrace(child, graceMs) {
  if (running.has(child)) running.set(child, graceMs);
}

/**
 * Runs a program to its end. Collects standard output and standard error in order of arrival.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, cwd?: string, onLine?: (line: string) => void}} [options] `onLine`
 * gets the last line of each chunk
 * @returns {Promise<{code: number, signal: NodeJS.Signals | null, output: string, leftBehind: boolean}>} `leftBehind`:
 * the program left other processes running, which `runToEnd` has killed
 */
export function runToEnd(program, args, { env, cwd, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnGroup(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    /** @param {Buffer} chunk */
    const collect = (chunk) => {
      const text = chunk.toString('utf8');
      output += text;
      const line = text.split('\n').findLast((part) => part.trim() !== '');
      if (line) onLine?.(line);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', reject);
    child.once('exit', async (code, signal) => {
      const leftBehind = await endLeftovers(child.pid);
      resolve({ code: code ?? 128 + signalNumber(signal), signal, output, leftBehind });
    });
  });
}

/**
 * Stops a child and its whole group: SIGTERM, then SIGKILL after `graceMs`, which by default is the time set by
 * `allowGrace`.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {{graceMs?: number, signal?: NodeJS.Signals}} [options]
 */
export async function stopGroup(child, { graceMs = running.get(child) ?? defaultGraceMs, signal = 'SIGTERM' } = {}) {
  if (child.pid === undefined) return;
  const ended = child.exitCode !== null || child.signalCode !== null;
  if (!ended) {
    // Signals only the leader, because the leader stops its own children in order.
    child.kill(signal);
    const overdue = await Promise.race([
      new Promise((resolve) => child.once('exit', () => resolve(false))),
      sleep(graceMs, true, { ref: false }),
    ]);
    if (overdue) signalGroup(child.pid, 'SIGKILL');
  }
  await endLeftovers(child.pid);
}

export async function stopAllGroups() {
  await Promise.all([...running.keys()].map((child) => stopGroup(child)));
}

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP, or when this command's parent ends. A second signal, at least 1
 * s later, kills the groups. Ignores repetitions of the first signal by other processes, and npm's end after that
 * signal.
 *
 * @param {(signal: NodeJS.Signals) => Promise<void> | void} stop
 */
export function onStopSignal(stop) {
  let firstMs = 0;
  /** @param {NodeJS.Signals} signal */
  const hear = (signal) => {
    const nowMs = performance.now();
    if (!stopping) {
      stopping = true;
      firstMs = nowMs;
      void stop(signal);
    } else if (nowMs - firstMs > echoedSignalMs) {
      for (const child of running.keys()) signalGroup(child.pid, 'SIGKILL');
    }
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => hear(signal));
  }
  watchParents(() => {
    if (!stopping) hear('SIGTERM');
  });
}

/** On a stop signal, stops all children and exits with a shell's exit code for that signal. */
export function endOnStopSignal() {
  onStopSignal(async (signal) => {
    await stopAllGroups();
    process.exit(128 + signalNumber(signal));
  });
}

/**
 * Ends the processes that remain in a group after its leader. Waits first, because a browser's helpers end slightly
 * later.
 *
 * @param {number | undefined} pid
 * @returns {Promise<boolean>} true if a process was still running
 */
async function endLeftovers(pid) {
  if (pid === undefined || !ownGroup || (await groupEnds(pid))) return false;
  signalGroup(pid, 'SIGTERM');
  if (!(await groupEnds(pid))) signalGroup(pid, 'SIGKILL');
  return true;
}

/** @param {number} pid @returns {Promise<boolean>} whether the group is empty within `leftoverGraceMs` */
async function groupEnds(pid) {
  const untilMs = performance.now() + leftoverGraceMs;
  while (groupIsAlive(pid)) {
    if (performance.now() > untilMs) return false;
    await sleep(100);
  }
  return true;
}

/** @param {number} pid of the leader */
function groupIsAlive(pid) {
  if (!signalGroup(pid, 0)) return false;
  // On Linux, does not count zombies, because some containers never reap them.
  return process.platform !== 'linux' || livingMembers(pid).length > 0;
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns whether the group has a process that accepts the signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return false;
  try {
    process.kill(ownGroup ? -pid : pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** @param {NodeJS.Signals | null} signal */
export function signalNumber(signal) {
  return signal ? os.constants.signals[signal] : 0;
}
