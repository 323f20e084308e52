import { describe, expect, it } from 'vitest';
import { ExecutionSearch, type Judgement, type Wanted } from './execution-search';
import { type HistoryEntry, SIGNATURES_PAGE, type SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

const PAID: Judgement = { outcome: 'paid', transactionId: 'it', amountUnits: 5n };
const IT = 'the execution';
/** All slots of this file's histories are between these. */
const RANGE = { fromSlot: 1_000, slot: 90_000 };

/** Returns strangers' transactions from the newest slot back, `perSlot` in each. */
function foreign(
  name: string,
  count: number,
  { newest = 80_000, perSlot = 10, memo = null }: { newest?: number; perSlot?: number; memo?: string | null } = {},
): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    signature: `${name} ${index}`,
    slot: newest - Math.floor(index / perSlot),
    err: null,
    memo,
  }));
}

const entry = (slot: number, change: Partial<HistoryEntry> = {}): HistoryEntry => ({
  signature: IT,
  slot,
  err: null,
  memo: null,
  ...change,
});
const newestFirst = (entries: readonly HistoryEntry[]): HistoryEntry[] => [...entries].sort((a, b) => b.slot - a.slot);

/** Node with these histories. Counts its calls. */
class ScriptedNode {
  calls = 0;
  firstAvailable = 0;
  readonly #places = new Map<string, number>();

  constructor(readonly histories: Readonly<Record<'payer' | 'receiver', readonly HistoryEntry[]>>) {}

  history(account: string, { before }: { before: string | undefined }): Promise<readonly HistoryEntry[]> {
    this.calls++;
    const entries = this.histories[account as 'payer' | 'receiver'];
    const from = before === undefined ? 0 : this.#after(account, entries, before);
    return Promise.resolve(entries.slice(from, from + SIGNATURES_PAGE));
  }

