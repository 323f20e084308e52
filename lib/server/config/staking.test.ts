import { describe, expect, it } from 'vitest';
import { stakingSchema } from './staking';

const TOKEN = '0x1352fc8e13B674bB2Ca24ab8c84936d1702BF859';
const contracts = { stakeToken: TOKEN, staking: TOKEN.toLowerCase(), dailyCreditToken: TOKEN, dailyCreditPool: TOKEN };
const onBase = { network: 'base-mainnet', primary: true, ...contracts };
const faultsOf = (staking: unknown) =>
  (stakingSchema.safeParse(staking).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('the staking part of the configuration', () => {
  it('has defaults, and gives addresses their checksum', () => {
    const { deployments, ...rest } = stakingSchema.parse({ deployments: [onBase] });
    expect(rest).toEqual({ tokenSymbols: { stake: 'TPK', dailyCredit: 'TOLL' }, dailyPoolUsd: '100' });
    expect(deployments[0]).toMatchObject({
      staking: TOKEN,
      functions: { staked: 'balanceOf', dailyCreditStaked: 'balanceOf', dailyCreditTotal: 'totalStaked' },
    });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'an address with a mistyped checksum',
      { deployments: [{ ...onBase, staking: TOKEN.replace('fc', 'FC') }] },
      /^deployments\.0\.staking: Must have the right checksum/,
    ],
    ['a short address', { deployments: [{ ...onBase, stakeToken: '0x12' }] }, /^deployments\.0\.stakeToken/],
    [
      'the zero address, which is what an unset variable often becomes',
      { deployments: [{ ...onBase, stakeToken: `0x${'0'.repeat(40)}` }] },
      /stakeToken/,
    ],
    ['a missing contract', { deployments: [{ ...onBase, dailyCreditPool: undefined }] }, /dailyCreditPool/],
    [
      'a network that nobody knows',
      { deployments: [{ ...onBase, network: 'narnia-mainnet' }] },
      /network: Must be the slug/,
    ],
    [
      'a network without an EVM',
      { deployments: [{ ...onBase, network: 'solana-mainnet' }] },
      /network: Must be the slug/,
    ],
    ['no primary', { deployments: [{ ...onBase, primary: false }] }, /Exactly one deployment/],
    ['two primaries', { deployments: [onBase, { ...onBase, network: 'sandbox-testnet' }] }, /Exactly one deployment/],
    [
      'a network twice',
      { deployments: [onBase, { ...onBase, primary: false }] },
      /deployments\.1\.network: Is listed twice/,
    ],
    ['a pool in floating point', { dailyPoolUsd: 100 }, /dailyPoolUsd/],
    ['a pool beyond the bound', { dailyPoolUsd: '1000000.000000001' }, /dailyPoolUsd/],
    ['a negative pool', { dailyPoolUsd: '-1' }, /dailyPoolUsd/],
    [
      'a function with its arguments',
      { deployments: [{ ...onBase, functions: { staked: 'balanceOf(address)' } }] },
      /functions\.staked: Must be the name/,
    ],
    ['a symbol that could break a sentence', { tokenSymbols: { stake: 'T PK' } }, /tokenSymbols\.stake/],
    ['an unknown field', { pool: 1 }, /pool/],
  ])('refuses %s', (_name, staking, fault) => {
    expect(faultsOf(staking)).toEqual([expect.stringMatching(fault)]);
  });
});
