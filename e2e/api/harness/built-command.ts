import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './repository-root';

/** `turnpike-client` as it is published, in a folder of its own. */
export interface BuiltCommand {
  /** The program that Node is given. */
  program: string;
  remove(): void;
}

/** Builds the command beside nothing else. @throws Error with the compiler's words */
export async function buildCommand(): Promise<BuiltCommand> {
  const folder = mkdtempSync(path.join(tmpdir(), 'turnpike-client-command-'));
  const building = `import { buildClientCommand } from './scripts/client-package.mjs'; await buildClientCommand(${JSON.stringify(folder)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', building], { cwd: repositoryRoot });
  return { program: path.join(folder, 'main.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
