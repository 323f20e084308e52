import { UsageError } from './command-line.mjs';
import { allowGrace, signalNumber, spawnGroup, stopGroup } from './process-groups.mjs';
import { inRepository } from './repository.mjs';

// The gateway ends by itself when its time is over.
const graceMarginMs = 3_000;

/**
 * For glibc's allocator: large blocks are the system's own, so that it has them back when they are freed. By itself it
 * raises that bound with the first large block, and keeps what follows.
 */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: '2097152' };

/**
 * What the gateway says through its IPC channel when it can be used.
 *
 * @typedef {object} ReadyMessage
 * @property {'ready'} type
 * @property {string} url origin of the console and the API, without a trailing slash
 * @property {'sandbox' | 'live'} profile
 * @property {string | null} [demoKey] an API key with a balance; the sandbox only
 * @property {string | null} [sandboxUrl] origin of the stand-ins' own port on this machine; the sandbox only
 * @property {string | null} [exampleNetwork] slug of a network that answers
 * @property {number} [stopWithinMs] the longest that it takes to stop, in milliseconds
 * @property {string[]} [standIns] slugs of the networks that are not the real thing
 */

/**
 * Starts the built gateway (`dist/server.mjs`) in production mode and waits until
 * it can be used. It ends when this process does, however that ends: the gateway
 * watches its IPC channel.
 *
 * @param {Record<string, string | undefined>} env settings on top of this process's environment
 * @returns {Promise<{ready: ReadyMessage, child: import('node:child_process').ChildProcess, stop: () => Promise<void>,
 *   ended: Promise<number>, printed: () => string, warnings: () => string}>} `ended` resolves to the exit code; `printed` is
 *   its output so far, `warnings` what of it came on standard error
 * @throws {UsageError} with what the gateway printed, and its `exitCode`, if it ends before it is ready
 */
export async function startGateway(env) {
  const child = spawnGroup(process.execPath, ['--enable-source-maps', inRepository('dist/server.mjs')], {
    cwd: inRepository(),
    env: { ...ALLOCATION, ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env, NODE_ENV: 'production' },
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
 * From now on the gateway prints straight to this terminal; the warnings of its
 * start come first, the framework's own chatter is dropped.
 *
 * @param {Awaited<ReturnType<typeof startGateway>>} gateway
 */
export function showOutput({ child, warnings }) {
  process.stderr.write(warnings());
  child.stdout?.removeAllListeners('data').pipe(process.stdout, { end: false });
  child.stderr?.removeAllListeners('data').pipe(process.stderr, { end: false });
}
