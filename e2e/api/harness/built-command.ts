import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './repository-root';

/** The published form of `turnpike-client`, in its own folder. */
export interface BuiltCommand {
  /** Path of the program that Node runs. */
  program: string;
  remove(): void;
}

/** Builds only the command. @throws Error with the compiler's message */
export async function buildCommand(): Promise<BuiltCommand> {
  const folder = mkdtempSync(path.join(tmpdir(), 'turnpike-client-command-'));
  const building = `import { buildClientCommand } from './scripts/client-package.mjs'; await buildClientCommand(${JSON.stringify(folder)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', building], { cwd: repositoryRoot });
  return { program: path.join(folder, 'main.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
