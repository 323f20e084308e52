import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from './evm/folder-owner';
import type { SandboxLog } from './log';
import type { ReadyMessage } from './settings';

/** Shared by the sandbox's tests: the bundled process, folders and requests. */

/** Time limit of a test that starts processes on a busy machine. */
export const PATIENCE_MS = 30_000;

/**
 * Bundles the entry in the same way as the build. The file is under node_modules, so that its imports resolve. Each
 * test process has its own file.
 */
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

/** Registers a child, so that `endChildren` ends it even if the test fails. */
export function note<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

/** Ends all registered children and waits for them. */
export async function endChildren(): Promise<void> {
  const running = children.splice(0).filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'exit'))));
}

/** Starts the bundled process without an IPC channel. */
export async function startAlone(entryFile: string, dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: dataDir };
  const child = note(spawn(process.execPath, [entryFile], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as ReadyMessage;
  return { child, url };
}

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

export function anvilPid(dataDir: string, network: string): number {
  return Number(fs.readFileSync(path.join(dataDir, 'evm', network, 'anvil.pid'), 'utf8'));
}

/** Waits until `condition` holds. @throws {Error} that names `what`, after the timeout */
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
