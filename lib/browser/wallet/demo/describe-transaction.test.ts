import { encodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { describeCall, headlineOf } from './describe-transaction';

const { stakeToken, staking, usdc } = SANDBOX_CONTRACTS;
const approve = encodeFunctionData({
  abi: MINTABLE_TOKEN_ABI,
  functionName: 'approve',
  args: [staking, 12_500_000_000_000_000_000n],
});

describe('a demo wallet says what a transaction does', () => {
  it('with amounts in the unit of the contract that is called', () => {
    expect(describeCall(approve, stakeToken)).toBe(`approve(spender: ${staking}, value: 12.5 TPK)`);
    expect(describeCall(approve, stakeToken.toLowerCase())).toContain('12.5 TPK');
    expect(
      describeCall(encodeFunctionData({ abi: STAKING_ABI, functionName: 'stake', args: [10n ** 18n] }), staking),
    ).toBe('stake(amount: 1 TPK)');
    expect(
      describeCall(
        encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'approve', args: [staking, 5_000_000n] }),
        usdc,
      ),
    ).toContain('value: 5 USDC');
  });

  it('in base units where the contract is not known', () =>
    expect(describeCall(approve, '0x000000000000000000000000000000000000dEaD')).toContain(
      'value: 12500000000000000000',
    ));

  it.each([undefined, '0x', '0xdeadbeef', '0x095ea7b3'] as const)(
    'and nothing of data that it cannot read: %s',
    (data) => expect(describeCall(data, stakeToken)).toBeNull(),
  );
});

describe('a demo wallet names a transaction by what it does', () => {
  const call = (functionName: 'stake' | 'initiateUnstake', amount: bigint) =>
    encodeFunctionData({ abi: STAKING_ABI, functionName, args: [amount] });

  it('where the contract and its function are known', () => {
    expect(headlineOf(approve, stakeToken)).toEqual({
      title: 'Approve 12.5 TPK',
      consequence: 'Lets the staking contract take this amount. Nothing moves yet.',
    });
    expect(headlineOf(call('stake', 10n ** 19n), staking)?.title).toBe('Stake 10 TPK');
    expect(headlineOf(call('initiateUnstake', 10n ** 18n), staking.toLowerCase())?.title).toBe('Unstake 1 TPK');
  });

  it('and warns of a spender that is no pool', () => {
    const stranger = '0x000000000000000000000000000000000000dEaD';
    const data = encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'approve', args: [stranger, 1n] });
    expect(headlineOf(data, stakeToken)?.consequence).toContain(`Lets ${stranger} take this amount. Refuse`);
  });

  it('and names nothing else', () => {
    const transfer = encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'transfer', args: [staking, 1n] });
    for (const [data, to] of [
      [approve, '0x000000000000000000000000000000000000dEaD'],
      [approve, null],
      ['0xdeadbeef', stakeToken],
      [undefined, stakeToken],
      [transfer, usdc],
    ] as const)
      expect(headlineOf(data, to), `${data} ${to}`).toBeNull();
  });
});
