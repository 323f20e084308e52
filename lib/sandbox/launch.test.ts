import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LaunchedSandbox, launchSandbox } from './launch';
import {
  anvilPid,
  bundleSandbox,
  callRpc,
  endChildren,
  note,
  PATIENCE_MS,
  recordingLog,
  temporaryFolder,
  until,
  untilEnded,
} from './sandbox-under-test';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: PATIENCE_MS });

let entryFile: string;
let dataDir: string;
let log: ReturnType<typeof recordingLog>;
let launched: LaunchedSandbox | undefined;
beforeAll(async () => {
  entryFile = await bundleSandbox();
});
afterAll(() => fs.rmSync(entryFile));
beforeEach(() => {
  dataDir = temporaryFolder();
  log = recordingLog();
});
afterEach(async () => {
  await endChildren();
  await launched?.close();
  launched = undefined;
  fs.rmSync(dataDir, { recursive: true, maxRetries: 5 });
});

const isServing = (url: string) =>
  fetch(`${url}/status`).then(
    (answer) => answer.ok,
    () => false,
  );
/** Returns the parent's pid. The sandbox is the parent of its chains. */
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

function program(source: string): string {
  const file = path.join(dataDir, 'entry.mjs');
  fs.writeFileSync(file, source);
  return file;
}

describe('launchSandbox', () => {
  it('serves chains, hands their events to the log, and leaves nothing running once closed', async () => {
    launched = await launchSandbox({ dataDir, entryFile, log });
    expect(await callRpc(launched.url, 'sandbox-testnet', 'eth_chainId')).toBe('0x7a69');
    const pid = anvilPid(dataDir, 'sandbox-testnet');
    await until('the log tells of the chain', () => log.lines.some((line) => line.startsWith('chain sandbox-testnet')));
    await launched.close();
    await untilEnded(pid, 0);
    expect(await isServing(launched.url)).toBe(false);
    expect(log.warnings).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'starts a sandbox that was killed again, on the same port and with its chains, and says so',
    async () => {
      launched = await launchSandbox({ dataDir, entryFile, log, restartDelayMs: 20 });
      const { url } = launched;
      await callRpc(url, 'sandbox-testnet', 'anvil_setBalance', [`0x${'1'.repeat(40)}`, '0x7b']);
      process.kill(parentOf(anvilPid(dataDir, 'sandbox-testnet')), 'SIGKILL');
      await until('the log tells of the return', () =>
        log.lines.some((line) => line.startsWith(`The sandbox restarted at ${url}`)),
      );
      expect(log.warnings).toEqual(['The sandbox ended with signal SIGKILL; restarting in 20 ms']);
      expect(await callRpc(url, 'sandbox-testnet', 'eth_getBalance', [`0x${'1'.repeat(40)}`, 'latest'])).toBe('0x7b');
    },
  );

  it('waits twice as long after each death in a row', async () => {
    const url = 'http://127.0.0.1:9';
    const dying = program(`process.send({ type: 'ready', url: '${url}', pid: process.pid }, () => process.exit(4))`);
    launched = await launchSandbox({ dataDir, entryFile: dying, log, restartDelayMs: 10 });
    await until('it has died three times', () => log.warnings.length >= 3);
    expect(log.warnings.slice(0, 3)).toEqual(
      [10, 20, 40].map((delayMs) => `The sandbox ended with code 4; restarting in ${delayMs} ms`),
    );
  });

  it('does not start it again once closed', async () => {
    launched = await launchSandbox({ dataDir, entryFile, log, restartDelayMs: 1 });
    await launched.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(log.warnings).toEqual([]);
  });

  it('rejects with what the child said, where it does not come up', async () => {
    const failing = program(`process.stderr.write('the disk is full\\n', () => process.exit(3))`);
    await expect(launchSandbox({ dataDir, entryFile: failing, log })).rejects.toThrow(
      /ended with code 3, saying: the disk is full/,
    );
  });

  it('rejects where there is no entry', async () => {
    await expect(launchSandbox({ dataDir, entryFile: path.join(dataDir, 'none.mjs'), log })).rejects.toThrow(
      /Cannot find module/,
    );
  });

  it('rejects, and kills the child, where it is not ready in time', async () => {
    const pidFile = path.join(dataDir, 'pid');
    const silent = program(
      `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`,
    );
    await expect(launchSandbox({ dataDir, entryFile: silent, log, startTimeoutMs: 500 })).rejects.toThrow(
      'not ready within 0.5 s',
    );
    // The process may have been killed before it wrote the file.
    if (fs.existsSync(pidFile)) await untilEnded(Number(fs.readFileSync(pidFile, 'utf8')));
  });

  it('ends with its chains when the process that launched it is killed', async () => {
    const launcher = path.join(path.dirname(entryFile), `launcher-${process.pid}.mjs`);
    await build({
      entryPoints: ['lib/sandbox/launch.ts'],
      outfile: launcher,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    const options = JSON.stringify({ dataDir, entryFile });
    const script = `const { launchSandbox } = await import(${JSON.stringify(launcher)}); const log = { info() {}, warn() {} };
      console.log((await launchSandbox({ ...${options}, log })).url);`;
    const parent = note(
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const [url] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    await callRpc(url, 'sandbox-testnet', 'eth_chainId');
    const pid = anvilPid(dataDir, 'sandbox-testnet');
    parent.kill('SIGKILL');
    await untilEnded(pid);
    await until('the sandbox is gone', async () => !(await isServing(url)));
    fs.rmSync(launcher);
  });
});