  #after(account: string, entries: readonly HistoryEntry[], before: string): number {
    if (!this.#places.has(`${account} ${before}`))
      for (const [place, { signature }] of entries.entries()) this.#places.set(`${account} ${signature}`, place);
    return (this.#places.get(`${account} ${before}`) ?? -1) + 1;
  }

  firstAvailableSlot(): Promise<number> {
    return Promise.resolve(this.firstAvailable);
  }
}

const asNode = (node: ScriptedNode): SolanaNode => node as unknown as SolanaNode;

function wanted(change: Partial<Wanted> & { memo?: string | null; hash?: string } = {}): Wanted & { judged: string[] } {
  const { memo = null, hash = 'hash', ...rest } = change;
  const judged: string[] = [];
  const judge = (signature: string): Promise<Judgement> => {
    judged.push(signature);
    return Promise.resolve(signature === IT ? PAID : 'other');
  };
  const transfer = { messageHash: hash, source: 'payer', destination: 'receiver', memo } as SolanaTransfer;
  return { transfer, ...RANGE, only: null, judge, judged, ...rest };
}

/** Looks until the walk ends. @returns the outcome and the number of lookups */
async function walked(search: ExecutionSearch, sought: Wanted, looksMax = 200) {
  for (let looks = 1; looks <= looksMax; looks++) {
    const outcome = await search.walk(sought);
    if (outcome !== 'more') return { outcome, looks };
  }
  return { outcome: 'more', looks: looksMax };
}

describe('the walk through both histories of an expired payment', () => {
  const FLOOD = 25_000;

  it.each([
    ["the payer's", { payer: FLOOD, receiver: 3 }],
    ["the receiver's", { payer: 3, receiver: FLOOD }],
    ['both', { payer: FLOOD, receiver: FLOOD }],
  ])('ends under 25,000 foreign transactions on %s, and keeps a few pages of them', async (_, { payer, receiver }) => {
    const node = new ScriptedNode({ payer: foreign('p', payer), receiver: foreign('r', receiver) });
    const search = new ExecutionSearch(asNode(node), () => 0);
    const sought = wanted();
    let most = 0;
    const { outcome, looks } = await walked(
      {
        walk: async (each: Wanted) => search.walk(each).finally(() => (most = Math.max(most, search.kept))),
      } as ExecutionSearch,
      sought,
    );
    expect(outcome).toBe('absent');
    expect(looks).toBeLessThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(2 * SIGNATURES_PAGE);
    expect(search.kept).toBe(0);
  });

  it('finds the execution beneath them', async () => {
    const at = 80_000 - 2_450;
    const [payer, receiver] = [
      newestFirst([...foreign('p', FLOOD), entry(at)]),
      newestFirst([...foreign('r', FLOOD), entry(at)]),
    ];
    const { outcome, looks } = await walked(
      new ExecutionSearch(asNode(new ScriptedNode({ payer, receiver })), () => 0),
      wanted(),
    );
    expect(outcome).toEqual(PAID);
    expect(looks).toBeLessThanOrEqual(10);
  });

  it('finds it where a whole page of either is in its slot', async () => {
    const [payer, receiver] = ['p', 'r'].map((name) => {
      const rest = foreign(name, 2_500, { perSlot: 2_500, newest: 50_000 });
      return name === 'p' ? [...rest, entry(50_000)] : [entry(50_000), ...rest];
    }) as [HistoryEntry[], HistoryEntry[]];
    expect(
      (await walked(new ExecutionSearch(asNode(new ScriptedNode({ payer, receiver })), () => 0), wanted())).outcome,
    ).toEqual(PAID);
  });

  it('asks for none of what came after the payment had expired, nor before it was verified', async () => {
    const after = foreign('after', 3_000, { newest: 95_000, perSlot: 1 });
    const before = foreign('before', 3_000, { newest: 999, perSlot: 10 });
    const both = [...after, entry(40_000), ...before];
    const sought = wanted();
    expect(
      (await walked(new ExecutionSearch(asNode(new ScriptedNode({ payer: both, receiver: both })), () => 0), sought))
        .outcome,
    ).toEqual(PAID);
    expect(
      sought.judged.filter((signature) => after.some((each) => each.signature === signature && each.slot > RANGE.slot)),
    ).toEqual([]);
    expect(sought.judged).not.toContain(before[0]?.signature);
  });

  it('looks first at what has the memo of the payment', async () => {
    const alike = foreign('alike', 800);
    const both = newestFirst([...alike, entry(79_950, { memo: '[4] f00d' })]);
    const sought = wanted({ memo: '[4] f00d' });
    expect(
      (await walked(new ExecutionSearch(asNode(new ScriptedNode({ payer: both, receiver: both })), () => 0), sought))
        .outcome,
    ).toEqual(PAID);
    expect(sought.judged).toEqual([IT]);
  });

  it('comes to the execution under look-alikes at eight a look', async () => {
    const both = newestFirst([...foreign('alike', 2_000), entry(79_799)]);
    const sought = wanted();
    const { outcome, looks } = await walked(
      new ExecutionSearch(asNode(new ScriptedNode({ payer: both, receiver: both })), () => 0),
      sought,
      300,
    );
    expect(outcome).toEqual(PAID);
    expect(looks).toBeLessThanOrEqual(252);
    expect(new Set(sought.judged).size).toBe(sought.judged.length);
  });

  it('for a signature that is known asks about no other, and ends with the shorter history', async () => {
    const both = foreign('alike', 500);
    const node = new ScriptedNode({ payer: [...both, ...foreign('p', FLOOD, { newest: 70_000 })], receiver: both });
    const sought = wanted({ only: IT });
    expect(await walked(new ExecutionSearch(asNode(node), () => 0), sought)).toEqual({ outcome: 'absent', looks: 1 });
    expect(sought.judged).toEqual([]);
    expect(node.calls).toBeLessThanOrEqual(3);
  });

  it('finds a signature that is known in either', async () => {
    const node = new ScriptedNode({ payer: foreign('p', FLOOD), receiver: [entry(60_000)] });
    expect((await walked(new ExecutionSearch(asNode(node), () => 0), wanted({ only: IT }))).outcome).toEqual(PAID);
  });

  it('does not end where the node does not have a transaction, and does not ask again at once', async () => {
    const both = foreign('alike', 20);
    const search = new ExecutionSearch(asNode(new ScriptedNode({ payer: both, receiver: both })), () => 0);
    const unknown = wanted({ judge: () => Promise.resolve('unknown') });
    expect(await search.walk(unknown)).toBe('more');
    for (let look = 0; look < 5; look++) expect(await search.walk(unknown)).toBeNull();
    expect((await walked(search, wanted())).outcome).toBe('absent');
  });

  it('does not end where the node has forgotten the rest, and begins anew', async () => {
    const both = [entry(50_000)];
    const node = new ScriptedNode({ payer: [], receiver: both });
    node.firstAvailable = RANGE.fromSlot + 1;
    const search = new ExecutionSearch(asNode(node), () => 0);
    expect(await search.walk(wanted())).toBeNull();
    Object.assign(node.histories, { payer: both });
    expect(await search.walk(wanted())).toEqual(PAID);
  });

  it('believes no history that is out of order', async () => {
    const payer = newestFirst(foreign('p', 50)).reverse();
    await expect(
      new ExecutionSearch(asNode(new ScriptedNode({ payer, receiver: [] })), () => 0).walk(wanted()),
    ).rejects.toThrow('out of order');
  });
});

describe('what searches remember', () => {
  const flooded = (): ExecutionSearch =>
    new ExecutionSearch(
      asNode(new ScriptedNode({ payer: foreign('p', 20_000), receiver: foreign('r', 20_000, { perSlot: 7 }) })),
      () => 0,
      3_000,
    );

  it('is bounded for all together, and every search comes to its end', async () => {
    const search = flooded();
    const open = new Map(Array.from({ length: 8 }, (_, index) => [index, wanted({ hash: `hash ${index}` })]));
    for (let round = 0; round < 80 && open.size > 0; round++) {
      for (const [index, each] of open) {
        if ((await search.walk(each)) === 'absent') open.delete(index);
        expect(search.kept).toBeLessThanOrEqual(3_000);
      }
    }
    expect([...open.keys()]).toEqual([]);
  });

  it('of more payments than are probed is not lost between two looks', async () => {
    const node = new ScriptedNode({ payer: foreign('p', 8_000), receiver: foreign('r', 8_000) });
    const search = new ExecutionSearch(asNode(node), () => 0);
    const all = Array.from({ length: 600 }, (_, index) => wanted({ hash: `hash ${index}` }));
    const open = new Set(all);
    for (let round = 0; round < 12 && open.size > 0; round++) {
      for (const each of open) if ((await search.walk(each)) === 'absent') open.delete(each);
    }
    expect(open.size).toBe(0);
  }, 120_000);

  it('of a payment that nobody goes on with is dropped after a while', async () => {
    let now = 0;
    const search = new ExecutionSearch(
      asNode(new ScriptedNode({ payer: foreign('p', 20_000), receiver: foreign('r', 20_000, { perSlot: 7 }) })),
      () => now,
    );
    await search.walk(wanted({ hash: 'left' }));
    const kept = search.kept;
    now += 3 * 3_600_000;
    await search.walk(wanted({ hash: 'other' }));
    expect(search.kept).toBe(kept);
  });
});
