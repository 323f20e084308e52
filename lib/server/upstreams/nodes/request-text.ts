import type { PlainBatch, RpcRequest } from '@/lib/protocol/jsonrpc/messages';

export function requestText({ method, params }: RpcRequest, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/**
 * Returns the text of a batch. Its items get consecutive ids.
 * @param plain the batch as received, if only its ids need to change
 */
export function batchText(items: readonly RpcRequest[], firstId: number, plain?: PlainBatch): string {
  if (plain && plain.bytes.length + items.length * ID_DIGITS_MAX <= scratch.length) return renumbered(plain, firstId);
  let text = '';
  let last: string | null = null;
  let named = '';
  for (let i = 0; i < items.length; i++) {
    const { method, params } = items[i] as RpcRequest;
    // Reuses the text of a repeated method, because joining fewer strings is faster.
    if (method !== last) named = `,"method":"${(last = method)}","params":`;
    text += (i === 0 ? '[{"jsonrpc":"2.0","id":' : '},{"jsonrpc":"2.0","id":') + (firstId + i) + named + params;
  }
  return `${text}}]`;
}

const ID_DIGITS_MAX = 10;
const ZERO = 0x30;
/** Buffer for renumbering. Joining strings instead would take twice the time. */
const scratch = Buffer.allocUnsafeSlow(65_536);

function renumbered({ bytes, ids }: PlainBatch, firstId: number): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let from = 0;
  for (let i = 0; i < ids.length; i += 2) {
    const to = ids[i] as number;
    source.copy(scratch, at, from, to);
    at = writeId(at + to - from, firstId + i / 2);
    from = ids[i + 1] as number;
  }
  source.copy(scratch, at, from);
  return scratch.toString('latin1', 0, at + source.length - from);
}

function writeId(start: number, id: number): number {
  let end = start + 1;
  for (let power = 10; id >= power; power *= 10) end++;
  let rest = id;
  for (let at = end - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    scratch[at] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return end;
}

/** Upper limit of ids. All JSON parsers keep smaller ids exact. */
const IDS = 2 ** 31;

/** The first id is random, so that a late answer to an earlier process does not match a request from this process. */
let next = Math.floor(Math.random() * IDS);

/** Returns the first of `count` consecutive ids that no unanswered request has. */
export function takeIds(count: number): number {
  if (next + count > IDS) next = 0;
  const first = next;
  next += count;
  return first;
}
