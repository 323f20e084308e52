import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CLOSED_PIPE, endAtClosedPipe } from './closed-pipe';

vi.setConfig({ testTimeout: 60_000 });

// Inside the repository, so that Node finds the packages that are not bundled.
const folder = fs.mkdtempSync(path.join(process.cwd(), 'dist-closed-pipe-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs a command whose reader leaves before the first output. */
async function unread(command: string, args: string[]) {
  const outfile = path.join(folder, `${command}.mjs`);
  await build({
    entryPoints: [`commands/${command}/main.ts`],
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

describe('a command whose output nobody reads any more', () => {
  it.each(['private-chat', 'verify-attestation'])(
    '%s ends without a stack, and not as if a check had failed',
    async (command) => {
      expect(await unread(command, ['--help'])).toEqual({ code: CLOSED_PIPE, said: '' });
    },
  );

  it('still fails for another fault of its output', () => {
    const output = new PassThrough();
    const ends: number[] = [];
    endAtClosedPipe([output], (code) => ends.push(code));
    expect(() => output.emit('error', Object.assign(new Error('disk full'), { code: 'ENOSPC' }))).toThrow('disk full');
    output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(ends).toEqual([CLOSED_PIPE]);
  });
});
