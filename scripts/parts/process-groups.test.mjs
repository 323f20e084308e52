import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, test, vi } from 'vitest';

import { endMarked, findMarked } from './process-census.mjs';
import { runToEnd, spawnGroup, stopGroup } from './process-groups.mjs';

// Starting Node on a busy machine takes its time, and so does waiting for what it leaves behind.
vi.setConfig({ testTimeout: 30_000 });

const node = process.execPath;
const sleeps = 'setInterval(() => {}, 1000)';

describe('a program that is run to its end', () => {
  test('gives its exit code and both its streams', async () => {
    const { code, output } = await runToEnd(node, ['-e', 'console.log("out"); console.error("err"); process.exit(7)']);
    expect(code).toBe(7);
    expect(output).toContain('out');
    expect(output).toContain('err');
  });

  test('gives the code that a shell gives for its signal', async () => {
    const { code, signal } = await runToEnd(node, ['-e', 'process.kill(process.pid, "SIGTERM")']);
    expect([code, signal]).toEqual([143, 'SIGTERM']);
  });

  test('cannot leave another running behind', async () => {
    const script = `const c = require('node:child_process').spawn(process.execPath, ['-e', '${sleeps}'], { stdio: 'ignore' }); c.unref(); console.log(c.pid)`;
    const { output, leftBehind } = await runToEnd(node, ['-e', script]);
    expect(leftBehind).toBe(true);
    expect(isAlive(Number(output))).toBe(false);
  });

  test('is an error if there is no such program', async () => {
    await expect(runToEnd('/nowhere/program', [])).rejects.toThrow('ENOENT');
  });
});

describe('stopping a program', () => {
  test('ends what it started as well', async () => {
    const script = `const c = require('node:child_process').spawn(process.execPath, ['-e', '${sleeps}'], { stdio: 'ignore' }); console.log(c.pid); ${sleeps}`;
    const child = spawnGroup(node, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const grandchild = Number(await new Promise((resolve) => child.stdout?.once('data', resolve)));
    expect(isAlive(grandchild)).toBe(true);
    await stopGroup(child);
    expect(isAlive(grandchild)).toBe(false);
  });

  test('ends one that does not listen, after the time of grace', async () => {
    const script = `process.on('SIGTERM', () => {}); console.log('deaf'); ${sleeps}`;
    const child = spawnGroup(node, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    await stopGroup(child, { graceMs: 100 });
    expect(await ended).toBe('SIGKILL');
  });
});

describe.runIf(process.platform === 'linux')('the census of processes', () => {
  test('finds one by the mark in its environment, wherever it has gone, and ends it', async () => {
    const mark = randomUUID();
    const child = spawnGroup(node, ['-e', sleeps], { stdio: 'ignore', env: { ...process.env, CENSUS_MARK: mark } });
    await expect.poll(() => findMarked('CENSUS_MARK', mark).map(({ pid }) => pid)).toEqual([child.pid]);
    expect(await endMarked('CENSUS_MARK', mark, 0)).toHaveLength(1);
    await expect.poll(() => findMarked('CENSUS_MARK', mark)).toEqual([]);
  });
});

/** @param {number} pid */
function isAlive(pid) {
  // Where nobody reaps the dead, they could still be signalled.
  if (process.platform === 'linux' && /\) [ZX] /.test(readStatus(pid))) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function readStatus(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
