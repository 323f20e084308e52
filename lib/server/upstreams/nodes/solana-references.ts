import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { type BlockReference, HEAD_STATE } from './block-reference';
import { commitmentOf, HEAD_COMMITMENTS } from './head-height';
import { contextSlot, type HeightFinder, memberHeight, NO_HEIGHT_FINDER, wholeHeight } from './height-finders';

const byCommitment = (heightIn: HeightFinder): readonly BlockReference[] =>
  HEAD_COMMITMENTS.map((commitment) => ({
    ...HEAD_STATE,
    commitment,
    tells: heightIn === NO_HEIGHT_FINDER ? 'nothing' : 'head',
    heightIn,
  }));

const IN_CONTEXT = byCommitment(contextSlot);
const UNTOLD = byCommitment(NO_HEIGHT_FINDER);
const HISTORY = UNTOLD.map((reference): BlockReference => ({ ...reference, data: 'history' }));

const HEADS: ReadonlyMap<string, readonly BlockReference[]> = new Map<string, readonly BlockReference[]>([
  ['getSlot', byCommitment(wholeHeight)],
  ['getEpochInfo', byCommitment(memberHeight('absoluteSlot'))],
  ...[
    'getAccountInfo',
    'getBalance',
    'getFeeForMessage',
    'getLargestAccounts',
    'getLatestBlockhash',
    'getMultipleAccounts',
    'getProgramAccounts',
    'getSupply',
    'getTokenAccountBalance',
    'getTokenAccountsByDelegate',
    'getTokenAccountsByOwner',
    'getTokenLargestAccounts',
    'getTokenSupply',
    'isBlockhashValid',
    'simulateTransaction',
  ].map((method): [string, readonly BlockReference[]] => [method, IN_CONTEXT]),
  // `getBlockHeight` counts blocks, not slots.
  ['getBlockHeight', UNTOLD],
  ['getTransactionCount', UNTOLD],
  ['getSignaturesForAddress', UNTOLD.map((reference) => ({ ...reference, isRange: true }))],
]);

const SLOTS: ReadonlySet<string> = new Set([
  'getBlock',
  'getBlockTime',
  'getBlockCommitment',
  'getBlocksWithLimit',
  'getConfirmedBlock',
  'getConfirmedBlocksWithLimit',
]);
const RANGES: ReadonlySet<string> = new Set(['getBlocks', 'getConfirmedBlocks']);
const TRANSACTIONS: ReadonlySet<string> = new Set(['getTransaction', 'getConfirmedTransaction']);

/** Commitment of signature statuses, whatever commitment was requested. */
const PROCESSED = 2;

export function solanaReference({ method, params }: RpcRequest): BlockReference | null {
  if (method === 'getSignatureStatuses') {
    const [id = null, ...moreIds] = signaturesIn(params);
    return { ...(IN_CONTEXT[PROCESSED] as BlockReference), id, moreIds };
  }
  const commitment = commitmentOf(params);
  const history = HISTORY[commitment] as BlockReference;
  if (TRANSACTIONS.has(method))
    return { ...history, at: 'transaction', id: firstText(params), tells: 'block', heightIn: memberHeight('slot') };
  if (SLOTS.has(method)) return atSlot(/^\s*\[\s*(\d{1,16})\s*[,\]]/.exec(params)?.[1], history);
  if (RANGES.has(method)) {
    const range = { ...history, isRange: true };
    return atSlot(/^\s*\[\s*\d{1,16}\s*,\s*(\d{1,16})\s*[,\]]/.exec(params)?.[1], range) ?? range;
  }
  const head = HEADS.get(method)?.[commitment];
  if (!head || !params.includes('"minContextSlot"')) return head ?? null;
  const least = /"minContextSlot"\s*:\s*(\d{1,15})\s*[,}]/.exec(params)?.[1];
  return least === undefined ? head : { ...head, height: Number(least) };
}

function atSlot(slot: string | undefined, reference: BlockReference): BlockReference | null {
  const height = Number(slot);
  return slot !== undefined && Number.isSafeInteger(height) ? { ...reference, at: 'number', height } : null;
}

function firstText(params: string): string | null {
  return signaturesIn(params)[0] ?? null;
}

function signaturesIn(params: string): string[] {
  return Array.from(params.matchAll(/"([1-9A-HJ-NP-Za-km-z]{64,90})"/g), ([, signature = '']) => signature);
}
