import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../sandbox-under-test';
import { FolderOwner } from './folder-owner';
import { isRunning } from './process-liveness';
import { StateFile } from './state-file';

let state: StateFile;
let owner: FolderOwner;
const never = new AbortController().signal;
beforeEach(() => {
  state = new StateFile(temporaryFolder());
  owner = new FolderOwner(state);
  fs.writeFileSync(state.path, '{}');
});
afterEach(() => fs.rmSync(state.folder, { recursive: true }));

describe('FolderOwner', () => {
  it('lets nobody onto a folder whose process runs and writes, and names that process', async () => {
    await owner.set(process.pid);
    await expect(owner.waitUntilFree(never, 50)).rejects.toThrow(`process ${process.pid}`);
  });

  it('waits for a process that is about to end', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    await owner.set(pid);
    setTimeout(() => child.kill(), 100);
    await owner.waitUntilFree(never);
    expect(isRunning(pid)).toBe(false);
  });

  it('takes a pid for reused when nothing has written the state for long', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    fs.utimesSync(state.path, hourAgo, hourAgo);
    await owner.set(process.pid);
    await owner.waitUntilFree(never, 0);
  });

  it('gives up waiting when told to', async () => {
    await owner.set(process.pid);
    await expect(owner.waitUntilFree(AbortSignal.timeout(30))).rejects.toThrow(/abort/i);
  });

  it.each(['', 'nonsense\n', '-1\n', '0\n'])('takes a pid file of %j for none', async (text) => {
    fs.writeFileSync(`${state.folder}/anvil.pid`, text);
    await owner.waitUntilFree(never, 0);
  });
});
