import { AUTHORIZABLE_USD_ABI, MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { decodeFunctionData, formatUnits, type Hex } from 'viem';

/** Units of the amounts that a contract of the sandbox takes. Demo wallets know no others. */
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

/** The call that a transaction's data makes, as `approve(spender: 0x…, value: 12.5 TPK)`; null for data of no known function. */
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
      // Not a function of this contract.
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
