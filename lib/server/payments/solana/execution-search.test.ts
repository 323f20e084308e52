import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { ExecutionSearch, type Wanted } from './execution-search';
import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

const signatureOf = (index: number): string => base58.encode(createHash('sha512').update(String(index)).digest());
const FLOOD: readonly HistoryEntry[] = Array.from({ length: 5_500 }, (_, index) => ({ signature: signatureOf(index), slot: 10_000 - index, err: null, memo: null }));

/** A node where strangers named the payer's account in thousands of transactions, and the receiver's in a few. */
function floodedNode(): SolanaNode {
  const history = (account: string, { before }: { before: string | undefined }): Promise<readonly HistoryEntry[]> => {
    if (account === 'receiver') return Promise.resolve([]);
    const from = before === undefined ? 0 : FLOOD.findIndex(({ signature }) => signature === before) + 1;
    return Promise.resolve(FLOOD.slice(from, from + SIGNATURES_PAGE));
  };
  return { history, firstAvailableSlot: () => Promise.resolve(0) } as unknown as SolanaNode;
}

function wanted(index: number): Wanted {
  const transfer = { messageHash: `hash ${index}`, source: 'payer', destination: 'receiver', memo: null } as SolanaTransfer;
  return { transfer, fromSlot: 1, slot: 20_000, judge: () => Promise.resolve('other') };
}

describe('what searches remember', () => {
  it('is bounded for all together, and every search comes to its end', async () => {
    const search = new ExecutionSearch(floodedNode(), () => 0, 12_000);
    const open = new Map(Array.from({ length: 8 }, (_, index) => [index, wanted(index)]));
    for (let round = 0; round < 12 && open.size > 0; round++) {
      for (const [index, each] of open) {
        if ((await search.walk(each)) === 'absent') open.delete(index);
        expect(search.kept).toBeLessThanOrEqual(12_000);
      }
    }
    expect([...open.keys()]).toEqual([]);
  });

  it('is forgotten once a search has ended', async () => {
    const search = new ExecutionSearch(floodedNode(), () => 0);
    for (let look = 0; look < 4 && (await search.walk(wanted(0))) === null; look++) expect(search.kept).toBeGreaterThan(0);
    expect(search.kept).toBe(0);
  });
});
