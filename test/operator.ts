import { join } from 'node:path';
import { describe } from 'vitest';
import { runCommandLine } from '@/lib/server/admin/command-line';
import { describeWithPostgres } from './postgres';
import { tempFolder } from './temp-folder';

/** A gateway's place, and the command line on it. */
export interface Operator {
  folder: string;
  dataDir: string;
  env: Readonly<Record<string, string>>;
  run(line: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** What a command says to a script. @throws Error where it fails */
  json(line: string): Promise<unknown>;
}

/** Tests of commands that do the same on SQLite and on Postgres. */
export function describeOperators(name: string, tests: (operator: () => Promise<Operator>) => void): void {
  describe(`${name}, on SQLite`, () => tests(() => Promise.resolve(operatorOf({}))));
  describeWithPostgres(`${name}, on Postgres`, (server) =>
    tests(async () => operatorOf({ DATABASE_URL: await server().createDatabase() })),
  );
}

/** The command line with this environment, on a data folder of its own. */
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
