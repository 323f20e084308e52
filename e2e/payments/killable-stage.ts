import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bundleTo } from '@/test/bundle-program';
import type { StageSettings } from './stage-gateway';

/** Bundles the process once for each test file. @returns the bundle's path */
export async function bundleStage(): Promise<string> {
  const outfile = path.resolve(`node_modules/.cache/payments-stage/${process.pid}-${Date.now()}.mjs`);
  await bundleTo({ file: 'e2e/payments/stage-process.ts' }, outfile);
  return outfile;
}

/** A gateway that can be killed at any time and restarted with its data. */
export class KillableStage {
  #child: ChildProcess | null = null;
  origin = '';

  constructor(
    private readonly entryFile: string,
    /** Settings for the next start. */
    readonly settings: StageSettings,
  ) {}

  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.entryFile], {
      env: { ...process.env, STAGE: JSON.stringify(this.settings) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#child = child;
    if (!child.stdout) throw new Error('The stage has no output.');
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('http://')) continue;
      this.origin = line;
      child.stdout.resume();
      return;
    }
    throw new Error('The stage did not start.');
  }

  /** Kills the process with SIGKILL, so that it cannot write or close anything. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
