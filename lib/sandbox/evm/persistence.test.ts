import { once } from 'node:events';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  anvilPid,
  bundleSandbox,
  callRpc,
  endChildren,
  PATIENCE_MS,
  startAlone,
  temporaryFolder,
  until,
  untilEnded,
} from '../sandbox-under-test';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: PATIENCE_MS });

const NETWORK = 'base-mainnet';
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

/**
 * Sends from ten accounts at the same time until the sandbox stops answering.
 *
 * @returns hashes of the acknowledged sends
 */
function sendUntilSilent(
  url: string,
  accounts: readonly string[],
): { acknowledged: string[]; seen: bigint[]; done: Promise<unknown> } {
  const acknowledged: string[] = [];
  const seen: bigint[] = [];
  const sender = async (from: string) => {
    for (;;) {
      const hash = await callRpc(url, NETWORK, 'eth_sendTransaction', [{ from, to: SOMEBODY, value: '0x1' }]);
      if (typeof hash !== 'string') return;
      acknowledged.push(hash);
    }
  };
  const reader = async () => {
    for (;;) seen.push(BigInt((await callRpc(url, NETWORK, 'eth_getBalance', [SOMEBODY, 'latest'])) as string));
  };
  return { acknowledged, seen, done: Promise.allSettled([...accounts.map(sender), reader()]) };
}

describe('a transaction that was acknowledged, and a balance that was read', () => {
  it.each(['the sandbox', 'its chain'])('are still there when %s is killed in the middle of many', async (victim) => {
    let first = await startAlone(entryFile, dataDir);
    for (const killAfter of [1, 12, 25]) {
      const accounts = (await callRpc(first.url, NETWORK, 'eth_accounts')) as string[];
      const before = BigInt((await callRpc(first.url, NETWORK, 'eth_getBalance', [SOMEBODY, 'latest'])) as string);
      const { acknowledged, seen, done } = sendUntilSilent(first.url, accounts);
      await until(`${killAfter} sends are acknowledged`, () => acknowledged.length >= killAfter);
      const pid = anvilPid(dataDir, NETWORK);
      if (victim === 'its chain') process.kill(pid, 'SIGKILL');
      // The sandbox must die with its chain, because the next call would restart a killed chain.
      first.child.kill('SIGKILL');
      await Promise.all([done, once(first.child, 'exit'), untilEnded(pid)]);

      const next = await startAlone(entryFile, dataDir);
      const receipts = await Promise.all(
        acknowledged.map((hash) => callRpc(next.url, NETWORK, 'eth_getTransactionReceipt', [hash])),
      );
      expect(receipts.filter((receipt) => receipt === null)).toEqual([]);
      const after = BigInt((await callRpc(next.url, NETWORK, 'eth_getBalance', [SOMEBODY, 'latest'])) as string);
      expect(after - before).toBeGreaterThanOrEqual(BigInt(acknowledged.length));
      expect(seen.filter((balance) => balance > after)).toEqual([]);
      first = next;
    }
  });
});
