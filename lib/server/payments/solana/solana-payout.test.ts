import { base58 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withdrawalText } from '@/lib/protocol/x402/withdrawal-text';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { ScriptedSolana } from '@/test/scripted-solana';
import { PROGRAMS, testAddress, type TestKey, testKey } from '@/test/solana-messages';
import { SqliteBooks } from '@/test/sqlite-books';
import { HOUR_MS, type Owner, ORIGINS, refusal, USD, WithdrawalBench } from '@/test/withdrawal-bench';
import type { Withdrawal } from '../../db/withdrawals';
import type { AskedWithdrawal } from '../withdrawals/withdrawals';
import { SolanaPayout } from './solana-payout';
import { associatedTokenAccount } from './token-programs';

const MINT = testAddress(1);
const PAYING = testKey(5);
const STRANGER = testKey(7);
const FIRST_OWNER = 100;
const accountOf = (owner: string): string => associatedTokenAccount(owner, MINT, PROGRAMS.token);
const PAYING_ACCOUNT = accountOf(PAYING.address);
const SLOT_MS = 400;

/**
 * What becomes of a sent transaction: executed, executed without an answer, lost, executed and dropped with its block,
 * or refused by the node.
 */
const FATES = ['executes', 'unanswered', 'lost', 'dropped', 'refused'] as const;
type Fate = (typeof FATES)[number];

class SolanaBench extends WithdrawalBench<SolanaPayout> {
  readonly chain = new ScriptedSolana();
  /** Key of the wallet that withdraws. */
  key = testKey(FIRST_OWNER);
  fates: Fate[] = [];
  step = (): void => undefined;

  constructor(books: MeteredStore) {
    super(
      books,
      (now) =>
        new SolanaPayout({
          config: { token: { address: MINT, symbol: 'USDC', decimals: 6 }, feeLamportsMax: 110_000 },
          terms: {
            network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
            name: 'solana',
            rpcNetwork: 'solana-mainnet',
            asset: MINT,
            symbol: 'USDC',
            decimals: 6,
            payTo: testKey(8).address,
          },
          rpc: (method, params) => this.chain.rpc(method, params),
          secret: base58.encode(PAYING.seed),
          now,
        }),
    );
    this.chain.open(PAYING_ACCOUNT, { mint: MINT, owner: PAYING.address, units: 10n ** 12n });
    this.chain.open(this.account, { mint: MINT, owner: this.key.address });
    this.onPass = (ms) => (this.chain.slot += ms / SLOT_MS);
    this.chain.lie = (method, _params, honest) => {
      this.step();
      const answer = method === 'sendTransaction' ? this.#send(honest) : honest();
      this.step();
      return answer;
    };
  }

  owner(usd: number): Promise<Owner> {
    return this.wallet(usd, {}, this.key.address);
  }

  /** Returns a request signed by the wallet, or by another key. */
  signed(
    usd: number,
    change: Partial<AskedWithdrawal['statement']> = {},
    key: Pick<TestKey, 'sign'> = this.key,
  ): AskedWithdrawal {
    const asked = this.asked(usd, change);
    const text = withdrawalText({ ...asked.statement, to: this.key.address }, asked);
    return { ...asked, signature: base58.encode(key.sign(Buffer.from(text))) };
  }

  get account(): string {
    return accountOf(this.key.address);
  }

  get paid(): bigint {
    return this.chain.units(this.account);
  }

  #send(honest: () => unknown): unknown {
    const fate = this.fates.shift() ?? 'executes';
    if (fate === 'refused') throw new Error('refused');
    if (fate === 'lost') return 'accepted';
    const answer = honest();
    if (fate === 'dropped') this.chain.dropNewest();
    if (fate === 'unanswered') throw new Error('no answer');
    return answer;
  }
}

const open = async (): Promise<SolanaBench> => new SolanaBench(await SqliteBooks.open());

/** Signs a payout of 1 USD to the wallet. @returns the recorded form */
async function recorded(b: SolanaBench, identity = 'one'): Promise<Withdrawal> {
  const { content, fromHeight } = await b.payout.sign(b.key.address, 1_000_000n, identity);
  return { identity, content, from_height: fromHeight, payout_units: '1000000' } as Withdrawal;
}

