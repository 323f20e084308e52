import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { anvilPid, PATIENCE_MS, recordingLog, temporaryFolder, untilEnded } from '../sandbox-under-test';
import { Chain, createChains, type EvmNetwork } from './chain';
import { DEPLOYMENTS } from './contracts';
import { MULTICALL3_ADDRESS } from './multicall3';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const POLL = { timeout: PATIENCE_MS };
const SOMEBODY = '0x00000000000000000000000000000000c0ffee01';
const slug = SANDBOX_TESTNET.slug;
const network = SANDBOX_TESTNET as EvmNetwork;

let dataDir: string;
let folder: string;
let log: ReturnType<typeof recordingLog>;
let opened: Chain[];
const open = () => {
  const chain = new Chain(network, folder, log);
  opened.push(chain);
  return chain;
};
const setBalance = async (chain: Chain, wei: string) => (await chain.ready()).rpc('anvil_setBalance', [SOMEBODY, wei]);
const balance = async (chain: Chain) => (await chain.ready()).rpc('eth_getBalance', [SOMEBODY, 'latest']);

beforeEach(() => {
  dataDir = temporaryFolder();
  folder = path.join(dataDir, 'evm', slug);
  log = recordingLog();
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((chain) => chain.stop()));
  fs.rmSync(dataDir, { recursive: true, maxRetries: 3 });
});

describe('createChains', () => {
  it('gives every EVM network, started all at once, its own chain id, and Multicall3', async () => {
    const chains = createChains(dataDir, log);
    opened.push(...chains.values());
    expect([...chains.keys()]).toEqual(
      [SANDBOX_TESTNET, ...NETWORKS].filter(({ kind }) => kind === 'evm').map(({ slug }) => slug),
    );
    await Promise.all(
      [...chains.values()].map(async (chain) => {
        const { rpc } = await chain.ready();
        expect(Number(await rpc('eth_chainId', [])), chain.network.slug).toBe(chain.network.chainId);
        expect(await rpc('eth_getCode', [MULTICALL3_ADDRESS, 'latest']), chain.network.slug).not.toBe('0x');
      }),
    );
    expect(log.lines.filter((line) => / started in \d+ ms$/.test(line))).toHaveLength(chains.size);
  });

  it('starts nothing by itself', () => {
    const chains = createChains(dataDir, log);
    expect([...chains.values()].some((chain) => chain.started)).toBe(false);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });
});

describe('Chain', () => {
  it('funds the ten accounts of the mnemonic that every tool knows', async () => {
    const { rpc } = await open().ready();
    const accounts = (await rpc('eth_accounts', [])) as string[];
    expect(accounts).toHaveLength(10);
    expect(accounts[0]).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    expect(BigInt((await rpc('eth_getBalance', [accounts[9], 'latest'])) as string)).toBe(10_000n * 10n ** 18n);
  });

  it('starts one process for twenty first uses at once', async () => {
    const chain = open();
    const running = await Promise.all(Array.from({ length: 20 }, () => chain.ready()));
    expect(new Set(running.map(({ pid }) => pid)).size).toBe(1);
    expect(log.lines).toHaveLength(1);
  });

  it('keeps blocks, receipts and balances over a stop', async () => {
    const first = open();
    await setBalance(first, '0x7b');
    const { rpc } = await first.ready();
    const hash = await rpc('eth_sendTransaction', [
      { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: SOMEBODY, value: '0x1' },
    ]);
    await expect.poll(() => rpc('eth_getTransactionReceipt', [hash]), POLL).not.toBeNull();
    await first.stop();
    const second = await open().ready();
    expect(await second.rpc('eth_getBalance', [SOMEBODY, 'latest'])).toBe('0x7c');
    expect(await second.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      blockNumber: expect.any(String) as string,
    });
  });

  it('starts again on the next use when its process was killed, with what was written', async () => {
    const chain = open();
    await setBalance(chain, '0x7b');
    const { pid } = await chain.ready();
    process.kill(pid, 'SIGKILL');
    await untilEnded(pid);
    await expect.poll(() => chain.started, POLL).toBe(false);
    expect(await balance(chain)).toBe('0x7b');
    expect(anvilPid(dataDir, slug)).not.toBe(pid);
    expect(log.warnings).toEqual([expect.stringContaining('ended with signal SIGKILL')]);
  });

  it.each([
    ['empty', ''],
    ['no JSON', 'garbage'],
    ['JSON of another shape', '{"version":7}'],
    [
      'a state whose blocks are missing',
      '{"block":{"number":"0x9","beneficiary":"0x0000000000000000000000000000000000000000","timestamp":"0x1","gas_limit":1,"basefee":1,"difficulty":"0x0","prevrandao":"0x0000000000000000000000000000000000000000000000000000000000000000"},"accounts":{},"best_block_number":9,"blocks":[],"transactions":[],"historical_states":null}',
    ],
  ])('starts anew on a state that is %s', async (_name, text) => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'state.json.gz'), gzipSync(text));
    expect(await balance(open())).toBe('0x0');
    expect(log.warnings).toEqual([expect.stringContaining('starts empty, because')]);
  });

  it('starts anew on a state file that is not compressed, and keeps it', async () => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'state.json.gz'), 'garbage');
    expect(await balance(open())).toBe('0x0');
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('refused-'))).toHaveLength(1);
  });

  it('has on disk what it acknowledged, though the chain is killed in that instant', async () => {
    const chain = open();
    const { rpc, pid } = await chain.ready();
    const [from] = (await rpc('eth_accounts', [])) as string[];
    const hash = await rpc('eth_sendTransaction', [{ from, to: SOMEBODY, value: '0x5' }]);
    process.kill(pid, 'SIGKILL');
    await untilEnded(pid);
    await expect.poll(() => chain.started, POLL).toBe(false);
    const again = await chain.ready();
    expect(await again.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
    expect(await again.rpc('eth_getBalance', [SOMEBODY, 'latest'])).toBe('0x5');
  });

  it("has the sandbox's contracts, whose tokens nobody but the faucet mints, and deploys them once", async () => {
    const first = await open().ready();
    for (const { address } of DEPLOYMENTS) expect(await first.rpc('eth_getCode', [address, 'latest'])).not.toBe('0x');
    const blocks = await first.rpc('eth_blockNumber', []);
    await opened[0]?.stop();
    const second = await open().ready();
    for (const { address } of DEPLOYMENTS) expect(await second.rpc('eth_getCode', [address, 'latest'])).not.toBe('0x');
    expect(await second.rpc('eth_blockNumber', [])).toBe(blocks);
  });

  it('says why it cannot start, and starts once that is mended', async () => {
    const chain = open();
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'a file where its folder should be');
    await expect(chain.ready()).rejects.toThrow(/EEXIST/);
    fs.rmSync(folder);
    expect(await balance(chain)).toBe('0x0');
  });

  it('does not start once it is stopped, and a stop ends a start', async () => {
    const chain = open();
    const starting = chain.ready();
    await chain.stop();
    await expect(starting).rejects.toThrow();
    await expect(chain.ready()).rejects.toThrow('stopping');
    expect(chain.started).toBe(false);
  });

  it('keeps the states of old blocks out of the home folder, and drops those of the last run', async () => {
    const stale = path.join(folder, 'history', 'anvil-state-of-a-killed-run');
    fs.mkdirSync(stale, { recursive: true });
    await open().ready();
    expect(fs.existsSync(stale)).toBe(false);
  });
});
