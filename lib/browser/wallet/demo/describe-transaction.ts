import { AUTHORIZABLE_USD_ABI, MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import { decodeFunctionData, type Hex } from 'viem';

const ABIS = [STAKING_ABI, MINTABLE_TOKEN_ABI, AUTHORIZABLE_USD_ABI];

/** The call that a transaction's data makes, as `approve(spender: 0x…, value: 5)`; null for data of no known function. */
export function describeCall(data: Hex | undefined): string | null {
  if (data === undefined || data === '0x') return null;
  for (const abi of ABIS) {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data });
      const inputs = abi.find((item) => item.type === 'function' && item.name === functionName && item.inputs.length === (args?.length ?? 0));
      const names = inputs !== undefined && 'inputs' in inputs ? inputs.inputs.map(({ name }) => name) : [];
      return `${functionName}(${(args ?? []).map((value, index) => `${names[index] ?? index}: ${String(value)}`).join(', ')})`;
    } catch {
      // Not a function of this contract.
    }
  }
  return null;
}
