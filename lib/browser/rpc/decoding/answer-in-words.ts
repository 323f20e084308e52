import { formatCount } from '../../amounts';
import { formatDateTime } from '../../moments';
import { rpcReadingWords as words } from '../../words/rpc-tools';
import { readQuantity } from '../quantity';
import { scaled } from './scaled';
import { summarizeQuantity } from './summarize-quantity';

const MILLISECONDS = 1000;
const LAMPORT_DECIMALS = 9;

/**
 * Returns one line that says what a result means, such as "Block 21,204,511" or "10,000 ETH"; null if it would add
 * nothing. The result comes from a node and can have any shape.
 *
 * @param symbol of the chain's currency
 */
export function answerInWords(method: string, result: unknown, symbol: string): string | null {
  if (result === null) return method.startsWith('eth_get') ? words.nothing : null;
  const reader = READERS.get(method);
  if (reader !== undefined) return reader(result, symbol);
  if (typeof result !== 'string') return null;
  const quantity = summarizeQuantity(result, { name: 'result', method, symbol });
  if (quantity === null) return null;
  return quantity.wei === null ? words.equals(result, quantity.text) : quantity.text;
}

type Reader = (result: unknown, symbol: string) => string | null;

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    eth_blockNumber: (result) => whenCounted(result, words.block),
    eth_getBlockByNumber: describeBlock,
    eth_getBlockByHash: describeBlock,
    eth_getTransactionCount: (result) => whenCounted(result, words.transactionsSent),
    eth_getBlockTransactionCountByNumber: (result) => whenCounted(result, words.transactions),
    eth_getBlockTransactionCountByHash: (result) => whenCounted(result, words.transactions),
    eth_estimateGas: (result) => whenCounted(result, words.gas),
    eth_getLogs: (result) => (Array.isArray(result) ? words.logs(formatCount(result.length)) : null),
    eth_getCode: (result) => (typeof result === 'string' ? describeCode(result) : null),
    eth_getTransactionReceipt: describeReceipt,
    eth_syncing: (result) => (result === false ? words.inSync : null),
    getSlot: (result) => whenCounted(result, words.slot),
    getBlockHeight: (result) => whenCounted(result, words.block),
    getBalance: (result, symbol) => {
      const lamports = memberOf(result, 'value');
      return Number.isSafeInteger(lamports)
        ? `${scaled(BigInt(lamports as number), LAMPORT_DECIMALS)} ${symbol}`
        : null;
    },
  }),
);

function describeBlock(result: unknown): string | null {
  const number = countOf(memberOf(result, 'number'));
  if (number === null) return null;
  const transactions = memberOf(result, 'transactions');
  const seconds = Number(memberOf(result, 'timestamp'));
  return [
    words.block(number),
    ...(Array.isArray(transactions) ? [words.transactions(formatCount(transactions.length))] : []),
    ...(Number.isSafeInteger(seconds * MILLISECONDS) && seconds > 0 ? [formatDateTime(seconds * MILLISECONDS)] : []),
  ].join(' · ');
}

function describeReceipt(result: unknown): string | null {
  const block = countOf(memberOf(result, 'blockNumber'));
  const status = memberOf(result, 'status');
  if (block === null || (status !== '0x0' && status !== '0x1')) return null;
  return status === '0x1' ? words.succeeded(block) : words.failed(block);
}

function describeCode(code: string): string | null {
  if (code === '0x') return words.noContract;
  return /^0x(?:[0-9a-f]{2})+$/i.test(code) ? words.contract(formatCount(code.length / 2 - 1)) : null;
}

function whenCounted(result: unknown, say: (count: string) => string): string | null {
  const count = countOf(result);
  return count === null ? null : say(count);
}

/** Reads a hexadecimal quantity or a whole number. */
function countOf(value: unknown): string | null {
  if (typeof value === 'string') return readQuantity(value);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? formatCount(value as number) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
