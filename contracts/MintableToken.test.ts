import { type Abi, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINTABLE_TOKEN_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { ContractChain, newAccount } from './testing/contract-chain';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { stakeToken, dailyCreditToken, usdc } = SANDBOX_CONTRACTS;
let chain: ContractChain;
beforeAll(async () => {
  chain = await ContractChain.start();
});
afterAll(() => chain.stop());

const call = (address: `0x${string}`, functionName: string, ...args: unknown[]) => ({
  address,
  abi: MINTABLE_TOKEN_ABI as Abi,
  functionName,
  args,
});

describe('the tokens of the sandbox', () => {
  it.each([
    [stakeToken, 'Turnpike Stake', 'TPK', 18],
    [dailyCreditToken, 'Turnpike Toll', 'TOLL', 18],
    [usdc, 'USD Coin', 'USDC', 6],
  ] as const)(
    '%s is called %s, %s, has %i decimals, and is minted by the faucet only',
    async (address, name, symbol, decimals) => {
      expect(await Promise.all(['name', 'symbol', 'decimals'].map((view) => chain.read(call(address, view))))).toEqual([
        name,
        symbol,
        decimals,
      ]);
      const stranger = await chain.richAccount();
      expect(await chain.revertOf(stranger, call(address, 'mint', stranger.address, 1n))).toBe('NotMinter');
      const supply = (await chain.read(call(address, 'totalSupply'))) as bigint;
      await chain.mint(address, stranger.address, 5n);
      expect(await chain.read(call(address, 'totalSupply'))).toBe(supply + 5n);
    },
  );

  it('move by transfer, and by transferFrom within what was approved', async () => {
    const [holder, spender] = [await chain.richAccount(), await chain.richAccount()];
    const to = newAccount().address;
    await chain.send(holder, call(stakeToken, 'transfer', to, parseEther('1')));
    await chain.send(holder, call(stakeToken, 'approve', spender.address, 10n));
    expect(await chain.revertOf(spender, call(stakeToken, 'transferFrom', holder.address, to, 11n))).toBe(
      'ERC20InsufficientAllowance',
    );
    await chain.send(spender, call(stakeToken, 'transferFrom', holder.address, to, 10n));
    expect(await chain.read(call(stakeToken, 'balanceOf', to))).toBe(parseEther('1') + 10n);
    expect(await chain.revertOf(holder, call(stakeToken, 'transfer', to, parseEther('1000')))).toBe(
      'ERC20InsufficientBalance',
    );
  });
});