const signatureOf = ({ content }: Withdrawal): string => (JSON.parse(content) as { signature: string }).signature;

const submit = (b: SolanaBench, withdrawal: Withdrawal): Promise<void> =>
  b.payout.submit(withdrawal, { onTransaction: () => Promise.resolve() });

describeStores('a withdrawal on Solana', (openBooks) => {
  it('reaches the wallet that signed it once, when it is final', async () => {
    const b = new SolanaBench(await openBooks());
    const owner = await b.owner(10);
    const process = b.process();
    const asked = b.signed(4);
    const { id } = await process.request(asked, owner, ORIGINS);
    await process.resume();
    expect(await process.find(owner.accountId, id)).toMatchObject({ state: 'submitted' });
    await b.settle(process);
    const sent = await process.find(owner.accountId, id);
    expect(sent).toMatchObject({ state: 'sent', amount: 4 * USD, balance_after: 6 * USD });
    expect(JSON.parse(sent?.content ?? '')).toMatchObject({ signature: sent?.transaction_id });
    expect(await process.request(asked, owner, ORIGINS)).toMatchObject({ id, state: 'sent' });
    expect([b.paid, await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('whose process is killed anywhere, any number of times, leaves as much as is debited, and never twice', async () => {
    const b = new SolanaBench(await openBooks());
    let owners = FIRST_OWNER;
    await b.killEverywhere<Fate>({
      fates: fc.array(fc.constantFrom(...FATES), { maxLength: 6 }),
      prepare: (fates) => {
        b.fates = fates;
        b.key = testKey(++owners);
        b.chain.open(b.account, { mint: MINT, owner: b.key.address });
        return b.owner(5);
      },
      asked: (_owner, validBefore) => b.signed(4, { validBefore }),
      setStep: (step) => (b.step = step),
      paidTo: () => b.paid,
    });
  }, 600_000);
});

describe('a transfer of a withdrawal on Solana', () => {
  it('that expires unexecuted is replaced, and only then', async () => {
    const b = await open();
    const owner = await b.owner(10);
    b.fates = Array.from({ length: 40 }, (): Fate => 'lost');
    const process = b.process();
    const { id, content } = await process.request(b.signed(4), owner, ORIGINS);
    for (let passed = 0; passed < 60_000; passed += 10_000) {
      await process.resume();
      expect(await process.find(owner.accountId, id)).toMatchObject({ content });
      b.pass(10_000);
    }
    b.pass(30_000);
    await process.resume();
    expect((await process.find(owner.accountId, id))?.content).not.toBe(content);
    b.fates = [];
    await b.settle(process);
    expect(b.paid).toBe(3_950_000n);
  });

  it('is credited back if none was executed within an hour', async () => {
    const b = await open();
    const owner = await b.owner(10);
    const process = b.process();
    b.fates = Array.from({ length: 400 }, (): Fate => 'lost');
    const { id } = await process.request(b.signed(4), owner, ORIGINS);
    await b.settle(process);
    expect(await process.find(owner.accountId, id)).toMatchObject({ state: 'failed' });
    expect([b.paid, await b.balance(owner)]).toEqual([0n, 10 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('that a database forgot, for example restored from a backup, is found and not paid again', async () => {
    const b = await open();
    const owner = await b.owner(10);
    const process = b.process();
    b.fates = Array.from({ length: 40 }, (): Fate => 'lost');
    const { id } = await process.request(b.signed(4), owner, ORIGINS);
    await process.resume();
    const [backup] = await b.db.selectFrom('withdrawals').selectAll().execute();
    for (let passed = 0; passed < 100_000; passed += 10_000) {
      b.pass(10_000);
      await process.resume();
    }
    b.fates = [];
    await b.settle(process);
    const sent = await process.find(owner.accountId, id);
    expect(sent).toMatchObject({ state: 'sent' });
    expect(sent?.content).not.toBe(backup?.content);
    await b.db
      .updateTable('withdrawals')
      .set({ ...backup, next_look_at: 0, lease_owner: null })
      .execute();
    // A stranger copies the memo, and a later withdrawal of the same amount is another one.
    b.chain.dust([PAYING_ACCOUNT, b.account], 3, `[32] ${'0'.repeat(32)}`);
    await b.settle(process);
    expect(await process.find(owner.accountId, id)).toMatchObject({
      state: 'sent',
      transaction_id: sent?.transaction_id,
    });
    expect(b.paid).toBe(3_950_000n);
    await process.request(b.signed(4), owner, ORIGINS);
    await b.settle(process);
    expect(b.paid).toBe(2n * 3_950_000n);
  });

  it.each([true, false])(
    'that has expired is not replaced while another may be pending that a restored database lacks, executed: %s',
    async (isExecuted) => {
      const b = await open();
      const restored = await recorded(b);
      b.chain.expire();
      expect(await b.payout.look(restored)).toMatchObject({ outcome: 'lapsed' });
      const lacking = await recorded(b);
      const nextProcess = new SolanaPayout(b.payout['parts']);
      b.chain.slot += 140;
      expect(await nextProcess.look(restored)).toMatchObject({ outcome: 'possible' });
      if (isExecuted) await submit(b, lacking);
      b.chain.slot += 140;
      expect(await nextProcess.look(restored)).toMatchObject({ outcome: 'possible' });
      b.chain.expire();
      expect(await nextProcess.look(restored)).toMatchObject({ outcome: isExecuted ? 'paid' : 'lapsed' });
    },
  );

  it('that has expired is replaced, also after a node has once told a far too great height', async () => {
    const b = await open();
    const expired = await recorded(b);
    const nextProcess = new SolanaPayout(b.payout['parts']);
    b.chain.slot += 1_000_000;
    await nextProcess.look(expired);
    b.chain.slot -= 1_000_000;
    await nextProcess.look(expired);
    b.chain.expire();
    expect(await nextProcess.look(expired)).toMatchObject({ outcome: 'lapsed' });
  });

  it('that a restored database lacks is found after the operator has changed the paying key', async () => {
    const b = await open();
    const restored = await recorded(b);
    b.chain.expire();
    await submit(b, await recorded(b));
    b.chain.expire();
    const changed = new SolanaPayout({ ...b.payout['parts'], secret: base58.encode(STRANGER.seed) });
    await changed.look(restored);
    b.chain.expire();
    expect(await changed.look(restored)).toMatchObject({ outcome: 'paid' });
  });

  it('is paid only when its block is final, and is not sent again until then', async () => {
    const b = await open();
    const withdrawal = await recorded(b);
    expect(await b.payout.look(withdrawal)).toEqual({ outcome: 'possible', note: null });
    await submit(b, withdrawal);
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'possible', isSubmittable: false });
    b.chain.finalize();
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'paid', amountUnits: 1_000_000n });
  });

  it('that a node forgot is not replaced if the histories of the accounts name it', async () => {
    const b = await open();
    const withdrawal = await recorded(b);
    await submit(b, withdrawal);
    b.chain.expire();
    b.chain.lie = (method, _params, honest) =>
      method === 'getTransaction'
        ? null
        : method === 'getSignatureStatuses'
          ? { context: { slot: 1 }, value: [null] }
          : honest();
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'possible', isSubmittable: false });
    b.chain.lie = null;
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'paid' });
  });

  it('is not replaced while a node with pruned histories cannot tell', async () => {
    const b = await open();
    const withdrawal = await recorded(b);
    b.chain.expire();
    b.chain.firstAvailable = b.chain.slot - 10;
    for (let look = 0; look < 3; look++)
      expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'possible', isSubmittable: false });
    b.chain.firstAvailable = 0;
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'lapsed' });
  });

  it('that was executed and failed moves nothing and is not repeated', async () => {
    const b = await open();
    const withdrawal = await recorded(b);
    b.chain.accounts.delete(b.account);
    b.chain.execute((JSON.parse(withdrawal.content) as { wire: string }).wire);
    b.chain.finalize();
    expect(await b.payout.look(withdrawal)).toMatchObject({ outcome: 'impossible' });
  });

  it('is another transaction than an equal one in the same block', async () => {
    const b = await open();
    b.chain.blockhash = () => testAddress(77);
    const [one, other] = [await recorded(b, 'one'), await recorded(b, 'other')];
    expect(signatureOf(one)).not.toBe(signatureOf(other));
  });

  it('costs no more than the rail allows', async () => {
    const b = await open();
    Object.assign(b.payout, {
      parts: { ...b.payout['parts'], config: { ...b.payout['parts'].config, feeLamportsMax: 5_000 } },
    });
    const { content } = await recorded(b);
    await submit(b, { content } as Withdrawal);
    expect(b.paid).toBe(1_000_000n);
  });
});

