import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from './evm/process-liveness';
import type { SandboxLog } from './log';
import type { ReadyMessage } from './settings';

/** What the tests of the sandbox share: the bundled process, folders, and questions to ask. */

/** What a test that starts processes may take on a machine that is busy with others. */
export const PATIENCE_MS = 30_000;

/** Bundles the entry as the build does, to a file of this test process's own within reach of the packages. */
export async function bundleSandbox(): Promise<string> {
  const outfile = path.resolve(`node_modules/.cache/sandbox-under-test/${process.pid}-${Date.now()}.mjs`);
  const bundling = `import('./scripts/bundle.mjs').then(({ bundleTo }) => bundleTo({ file: 'lib/sandbox/process.ts' }, ${JSON.stringify(outfile)}))`;
  await promisify(execFile)(process.execPath, ['-e', bundling]);
  return outfile;
}

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-sandbox-'));
}

const children: ChildProcess[] = [];

/** Notes a child, so that `endChildren` ends it even where the test that started it fails. */
export function note<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

/** Ends whatever noted children still run, and waits until they have. */
export async function endChildren(): Promise<void> {
  const running = children.splice(0).filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'exit'))));
}

/** Starts the bundled process as a test or a script would: alone, without a channel. */
export async function startAlone(entryFile: string, dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: dataDir };
  const child = note(spawn(process.execPath, [entryFile], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as ReadyMessage;
  return { child, url };
}

/** A log that keeps its lines. */
export function recordingLog(): SandboxLog & { lines: string[]; warnings: string[] } {
  const lines: string[] = [];
  const warnings: string[] = [];
  return { lines, warnings, info: (line) => void lines.push(line), warn: (line) => void warnings.push(line) };
}

export async function callRpc(
  url: string,
  network: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const answer = await fetch(`${url}/evm/${network}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await answer.json()) as { result?: unknown }).result;
}

/** The process that runs on a network's folder. */
export function anvilPid(dataDir: string, network: string): number {
  return Number(fs.readFileSync(path.join(dataDir, 'evm', network, 'anvil.pid'), 'utf8'));
}

/** Waits until `condition` holds. @throws {Error} naming what did not happen */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`It did not happen within ${timeoutMs} ms: ${what}`);
    await sleep(10);
  }
}

export function untilEnded(pid: number, timeoutMs?: number): Promise<void> {
  return until(`process ${pid} ends`, () => !isRunning(pid), timeoutMs);
}
