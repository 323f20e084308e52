import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { endMarked, findMarked } from './process-census.mjs';
import { runToEnd, spawnGroup, stopGroup } from './process-groups.mjs';

// Starting Node is slow on a busy machine.
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

describe.runIf(process.platform !== 'win32')('a command that npm runs, in a group of its own', () => {
  /** @type {{folder: string, group: number}[]} */
  const started = [];

  afterEach(() => {
    for (const { folder, group } of started.splice(0)) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch {
        // The group has already ended.
      }
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  /**
   * Runs `npm start` with a launcher whose child takes `needsMs` to end.
   *
   * @param {{needsMs: number, graceMs: number}} times
   */
  async function npmStart({ needsMs, graceMs }) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'groups-'));
    const child = `console.log('up'); process.on('SIGTERM', () => setTimeout(() => { console.log('finished'); process.exit(0); }, ${needsMs})); ${sleeps}`;
    const groups = JSON.stringify(new URL('process-groups.mjs', import.meta.url).href);
    const launcher = `import { allowGrace, onStopSignal, spawnGroup, stopAllGroups } from ${groups};
      const child = spawnGroup(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
      allowGrace(child, ${graceMs});
      onStopSignal(async () => { await stopAllGroups(); console.log('stopped'); process.exit(0); });`;
    fs.writeFileSync(path.join(folder, 'launcher.mjs'), launcher);
    fs.writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ private: true, scripts: { start: `"${node}" launcher.mjs` } }),
    );
    const npm = spawn('npm', ['start'], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    npm.stdout.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
    const closed = new Promise((resolve) => npm.once('close', resolve));
    const group = Number(npm.pid);
    started.push({ folder, group });
    await vi.waitFor(() => expect(output).toContain('up'), { timeout: 20_000 });
    return { output: () => output, closed, signal: () => process.kill(-group, 'SIGTERM') };
  }

  // The command polls npm once a second, so the delay decides whether it sees npm's end early or late.
  test.each([0, 500])(
    'takes a signal to the whole group for one, however often it is passed on, and waits for what finishes (%i ms later)',
    async (laterMs) => {
      const { output, closed, signal } = await npmStart({ needsMs: 2_500, graceMs: 20_000 });
      await sleep(laterMs);
      signal();
      await closed;
      expect(output()).toContain('finished');
      expect(output()).toContain('stopped');
    },
  );

  test('ends at once with a second signal later on', async () => {
    const { output, closed, signal } = await npmStart({ needsMs: 15_000, graceMs: 20_000 });
    const startedMs = performance.now();
    signal();
    await sleep(1_500);
    signal();
    await closed;
    expect(output()).not.toContain('finished');
    expect(performance.now() - startedMs).toBeLessThan(14_000);
  });

  test('kills what is not through when its time of grace is over', async () => {
    const { output, closed, signal } = await npmStart({ needsMs: 20_000, graceMs: 500 });
    signal();
    await closed;
    expect(output()).not.toContain('finished');
    expect(output()).toContain('stopped');
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
  // Some containers never reap zombies, which still accept signals.
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
