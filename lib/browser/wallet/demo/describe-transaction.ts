import { AUTHORIZABLE_USD_ABI, MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { decodeFunctionData, formatUnits, type Hex } from 'viem';
import { signingWords } from './demo-wallet-words';

const words = signingWords.headlines;

/** Token symbol and decimals for each sandbox contract. Demo wallets recognize no other contracts. */
const UNITS: Readonly<Record<string, { symbol: string; decimals: number }>> = Object.fromEntries(
  (
    [
      ['stakeToken', 'TPK', 18],
      ['staking', 'TPK', 18],
      ['dailyCreditToken', 'TOLL', 18],
      ['dailyCreditPool', 'TOLL', 18],
      ['usdc', 'USDC', 6],
    ] as const
  ).map(([contract, symbol, decimals]) => [SANDBOX_CONTRACTS[contract].toLowerCase(), { symbol, decimals }]),
);

const AMOUNT_NAMES: ReadonlySet<string> = new Set(['value', 'amount']);

const ABIS = [STAKING_ABI, MINTABLE_TOKEN_ABI, AUTHORIZABLE_USD_ABI];

const POOLS: ReadonlySet<string> = new Set(
  [SANDBOX_CONTRACTS.staking, SANDBOX_CONTRACTS.dailyCreditPool].map((address) => address.toLowerCase()),
);

/**
 * Describes the effect of a transaction on a token or pool of the sandbox, such as `Approve 10 TPK`. Returns null for
 * other transactions, because a wallet cannot know their effect.
 */
export function headlineOf(
  data: Hex | undefined,
  to: string | null | undefined,
): { title: string; consequence: string } | null {
  const unit = UNITS[to?.toLowerCase() ?? ''];
  if (data === undefined || unit === undefined) return null;
  const call = ABIS.map((abi) => decoded(abi, data)).find((each) => each !== null);
  if (call === undefined) return null;
  const [first, second] = call.args;
  const amountOf = (value: unknown) =>
    typeof value === 'bigint' ? `${formatUnits(value, unit.decimals)} ${unit.symbol}` : unit.symbol;
  switch (call.name) {
    case 'approve':
      return {
        title: words.approve(amountOf(second)),
        consequence: POOLS.has(String(first).toLowerCase()) ? words.approvePool : words.approveStranger(String(first)),
      };
    case 'stake':
      return { title: words.stake(amountOf(first)), consequence: words.stakeConsequence };
    case 'initiateUnstake':
      return { title: words.unstake(amountOf(first)), consequence: words.unstakeConsequence };
    case 'unstake':
      return { title: words.takeBack(unit.symbol), consequence: words.takeBackConsequence };
  }
  return null;
}

function decoded(abi: (typeof ABIS)[number], data: Hex): { name: string; args: readonly unknown[] } | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data });
    return { name: functionName, args: args ?? [] };
  } catch {
    return null;
  }
}

/**
 * Formats the call in a transaction's data, such as `approve(spender: 0x…, value: 12.5 TPK)`; null for an unknown
 * function.
 */
export function describeCall(data: Hex | undefined, to?: string): string | null {
  if (data === undefined || data === '0x') return null;
  for (const abi of ABIS) {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data });
      const inputs = abi.find(
        (item) => item.type === 'function' && item.name === functionName && item.inputs.length === (args?.length ?? 0),
      );
      const names = inputs !== undefined && 'inputs' in inputs ? inputs.inputs.map(({ name }) => name) : [];
      return `${functionName}(${(args ?? []).map((value, index) => `${names[index] ?? index}: ${describeArgument(names[index], value, to)}`).join(', ')})`;
    } catch {
      // This ABI has no such function.
    }
  }
  return null;
}

function describeArgument(name: string | undefined, value: unknown, to: string | undefined): string {
  const unit = UNITS[to?.toLowerCase() ?? ''];
  return unit !== undefined && typeof value === 'bigint' && AMOUNT_NAMES.has(name ?? '')
    ? `${formatUnits(value, unit.decimals)} ${unit.symbol}`
    : String(value);
}

const DIGITS = 6;

/**
 * Rounds a base-unit amount upwards, keeping six significant digits, because a displayed maximum must not be too low.
 */
export function roundedUp(units: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, units.toString().length - DIGITS));
  return ((units + step - 1n) / step) * step;
}
