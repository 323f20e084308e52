import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../sandbox-under-test';
import { FolderOwner, isRunning } from './folder-owner';

let folder: string;
let owner: FolderOwner;
const never = new AbortController().signal;
beforeEach(() => {
  folder = temporaryFolder();
  owner = new FolderOwner(folder);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

describe('FolderOwner', () => {
  it('lets nobody onto a folder whose process runs, and names that process', async () => {
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

  it('takes a pid for reused when nobody has said for long that it runs', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000);
    await owner.set(process.pid);
    fs.utimesSync(`${folder}/anvil.pid`, hourAgo, hourAgo);
    await owner.waitUntilFree(never, 0);
    await owner.touch();
    await expect(owner.waitUntilFree(never, 0)).rejects.toThrow(`process ${process.pid}`);
  });

  it('gives up waiting when told to', async () => {
    await owner.set(process.pid);
    await expect(owner.waitUntilFree(AbortSignal.timeout(30))).rejects.toThrow(/abort/i);
  });

  it.each(['', 'nonsense\n', '-1\n', '0\n'])('takes a pid file of %j for none', async (text) => {
    fs.writeFileSync(`${folder}/anvil.pid`, text);
    await owner.waitUntilFree(never, 0);
  });
});
