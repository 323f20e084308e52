import { spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { watchParents } from './parent-processes.mjs';
import { livingMembers } from './process-census.mjs';

/**
 * Children of a command, each the leader of a process group of its own: a
 * Ctrl-C of the terminal then reaches only the command, which stops its
 * children in order, and what a child started can be ended with it.
 */

const ownGroup = process.platform !== 'win32';
// Longer than the gateway lets running calls finish.
const defaultGraceMs = 15_000;
const leftoverGraceMs = 2_000;
// A signal to the whole group, as a terminal and systemd send it, also reaches npm, a shell and the Node that handed
// over, each of which passes it on: what comes within this time is the same signal.
const echoedSignalMs = 1_000;

/**
 * The children that run, and how long each may take to stop.
 *
 * @type {Map<import('node:child_process').ChildProcess, number>}
 */
const running = new Map();
let stopping = false;

/** Whether a stop signal came: what fails from then on fails because of it. */
export function isStopping() {
  return stopping;
}

/**
 * Starts a program in a process group of its own and remembers it until it ends.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'env'> & {env?: Record<string, string | undefined>}} [options]
 */
export function spawnGroup(program, args, { env = process.env, ...options } = {}) {
  const child = spawn(program, args, { detached: ownGroup, ...options, env: /** @type {NodeJS.ProcessEnv} */ (env) });
  running.set(child, defaultGraceMs);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * From now on a child that runs gets this long to stop, where nobody says otherwise.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs
 */
export function allowGrace(child, graceMs) {
  if (running.has(child)) running.set(child, graceMs);
}

/**
 * Runs a program to its end and collects what it printed, both streams in the
 * order they came.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string | undefined>, cwd?: string, onLine?: (line: string) => void}} [options]
 *   `onLine` hears every line as it comes
 * @returns {Promise<{code: number, signal: NodeJS.Signals | null, output: string, leftBehind: boolean}>}
 *   `leftBehind` tells that the program had started others and left them running; they have been ended
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
 * Stops a child and everything in its group: SIGTERM, then SIGKILL after `graceMs`, which is what `allowGrace` allowed
 * it unless given.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {{graceMs?: number, signal?: NodeJS.Signals}} [options]
 */
export async function stopGroup(child, { graceMs = running.get(child) ?? defaultGraceMs, signal = 'SIGTERM' } = {}) {
  if (child.pid === undefined) return;
  const ended = child.exitCode !== null || child.signalCode !== null;
  if (!ended) {
    // Only the leader: it knows in which order its own children stop.
    child.kill(signal);
    const overdue = await Promise.race([
      new Promise((resolve) => child.once('exit', () => resolve(false))),
      sleep(graceMs, true, { ref: false }),
    ]);
    if (overdue) signalGroup(child.pid, 'SIGKILL');
  }
  await endLeftovers(child.pid);
}

/** Stops every child that is still running. */
export async function stopAllGroups() {
  await Promise.all([...running.keys()].map((child) => stopGroup(child)));
}

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP, and when what
 * started this command has gone. A second signal, a second or more later, is from somebody who does not want to wait:
 * the groups are killed. Echoes of the first are no second one, and neither is the end of npm, which the first ends too.
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

/**
 * Ends the command on a stop signal: all children first, then itself with the
 * code a shell gives for that signal.
 */
export function endOnStopSignal() {
  onStopSignal(async (signal) => {
    await stopAllGroups();
    process.exit(128 + signalNumber(signal));
  });
}

/**
 * Ends what is left of a group after its leader has gone; a browser's helpers
 * get a moment to end by themselves.
 *
 * @param {number | undefined} pid
 * @returns {Promise<boolean>} whether something had to be ended
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
  // The dead count as members until somebody reaps them, which in a container may be nobody.
  return process.platform !== 'linux' || livingMembers(pid).length > 0;
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals | 0} signal
 * @returns whether the group had a process that could be told
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
