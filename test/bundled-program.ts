import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleTo } from './bundle-program';

const ROOT = resolve(import.meta.dirname, '..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program of this repository, bundled as the scripts bundle it, to run in processes of its own. */
export class BundledProgram {
  private constructor(
    private readonly folder: string,
    private readonly file: string,
  ) {}

  /** @param source the entry: a file, or the text of a module that imports by `@/…`. */
  static async make(source: { file: string } | { text: string }): Promise<BundledProgram> {
    // Inside node_modules, so that the packages that stay outside the bundle are found.
    const cache = join(ROOT, 'node_modules', '.cache', 'tests');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'program-'));
    const file = join(folder, 'program.mjs');
    await bundleTo(source, file);
    return new BundledProgram(folder, file);
  }

  /** Starts it with these arguments, in an environment of nothing but PATH and what is given. */
  start(args: readonly string[], env: Record<string, string> = {}, cwd: string = this.folder): ChildProcess {
    return spawn(process.execPath, [this.file, ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
    });
  }

  /** Runs it to its end. */
  run(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Ended> {
    const child = this.start(args, env, cwd);
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
