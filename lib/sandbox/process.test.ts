import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  anvilPid,
  bundleSandbox,
  callRpc,
  endChildren,
  note,
  PATIENCE_MS,
  startAlone,
  temporaryFolder,
  untilEnded,
} from './sandbox-under-test';
import type { ReadyMessage } from './settings';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: PATIENCE_MS });

const SOMEBODY = '0x00000000000000000000000000000000c0ffee01';
let entryFile: string;
let dataDir: string;
beforeAll(async () => {
  entryFile = await bundleSandbox();
});
afterAll(() => fs.rmSync(entryFile));
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await endChildren();
  fs.rmSync(dataDir, { recursive: true, maxRetries: 5 });
});

async function useTwoChains(url: string): Promise<number[]> {
  await Promise.all(
    ['sandbox-testnet', 'base-mainnet'].map((network) => callRpc(url, network, 'anvil_setBalance', [SOMEBODY, '0x7b'])),
  );
  return ['sandbox-testnet', 'base-mainnet'].map((network) => anvilPid(dataDir, network));
}

describe('the sandbox process, alone', () => {
  it('keeps the chains over a kill -9, leaves none of them running, and can be started again at once', async () => {
    const first = await startAlone(entryFile, dataDir);
    const pids = await useTwoChains(first.url);
    first.child.kill('SIGKILL');
    const second = await startAlone(entryFile, dataDir);
    expect(await callRpc(second.url, 'base-mainnet', 'eth_getBalance', [SOMEBODY, 'latest'])).toBe('0x7b');
    await Promise.all(pids.map((pid) => untilEnded(pid)));
    expect(fs.readdirSync(`${dataDir}/evm/base-mainnet`).filter((name) => name.startsWith('refused'))).toEqual([]);
    second.child.kill('SIGTERM');
    await once(second.child, 'exit');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with its chains and code 0 on %s, and keeps their state',
    async (signal) => {
      const first = await startAlone(entryFile, dataDir);
      const pids = await useTwoChains(first.url);
      first.child.kill(signal);
      expect(await once(first.child, 'exit')).toEqual([0, null]);
      await Promise.all(pids.map((pid) => untilEnded(pid, 0)));
      const second = await startAlone(entryFile, dataDir);
      expect(await callRpc(second.url, 'sandbox-testnet', 'eth_getBalance', [SOMEBODY, 'latest'])).toBe('0x7b');
      second.child.kill('SIGTERM');
      await once(second.child, 'exit');
    },
  );

  it.each([
    ['a port that is no number', { SANDBOX_PORT: 'http' }, /SANDBOX_PORT must be/],
    ['a port that is taken', {}, /address already in use/],
  ])('ends with code 1 and a sentence on %s', async (_name, env, sentence) => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const settings = { ...process.env, SANDBOX_DATA_DIR: dataDir, SANDBOX_PORT: port, ...env };
    const child = note(spawn(process.execPath, [entryFile], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] }));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said).toMatch(sentence);
    taken.close();
  });
});

describe('the sandbox process, forked', () => {
  it('says by IPC where it listens, and ends with its chains when the channel closes', async () => {
    const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: dataDir };
    const child = note(fork(entryFile, [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }));
    const [ready] = (await once(child, 'message')) as [ReadyMessage];
    expect(ready).toEqual({
      type: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      pid: child.pid,
    });
    const pids = await useTwoChains(ready.url);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await Promise.all(pids.map((pid) => untilEnded(pid, 0)));
  });
});
