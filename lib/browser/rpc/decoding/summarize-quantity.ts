import { kindOfMethod } from '../methods/kind-of-method';
import { readQuantity } from '../quantity';
import { scaled } from './scaled';

/** Where a quantity stands in an answer. */
export interface QuantityPlace {
  /** Name of its member; null where it has none. */
  name: string | null;
  /** Method that was called; undefined where it is not known. */
  method: string | undefined;
  /** Sign of the chain's currency; undefined where the document is no answer of a chain. */
  symbol: string | undefined;
}

/** What a quantity means, in short. */
export interface QuantitySummary {
  text: string;
  /** The amount in wei with digit grouping, if `text` uses another unit; otherwise null. */
  wei: string | null;
}

/** Members of answers of EVM nodes that are in wei. Others of these names are not: `amount` of a withdrawal is in gwei. */
const AMOUNTS: ReadonlySet<string> = new Set(['eth_getBalance', 'balance', 'value', 'l1Fee', 'actualGasCost']);
/** Wei for each gas, which are told in gwei everywhere. */
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
 * Returns what a hexadecimal quantity means: wei in ether or gwei with the unit, exact, where the method or the member says
 * that it is wei; otherwise the number. Null for what is no quantity.
 */
export function summarizeQuantity(text: string, { name, method = '', symbol }: QuantityPlace): QuantitySummary | null {
  const number = readQuantity(text);
  if (number === null) return null;
  const what = name === 'result' ? method : name;
  // The value of a storage slot in a proof is anything.
  const isWei =
    symbol !== undefined &&
    what !== null &&
    kindOfMethod(method) === 'evm' &&
    !(what === 'value' && method.endsWith('_getProof'));
  if (isWei && AMOUNTS.has(what)) return { text: `${scaled(BigInt(text), 18)} ${symbol}`, wei: number };
  if (isWei && PRICES.has(what)) return { text: `${scaled(BigInt(text), 9)} gwei`, wei: number };
  return { text: number, wei: null };
}
