import { type Abi, parseEther, parseEventLogs } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { ContractChain } from './testing/contract-chain';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WEEK = 604_800n;
const { stakeToken, staking } = SANDBOX_CONTRACTS;
const token = (functionName: string, ...args: unknown[]) => ({
  address: stakeToken,
  abi: MINTABLE_TOKEN_ABI as Abi,
  functionName,
  args,
});
const pool = (functionName: string, ...args: unknown[]) => ({
  address: staking,
  abi: STAKING_ABI as Abi,
  functionName,
  args,
});

let chain: ContractChain;
let wallet: PrivateKeyAccount;
beforeAll(async () => {
  chain = await ContractChain.start();
});
afterAll(() => chain.stop());
beforeEach(async () => {
  wallet = await chain.richAccount();
});

const staked = () => chain.read(pool('balanceOf', wallet.address));
const held = () => chain.read(token('balanceOf', wallet.address));
const total = async () => (await chain.read(pool('totalStaked'))) as bigint;

async function stake(amount: bigint) {
  await chain.send(wallet, token('approve', staking, amount));
  return chain.send(wallet, pool('stake', amount));
}

describe('stake', () => {
  it('moves approved tokens into the contract, and counts them for the wallet and for all', async () => {
    const before = await total();
    const { logs } = await stake(parseEther('250'));
    expect(await staked()).toBe(parseEther('250'));
    expect(await held()).toBe(parseEther('750'));
    expect(await total()).toBe(before + parseEther('250'));
    expect(parseEventLogs({ abi: STAKING_ABI, logs, eventName: 'Staked' })[0]?.args).toEqual({
      wallet: wallet.address,
      amount: parseEther('250'),
    });
  });

  it('adds to what is staked', async () => {
    await stake(1n);
    await stake(2n);
    expect(await staked()).toBe(3n);
  });

  it('refuses zero, what is not approved, and what is not there', async () => {
    expect(await chain.revertOf(wallet, pool('stake', 0n))).toBe('ZeroAmount');
    // Selector of the token's error ERC20InsufficientAllowance.
    expect(await chain.revertOf(wallet, pool('stake', 1n))).toMatch(/ERC20InsufficientAllowance|0xfb8f41b2/);
    await chain.send(wallet, token('approve', staking, parseEther('1001')));
    expect(await chain.revertOf(wallet, pool('stake', parseEther('1001')))).toMatch(
      /ERC20InsufficientBalance|0xe450d38c/,
    );
    expect(await staked()).toBe(0n);
  });
});

describe('initiateUnstake', () => {
  it('takes the amount out of the stake at once: what cools down counts no more', async () => {
    await stake(100n);
    const before = await total();
    const { logs } = await chain.send(wallet, pool('initiateUnstake', 30n));
    expect(await staked()).toBe(70n);
    expect(await total()).toBe(before - 30n);
    const availableAt = (await chain.now()) + WEEK;
    expect(await chain.read(pool('unstaking', wallet.address))).toEqual([30n, availableAt]);
    expect(parseEventLogs({ abi: STAKING_ABI, logs, eventName: 'UnstakeInitiated' })[0]?.args).toEqual({
      wallet: wallet.address,
      amount: 30n,
      availableAt,
    });
    expect(await held()).toBe(parseEther('1000') - 100n);
  });

  it('refuses zero, and more than the caller has staked', async () => {
    await stake(100n);
    expect(await chain.revertOf(wallet, pool('initiateUnstake', 0n))).toBe('ZeroAmount');
    expect(await chain.revertOf(wallet, pool('initiateUnstake', 101n))).toBe('StakeTooSmall');
    expect(await chain.revertOf(await chain.richAccount(), pool('initiateUnstake', 1n))).toBe('StakeTooSmall');
  });

  it('called again, adds up and starts the cooldown of the whole anew', async () => {
    await stake(100n);
    await chain.send(wallet, pool('initiateUnstake', 10n));
    await chain.passTime(WEEK - 100n);
    await chain.send(wallet, pool('initiateUnstake', 5n));
    const again = await chain.now();
    expect(await chain.read(pool('unstaking', wallet.address))).toEqual([15n, again + WEEK]);
    await chain.passTime(200n);
    expect(await chain.revertOf(wallet, pool('unstake'))).toBe('CoolingDown');
  });
});

describe('unstake', () => {
  it('gives the tokens back after a week, not a moment before, and once', async () => {
    await stake(100n);
    await chain.send(wallet, pool('initiateUnstake', 40n));
    expect(await chain.revertOf(wallet, pool('unstake'))).toBe('CoolingDown');
    await chain.passTime(WEEK - 60n);
    expect(await chain.revertOf(wallet, pool('unstake'))).toBe('CoolingDown');
    await chain.passTime(60n);
    const { logs } = await chain.send(wallet, pool('unstake'));
    expect(parseEventLogs({ abi: STAKING_ABI, logs, eventName: 'Unstaked' })[0]?.args).toEqual({
      wallet: wallet.address,
      amount: 40n,
    });
    expect(await held()).toBe(parseEther('1000') - 60n);
    expect(await staked()).toBe(60n);
    expect(await chain.revertOf(wallet, pool('unstake'))).toBe('NothingUnstaking');
  });

  it('refuses who has asked for nothing back', async () => {
    expect(await chain.revertOf(wallet, pool('unstake'))).toBe('NothingUnstaking');
  });
});

it('always holds what it owes: the stakes and what cools down', async () => {
  await stake(1_000n);
  await chain.send(wallet, pool('initiateUnstake', 400n));
  const other = await chain.richAccount();
  await chain.send(other, token('approve', staking, 77n));
  await chain.send(other, pool('stake', 77n));
  const deposits = (await chain.read(token('balanceOf', staking))) as bigint;
  expect(deposits).toBeGreaterThanOrEqual((await total()) + 400n);
  expect(await chain.read(pool('token'))).toBe(stakeToken);
  expect(await chain.read(pool('cooldown'))).toBe(WEEK);
});
