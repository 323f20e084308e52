import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { providePostgres } from './postgres-provision.mjs';

/** @param {string[]} programs @returns {string} a folder with these programs */
function folderWith(programs) {
  const folder = mkdtempSync(path.join(tmpdir(), 'turnpike-provision-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'bin'));
  for (const name of programs) {
    writeFileSync(path.join(folder, 'bin', name), '');
    chmodSync(path.join(folder, 'bin', name), 0o755);
  }
  return path.join(folder, 'bin');
}

test('a Postgres in PATH is taken, where both of its programs are there, and nothing is installed', async () => {
  const [half, whole] = [folderWith(['postgres']), folderWith(['initdb', 'postgres'])];
  vi.stubEnv('PATH', [half, whole].join(path.delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  const heard = vi.fn();
  expect(await providePostgres(heard)).toEqual({ folder: whole, origin: `installed, ${whole}` });
  expect(heard).not.toHaveBeenCalled();
});
