import { formatCount } from '@/lib/browser/text/amounts';
import { kindOfMethod } from './kind-of-method';

export interface QuantityPlace {
  name: string | null;
  method: string | undefined;
  /** Symbol of the chain's currency; undefined if the document is not a chain's answer. */
  symbol: string | undefined;
}

export interface QuantitySummary {
  text: string;
  /** Amount in wei with grouped digits, if `text` uses another unit; else null. */
  wei: string | null;
}

/** Methods and members whose values are in wei. Excludes a withdrawal's `amount`, which is in gwei. */
const AMOUNTS: ReadonlySet<string> = new Set(['eth_getBalance', 'balance', 'value', 'l1Fee', 'actualGasCost']);
/** Methods and members whose values are in wei per gas and displayed in gwei. */
const PRICES: ReadonlySet<string> = new Set([
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'gasPrice',
  'effectiveGasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'maxFeePerBlobGas',
  'baseFeePerGas',
  'blobGasPrice',
  'l1GasPrice',
]);

/**
 * Formats a hexadecimal quantity. A method's result or a member's value in wei becomes an exact amount of ether or
 * gwei; any other quantity becomes an integer. Returns null if the text is not a quantity.
 */
export function summarizeQuantity(text: string, { name, method = '', symbol }: QuantityPlace): QuantitySummary | null {
  const number = readQuantity(text);
  if (number === null) return null;
  const what = name === 'result' ? method : name;
  // Excludes the `value` of a storage slot in a proof, because this value can be anything.
  const isWei =
    symbol !== undefined &&
    what !== null &&
    kindOfMethod(method) === 'evm' &&
    !(what === 'value' && method.endsWith('_getProof'));
  if (isWei && AMOUNTS.has(what)) return { text: `${scaled(BigInt(text), 18)} ${symbol}`, wei: number };
  if (isWei && PRICES.has(what)) return { text: `${scaled(BigInt(text), 9)} gwei`, wei: number };
  return { text: number, wei: null };
}

/** Converts an integer in the smallest unit to units of 10^decimals: exact, grouped, without trailing zeros. */
export function scaled(value: bigint, decimals: number): string {
  const text = value.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return formatCount(BigInt(text.slice(0, -decimals))) + (fraction === '' ? '' : `.${fraction}`);
}

/** Formats an Ethereum quantity as a grouped integer; null if it is invalid, or longer than 128 bits. */
export function readQuantity(text: string): string | null {
  return /^0x(0|[1-9a-f][0-9a-f]{0,31})$/.test(text) ? formatCount(BigInt(text)) : null;
}
