import fs from 'node:fs';
import { UsageError } from './command-line.mjs';
import { allowGrace, signalNumber, spawnGroup, stopGroup } from './process-groups.mjs';
import { inRepository } from './repository.mjs';

/**
 * Options of the gateway's process. The benchmarks start each checkout with the options in that checkout.
 *
 * - glibc: returns freed blocks above 2 MiB to the system. By default, glibc raises this limit after the first large
 * block and keeps later blocks.
 * - V8: has a young generation of 64 MB from the start. By default, it starts at 1 MB. With the default, a gateway that
 * relays 200 chat streams uses 10 to 20 % more CPU time per event (`npm run bench -- chat-stream`).
 */
const LAUNCH = JSON.parse(fs.readFileSync(new URL('launch.json', import.meta.url), 'utf8'));

// Time that the gateway gets to exit after its own `stopWithinMs`.
const graceMarginMs = 3_000;

/**
 * Message that the gateway sends over its IPC channel once it is ready.
 *
 * @typedef {object} ReadyMessage
 * @property {'ready'} type
 * @property {string} url origin of the console and the API, without a trailing slash
 * @property {'sandbox' | 'live'} profile
 * @property {string | null} [demoKey] an API key with a balance; the sandbox only
 * @property {string | null} [sandboxUrl] origin of the simulators' own port on this machine; the sandbox only
 * @property {string | null} [exampleNetwork] slug of a network that answers
 * @property {number} [stopWithinMs] maximum time to stop, in milliseconds
 * @property {string[]} [standIns] slugs of the simulated networks
 */

/**
 * Starts the built gateway (`dist/server.mjs`) in production mode and waits until it is ready. The gateway ends when
 * this process ends in any way, because the gateway watches the IPC channel.
 *
 * @param {Record<string, string | undefined>} env settings added to this process's environment
 * @returns {Promise<{ready: ReadyMessage, child: import('node:child_process').ChildProcess, stop: () => Promise<void>,
 * ended: Promise<number>, printed: () => string, warnings: () => string}>} `ended` resolves to the exit code; `printed`
 * returns all output until now, `warnings` only standard error
 * @throws {UsageError} with the gateway's output and `exitCode`, if it ends before it is ready
 */
export async function startGateway(env) {
  const child = spawnGroup(process.execPath, [...LAUNCH.arguments, inRepository('dist/server.mjs')], {
    cwd: inRepository(),
    env: { ...LAUNCH.environment, ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  let warnings = '';
  child.stdout?.on('data', (/** @type {Buffer} */ chunk) => {
    output += chunk.toString('utf8');
  });
  child.stderr?.on('data', (/** @type {Buffer} */ chunk) => {
    output += chunk.toString('utf8');
    warnings += chunk.toString('utf8');
  });

  /** @type {Promise<number>} */
  const ended = new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? 128 + signalNumber(signal))),
  );
  /** @type {Promise<ReadyMessage>} */
  const readied = new Promise((resolve) => {
    child.on('message', (/** @type {ReadyMessage} */ message) => message?.type === 'ready' && resolve(message));
  });
  const ready = await Promise.race([readied, ended]);
  if (typeof ready === 'number') {
    throw Object.assign(new UsageError(output.trim() || `The gateway ended with code ${ready} before it was ready.`), {
      exitCode: ready,
    });
  }
  if (ready.stopWithinMs !== undefined) allowGrace(child, ready.stopWithinMs + graceMarginMs);
  return { ready, child, ended, printed: () => output, warnings: () => warnings, stop: () => stopGroup(child) };
}

/**
 * Prints the warnings of the gateway's start, and then all of its output.
 *
 * @param {Awaited<ReturnType<typeof startGateway>>} gateway
 */
export function showOutput({ child, warnings }) {
  process.stderr.write(warnings());
  child.stdout?.removeAllListeners('data').pipe(process.stdout, { end: false });
  child.stderr?.removeAllListeners('data').pipe(process.stderr, { end: false });
}
