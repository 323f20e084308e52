import { encodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { describeCall } from './describe-transaction';

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
