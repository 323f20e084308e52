import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './program';

const FOLDER = 'node_modules/.cache/agents';
const INSTALL_TIMEOUT_MS = 900_000;

/** Installs missing npm packages of the programs, without running install scripts. @returns their `node_modules` */
export async function install(programs: readonly Program[]): Promise<string> {
  const modules = resolve(FOLDER, 'node_modules');
  const wanted = new Map(programs.flatMap(({ packages }) => Object.entries(packages)));
  const missing = [...wanted].filter(([name, version]) => installedVersion(modules, name) !== version);
  if (missing.length === 0) return modules;
  process.stderr.write(`Installing ${missing.map((each) => each.join('@')).join(', ')} …\n`);
  mkdirSync(FOLDER, { recursive: true });
  const manifest = resolve(FOLDER, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true,"type":"module"}\n');
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--save-exact',
    ...missing.map(([name, version]) => `${name}@${version}`),
  ];
  await promisify(execFile)('npm', args, { cwd: FOLDER, timeout: INSTALL_TIMEOUT_MS });
  return modules;
}

function installedVersion(modules: string, name: string): string | null {
  const file = resolve(modules, name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}
