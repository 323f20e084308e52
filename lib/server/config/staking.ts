import type { Address } from 'viem';
import { getAddress } from 'viem/utils';
import { z } from 'zod';
import { findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { evmAddress } from './addresses';

/** One million USD a day. */
const POOL_NANO_USD_MAX = 1_000_000_000_000_000;
const DEPLOYMENTS_MAX = 8;

const address = evmAddress.transform((text): Address => getAddress(text.toLowerCase()));

const symbol = (standard: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9.$]{1,16}$/, 'Must be 1 to 16 letters, digits, "." or "$"')
    .default(standard);
const viewFunction = (standard: string) =>
  z
    .string()
    .regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/, 'Must be the name of a function')
    .default(standard);

const deployment = z.strictObject({
  network: z
    .string()
    .refine(
      (slug) => slug === SANDBOX_TESTNET.slug || findNetwork(slug)?.kind === 'evm',
      'Must be the slug of a built-in EVM network, such as base-mainnet',
    ),
  primary: z
    .boolean()
    .default(false)
    .describe('Whether the daily-credit pool of this deployment gives allocations; true for exactly one'),
  stakeToken: address.describe('Token whose stake lets a wallet mint keys'),
  staking: address.describe('Contract in which that token is staked'),
  dailyCreditToken: address,
  dailyCreditPool: address.describe('Contract in which the daily-credit token is staked; may be the token itself'),
  functions: z
    .strictObject({
      staked: viewFunction('balanceOf').describe('Function of "staking" that returns the stake of an address'),
      dailyCreditStaked: viewFunction('balanceOf').describe(
        'Function of "dailyCreditPool" that returns the stake of an address',
      ),
      dailyCreditTotal: viewFunction('totalStaked').describe(
        'Function of "dailyCreditPool" without arguments that returns the total stake',
      ),
    })
    .prefault({})
    .describe('Names of the view functions that the gateway reads; the first of several results counts'),
});

export type StakingDeployment = z.output<typeof deployment>;

/** Staking contracts, and the daily amount that stakers share. */
export const stakingSchema = z.strictObject({
  tokenSymbols: z.strictObject({ stake: symbol('TPK'), dailyCredit: symbol('TOLL') }).prefault({}),
  dailyPoolUsd: z
    .string()
    .refine(isPool, 'Must be a decimal string such as "100": at most 9 decimals, and at most 1000000 USD')
    .default('100')
    .describe('USD a day that all stakers of the daily-credit token share'),
  deployments: z
    .array(deployment)
    .max(DEPLOYMENTS_MAX)
    .superRefine(requireOnePrimary)
    .default([])
    .describe("By default the sandbox's own contracts"),
});

export type StakingConfig = z.output<typeof stakingSchema>;

function isPool(text: string): boolean {
  try {
    return parseUsd(text) <= POOL_NANO_USD_MAX;
  } catch {
    return false;
  }
}

function requireOnePrimary(deployments: StakingDeployment[], context: z.RefinementCtx): void {
  const networks = new Set<string>();
  deployments.forEach(({ network }, index) => {
    if (networks.has(network))
      context.addIssue({ code: 'custom', path: [index, 'network'], message: 'Is listed twice' });
    networks.add(network);
  });
  const primaries = deployments.filter(({ primary }) => primary).length;
  if (deployments.length > 0 && primaries !== 1)
    context.addIssue({ code: 'custom', message: `Exactly one deployment must be "primary", not ${primaries}` });
}
