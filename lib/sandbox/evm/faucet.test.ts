import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import type { Address } from 'viem';
import { parseEther } from 'viem/utils';
import { PATIENCE_MS, recordingLog, temporaryFolder } from '../sandbox-under-test';
import { type Chains, createChains } from './chain';
import { FAUCET_ADDRESS } from './faucet-account';
import { fundEverywhere } from './faucet';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const dataDir = temporaryFolder();
let chains: Chains;
let lastAddress = 0xc0ffee00;
const freshAddress = (): Address => `0x${(lastAddress += 1).toString(16).padStart(40, '0')}`;
const rpcOf = async (slug: string) => {
  const chain = chains.get(slug);
  if (!chain) throw new Error(slug);
  return (await chain.ready()).rpc;
};
const balanceOf = async (address: string) =>
  BigInt((await (await rpcOf('sandbox-testnet'))('eth_getBalance', [address, 'latest'])) as string);

beforeAll(() => {
  chains = createChains(dataDir, recordingLog());
});
afterAll(async () => {
  await Promise.all([...chains.values()].map((chain) => chain.stop()));
  fs.rmSync(dataDir, { recursive: true, maxRetries: 3 });
});

describe('fundEverywhere', () => {
  it('starts the chains with the contracts of the sandbox and no other, and gives of each token', async () => {
    const address = freshAddress();
    const { funded } = await fundEverywhere(chains, address);
    const tokens = [
      { symbol: 'TPK', token: SANDBOX_CONTRACTS.stakeToken, amount: '1000', balance: '1000' },
      { symbol: 'TOLL', token: SANDBOX_CONTRACTS.dailyCreditToken, amount: '100', balance: '100' },
      { symbol: 'USDC', token: SANDBOX_CONTRACTS.usdc, amount: '100', balance: '100' },
    ];
    expect(funded).toEqual([
      { network: 'sandbox-testnet', chainId: 31_337, amount: '100', symbol: 'ETH', balance: '100', tokens },
      { network: 'base-mainnet', chainId: 8_453, amount: '100', symbol: 'ETH', balance: '100', tokens },
    ]);
    expect([...chains.values()].filter((chain) => chain.started)).toHaveLength(2);
  });

  it('funds on every chain that runs, in its own currency', async () => {
    await rpcOf('polygon-mainnet');
    const { funded } = await fundEverywhere(chains, freshAddress());
    expect(funded.map(({ network, symbol, balance }) => [network, symbol, balance])).toEqual([
      ['sandbox-testnet', 'ETH', '100'],
      ['polygon-mainnet', 'POL', '100'],
      ['base-mainnet', 'ETH', '100'],
    ]);
  });

  it('adds to what is there, and loses nothing of twenty calls at once with transfers in between', async () => {
    const address = freshAddress();
    const rpc = await rpcOf('sandbox-testnet');
    const accounts = (await rpc('eth_accounts', [])) as string[];
    const transfers = accounts.map((from) =>
      rpc('eth_sendTransaction', [{ from, to: address, value: `0x${parseEther('1').toString(16)}` }]),
    );
    await Promise.all([...Array.from({ length: 20 }, () => fundEverywhere(chains, address)), ...transfers]);
    await expect.poll(() => balanceOf(address), { timeout: PATIENCE_MS }).toBe(parseEther('2010'));
  });

  it('reaches a contract that refuses plain transfers', async () => {
    const address = freshAddress();
    await (
      await rpcOf('sandbox-testnet')
    )('anvil_setCode', [address, '0x60006000fd']);
    expect((await fundEverywhere(chains, address)).funded[0]?.balance).toBe('100');
  });

  it('says that mining is off instead of waiting for ever', async () => {
    const rpc = await rpcOf('polygon-mainnet');
    await rpc('evm_setAutomine', [false]);
    const { funded, failed } = await fundEverywhere(chains, freshAddress(), 500);
    await rpc('evm_setAutomine', [true]);
    expect(funded.map(({ network }) => network)).toEqual(['sandbox-testnet', 'base-mainnet']);
    expect(failed).toEqual([
      { network: 'polygon-mainnet', chainId: 137, error: expect.stringContaining('mining') as string },
    ]);
  });

  it('pays from an account of its own, so that the well-known ones keep theirs', async () => {
    const before = await balanceOf(FAUCET_ADDRESS);
    await fundEverywhere(chains, freshAddress());
    expect(before - (await balanceOf(FAUCET_ADDRESS))).toBeGreaterThanOrEqual(parseEther('100'));
  });
});
