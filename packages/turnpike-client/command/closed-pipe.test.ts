import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CLOSED_PIPE } from '@/lib/command-line/program';

vi.setConfig({ testTimeout: 60_000 });

// Inside the repository, so that Node finds the packages that are not bundled.
const folder = fs.mkdtempSync(path.join(process.cwd(), 'dist-closed-pipe-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs the command. Its reader leaves before the first output. */
async function unread(args: string[]) {
  const outfile = path.join(folder, 'main.mjs');
  await build({
    entryPoints: ['packages/turnpike-client/command/main.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    tsconfig: 'tsconfig.json',
    logLevel: 'silent',
  });
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd: os.tmpdir() });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

describe('turnpike-client whose output nobody reads any more', () => {
  it('ends without a stack, and not as if a check had failed', async () => {
    expect(await unread(['--help'])).toEqual({ code: CLOSED_PIPE, said: '' });
  });
});
