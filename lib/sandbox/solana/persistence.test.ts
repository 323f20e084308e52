import { once } from 'node:events';
import fs from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { bundleSandbox, endChildren, PATIENCE_MS, startAlone, temporaryFolder } from '../sandbox-under-test';
import { ask } from './solana-under-test';

vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: PATIENCE_MS });

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

const balanceOf = async (url: string, address: string) =>
  ((await ask(`${url}/solana/solana-devnet`, 'getBalance', [address])).result as { value: number }).value;

describe('a kill -9 of the sandbox', () => {
  it('loses no airdrop that was answered, whenever it comes, and the next one can start at once', async () => {
    let first = await startAlone(entryFile, dataDir);
    for (const killAfterMs of [20, 60, 150]) {
      const { child, url } = first;
      const address = Keypair.generate().publicKey.toBase58();
      const rpcUrl = `${url}/solana/solana-devnet`;
      await ask(rpcUrl, 'getSlot', []);
      const answered: string[] = [];
      const calls = Array.from({ length: 300 }, () =>
        ask(rpcUrl, 'requestAirdrop', [address, 1_000_000]).then(
          ({ result }) => void answered.push(result as string),
          () => undefined,
        ),
      );
      setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await Promise.all([...calls, once(child, 'exit')]);

      const next = await startAlone(entryFile, dataDir);
      const { result } =
        answered.length > 0
          ? await ask(`${next.url}/solana/solana-devnet`, 'getSignatureStatuses', [answered.slice(0, 256)])
          : { result: { value: [] } };
      expect((result as { value: unknown[] }).value).not.toContain(null);
      expect(await balanceOf(next.url, address)).toBeGreaterThanOrEqual(answered.length * 1_000_000);
      first = next;
    }
  });

  it('keeps slot and genesis', async () => {
    const first = await startAlone(entryFile, dataDir);
    const read = async (url: string, method: string) => (await ask(`${url}/solana/solana-mainnet`, method, [])).result;
    const [genesis, slot] = [await read(first.url, 'getGenesisHash'), (await read(first.url, 'getSlot')) as number];
    first.child.kill('SIGKILL');
    const second = await startAlone(entryFile, dataDir);
    expect(await read(second.url, 'getGenesisHash')).toBe(genesis);
    expect(await read(second.url, 'getSlot')).toBeGreaterThanOrEqual(slot);
  });
});

describe('SIGTERM', () => {
  it('ends it with code 0 while a Solana chain is open and a WebSocket hangs on it', async () => {
    const { child, url } = await startAlone(entryFile, dataDir);
    await ask(`${url}/solana/solana-devnet`, 'getSlot', []);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/solana/solana-devnet`);
    await once(socket, 'open');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
