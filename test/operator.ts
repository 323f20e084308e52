import { join } from 'node:path';
import { describe } from 'vitest';
import { runCommandLine } from '@/lib/server/admin/command-line';
import { describeWithPostgres } from './postgres';
import { tempFolder } from './temp-folder';

/** Gateway folder and its command line. */
export interface Operator {
  folder: string;
  dataDir: string;
  env: Readonly<Record<string, string>>;
  run(line: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Returns a command's JSON output. @throws Error if the command fails */
  json(line: string): Promise<unknown>;
}

/** Runs tests of commands on both SQLite and Postgres. */
export function describeOperators(name: string, tests: (operator: () => Promise<Operator>) => void): void {
  describe(`${name}, on SQLite`, () => tests(() => Promise.resolve(operatorOf({}))));
  describeWithPostgres(`${name}, on Postgres`, (server) =>
    tests(async () => operatorOf({ DATABASE_URL: await server().createDatabase() })),
  );
}

/** Returns the command line with this environment and its own data folder. */
export function operatorOf(environment: Readonly<Record<string, string>>): Operator {
  const folder = tempFolder();
  const dataDir = join(folder, 'data');
  const env = { TURNPIKE_DATA_DIR: dataDir, ...environment };
  const run = async (line: string) => {
    let stdout = '';
    let stderr = '';
    const code = await runCommandLine(line.split(' ').filter(Boolean), {
      env,
      cwd: folder,
      out: (text) => (stdout += text),
      err: (text) => (stderr += text),
    });
    return { code, stdout, stderr };
  };
  const json = async (line: string): Promise<unknown> => {
    const { code, stdout, stderr } = await run(`${line} --json`);
    if (code !== 0 || stderr !== '') throw new Error(`exit ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  return { folder, dataDir, env, run, json };
}
