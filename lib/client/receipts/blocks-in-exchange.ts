import { isRecord } from '@/lib/protocol/json-record';
import { blocksInAnswer } from '@/lib/protocol/receipts/block-in-answer';
import type { AskedBlock, BlockPlace, Receipt } from '@/lib/protocol/receipts/receipt';
import { canonicalJson } from '@/lib/protocol/canonical-json';

const INTEGER = /^(?:0x[0-9a-f]{1,64}|\d{1,20})$/i;
const SHOWN_MAX = 3;
/** Maximum nesting depth of a request. */
const DEPTH_MAX = 128;

type RpcPart = NonNullable<Receipt['rpc']>;
type Blocks = Pick<RpcPart, 'block' | 'askedBlock'>;

interface Exchange {
  method: string;
  request?: Uint8Array | undefined;
  answer?: Uint8Array | undefined;
}

/** Returns why a receipt's blocks contradict its request or answer; null without a contradiction. */
export function blocksFault(rpc: RpcPart, { method, request, answer }: Exchange): string | null {
  const requests = request && itemsIn(request);
  const said: readonly Blocks[] = rpc.items ?? [rpc];
  if (rpc.items && requests && requests.length !== said.length)
    return 'The request and the receipt have different numbers of items.';
  // A receipt does not list a batch's methods, so they come from the request.
  const methods = rpc.items ? requests?.map((item) => (isRecord(item) ? String(item['method']) : '')) : [method];
  const found = answer && methods && blocksInAnswer(answer, methods);
  if (found && !said.every(({ block }, index) => isSameBlock(found[index], block)))
    return 'The answer and the receipt refer to different blocks.';
  if (requests && !said.every(({ askedBlock }, index) => !askedBlock || names(requests[index], askedBlock)))
    return 'The request does not refer to the block in the receipt.';
  return null;
}

/** Returns a sentence that states the answer's block, else the requested block. */
export function blocksSentence({ network, block, askedBlock, items }: RpcPart): string {
  const seen = `, which any node of ${network} can show.`;
  if (items) {
    const named = items.flatMap((item, index) => placeOf(item).map((place) => `${index + 1}: ${place}`));
    const more = named.length > SHOWN_MAX ? `, and ${named.length - SHOWN_MAX} more` : '';
    return named.length === 0 ? '' : ` Blocks by item: ${named.slice(0, SHOWN_MAX).join(', ')}${more}.`;
  }
  if (block) return ` It refers to block ${numbered(block)}${seen}`;
  return askedBlock ? ` The request asked for block ${shown(askedBlock)}. The answer contains none.` : '';
}

function placeOf({ block, askedBlock }: Blocks): string[] {
  if (block) return [`answer of block ${numbered(block)}`];
  return askedBlock ? [`asked for block ${shown(askedBlock)}`] : [];
}

const numbered = ({ number, hash }: BlockPlace): string => `${number}${hash ? ` (${hash})` : ''}`;
const shown = (asked: AskedBlock): string => Object.values(asked)[0] ?? '';

function isSameBlock(found: BlockPlace | null | undefined, said: BlockPlace | undefined): boolean {
  return canonicalJson(found ?? null) === canonicalJson(said ?? null);
}

function itemsIn(request: Uint8Array): readonly unknown[] {
  try {
    const body = JSON.parse(new TextDecoder().decode(request)) as unknown;
    return Array.isArray(body) ? body : [body];
  } catch {
    return [];
  }
}

/** Searches all params for the block, because its position depends on the method. */
function names(item: unknown, asked: AskedBlock): boolean {
  const wanted = shown(asked);
  const isWanted = (value: unknown, depth = 0): boolean => {
    if (typeof value === 'object' && value !== null)
      return depth < DEPTH_MAX && Object.values(value).some((member) => isWanted(member, depth + 1));
    if ('tag' in asked) return value === wanted;
    if (value === 'earliest') return BigInt(wanted) === 0n;
    return INTEGER.test(String(value)) && BigInt(String(value)) === BigInt(wanted);
  };
  return isRecord(item) && isWanted(item['params']);
}
