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

/** Program of this repository that runs in separate processes. It is bundled in the same way as by the scripts. */
export class BundledProgram {
  private constructor(
    private readonly folder: string,
    private readonly file: string,
  ) {}

  /** @param source entry: a file, or the text of a module that imports by `@/…` */
  static async make(source: { file: string } | { text: string }): Promise<BundledProgram> {
    // The folder is inside node_modules, so that Node can resolve the packages that are not bundled.
    const cache = join(ROOT, 'node_modules', '.cache', 'tests');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'program-'));
    const file = join(folder, 'program.mjs');
    await bundleTo(source, file);
    return new BundledProgram(folder, file);
  }

  /** Starts the program with these arguments, in an environment with only PATH, NODE_ENV and `env`. */
  start(args: readonly string[], env: Record<string, string> = {}, cwd: string = this.folder): ChildProcess {
    return spawn(process.execPath, [this.file, ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
    });
  }

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