describe('a withdrawal on Solana is refused, and nothing is debited,', () => {
  it('by an EVM wallet, which is not offered it either', async () => {
    const b = await open();
    const owner = await b.wallet(10);
    expect(await b.process().terms(owner)).toEqual([]);
    expect(await refusal(b.process().request(b.signed(4), owner, ORIGINS))).toMatchObject({ field: 'network' });
    expect(await b.process().terms(await b.owner(10))).toMatchObject([{ withdrawable: 10 * USD, fee: 0.05 * USD }]);
  });

  it.each<[string, (b: SolanaBench) => AskedWithdrawal, Record<string, unknown>]>([
    ['without the signature of the wallet itself', (b) => b.signed(4, {}, STRANGER), { field: 'signature' }],
    [
      'with another amount than signed',
      (b) => ({ ...b.signed(4), statement: { ...b.signed(4).statement, amount: '5000000' } }),
      { field: 'signature' },
    ],
    ['without a signature', (b) => ({ ...b.signed(4), signature: '' }), { field: 'signature' }],
    ['in another token', (b) => ({ ...b.signed(4), asset: testAddress(2) }), { field: 'network' }],
    ['on another cluster', (b) => ({ ...b.signed(4), network: 'solana:other' }), { field: 'network' }],
    ['beyond the balance', (b) => b.signed(11), { reason: 'balance', possible: 10 * USD }],
  ])('%s', async (_name, ask, expected) => {
    const b = await open();
    const owner = await b.owner(10);
    expect(await refusal(b.process().request(ask(b), owner, ORIGINS))).toMatchObject(expected);
    expect(await b.balance(owner)).toBe(10 * USD);
  });

  it.each<[string, (b: SolanaBench) => void, Record<string, unknown>]>([
    ['has no token account', (b) => b.chain.accounts.delete(b.account), { field: 'asset' }],
    [
      'gave its token account to another owner',
      (b) => b.chain.open(b.account, { mint: MINT, owner: STRANGER.address }),
      { field: 'asset' },
    ],
  ])('if the wallet %s', async (_name, change, expected) => {
    const b = await open();
    const owner = await b.owner(10);
    change(b);
    expect(await refusal(b.process().request(b.signed(4), owner, ORIGINS))).toMatchObject(expected);
    expect(await b.balance(owner)).toBe(10 * USD);
  });

  it('if the paying key lacks tokens or SOL, or the node does not answer', async () => {
    const b = await open();
    const owner = await b.owner(10);
    const ask = () => refusal(b.process().request(b.signed(4), owner, ORIGINS));
    b.chain.lamports = 900_000;
    expect(await ask()).toMatchObject({ lacking: 'funds' });
    b.chain.lamports = 10 ** 9;
    b.chain.accounts.delete(PAYING_ACCOUNT);
    expect(await ask()).toMatchObject({ lacking: 'funds' });
    b.chain.lie = () => ({ value: 'nonsense' });
    expect(await ask()).toMatchObject({ name: 'ChainUnreachable' });
    expect(await b.balance(owner)).toBe(10 * USD);
  });

  it('if the statement has expired, and its time is at most an hour', async () => {
    const b = await open();
    const owner = await b.owner(10);
    for (const ms of [-1_000, 2 * HOUR_MS]) {
      const validBefore = String(Math.floor((b.clock + ms) / 1_000));
      expect(await refusal(b.process().request(b.signed(4, { validBefore }), owner, ORIGINS))).toMatchObject({
        field: 'validBefore',
      });
    }
  });
});
