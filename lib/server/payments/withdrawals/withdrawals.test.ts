import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { type Fate, FATES, ScriptedPayout } from '@/test/scripted-payout';
import { SqliteBooks } from '@/test/sqlite-books';
import { HOUR_MS, ORIGINS, refusal, USD, WithdrawalBench } from '@/test/withdrawal-bench';
import { eraseAccount } from '../../db/erase-account';
import { grantWithin } from '../../db/credits';
import { failWithdrawal, listWithdrawals, renewWithdrawal, withdrawable } from '../../db/withdrawals';
import type { AskedWithdrawal, Withdrawals } from './withdrawals';

type Bench = WithdrawalBench<ScriptedPayout>;
const scripted = (books: MeteredStore): Bench => new WithdrawalBench(books, (now) => new ScriptedPayout(now));

describeStores('a withdrawal', (open) => {
  const bench = async (): Promise<Bench> => scripted(await open());

  it('debits its amount once, and sends the amount without the fee to the wallet', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const process = b.process();
    const asked = b.asked(4);
    const recorded = await process.request(asked, owner, ORIGINS);
    expect(recorded).toMatchObject({ state: 'debited', amount: 4 * USD, fee: 0.05 * USD, balance_after: 6 * USD });
    await b.settle(process);
    expect(await process.find(owner.accountId, recorded.id)).toMatchObject({ state: 'sent', payout_units: '3950000' });
    expect(await process.request(asked, owner, ORIGINS)).toMatchObject({ id: recorded.id, state: 'sent' });
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('is credited back once if the transfer expires', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    b.payout.fates = Array.from({ length: 200 }, (): Fate => 'lost');
    const process = b.process();
    const { id } = await process.request(b.asked(4), owner, ORIGINS);
    await b.settle(process);
    await Promise.all([process.resume(), b.process().resume()]);
    expect(await process.find(owner.accountId, id)).toMatchObject({ state: 'failed' });
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([0n, 10 * USD]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('pays out neither grants, nor what was spent, nor what came by another rail', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const { accountId } = owner;
    await b.db
      .transaction()
      .execute((within) =>
        grantWithin(within, { accountId, pot: 'x402', amountNanoUsd: 5 * USD, detail: 'promotion' }),
      );
    await b.prepay(owner, 20, { network: 'eip155:1' });
    const possible = () => withdrawable(b.db, { ...b.payout.terms, account_id: accountId, wallet: owner.wallet });
    expect(await possible()).toBe(10 * USD);
    await b.books.charge(
      b.books.request(accountId, 24 * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } }),
    );
    expect([await b.balance(owner), await possible()]).toEqual([11 * USD, 6 * USD]);
    const process = b.process();
    expect(await refusal(process.request(b.asked(7), owner, ORIGINS))).toMatchObject({
      name: 'WithdrawalRefused',
      reason: 'balance',
      possible: 6 * USD,
    });
    await process.request(b.asked(6), owner, ORIGINS);
    await b.settle(process);
    expect([await b.balance(owner), await possible()]).toEqual([5 * USD, 0]);
    expect(await b.books.faults()).toEqual([]);
  });

  it('pays out what came after grants that were spent', async () => {
    const b = await bench();
    const owner = await b.wallet(1);
    const { accountId } = owner;
    const spend = (usd: number) =>
      b.books.charge(b.books.request(accountId, usd * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } }));
    const possible = () => withdrawable(b.db, { ...b.payout.terms, account_id: accountId, wallet: owner.wallet });
    await b.db
      .transaction()
      .execute((within) =>
        grantWithin(within, { accountId, pot: 'x402', amountNanoUsd: 10 * USD, detail: 'promotion' }),
      );
    await spend(11);
    expect([await b.balance(owner), await possible()]).toEqual([0, 0]);
    await b.prepay(owner, 5);
    expect(await possible()).toBe(5 * USD);
    await spend(2);
    expect(await possible()).toBe(3 * USD);
  });

  it('leaves what running calls have reserved', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const { accountId } = owner;
    const request = b.books.request(accountId, 7 * USD, { caller: { accountId, apiKeyId: null, purse: 'x402' } });
    const call = await b.books.admit(request);
    const process = b.process();
    expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject({ reason: 'balance' });
    await process.request(b.asked(3), owner, ORIGINS);
    await b.books.settle(call, 7 * USD);
    expect(await b.balance(owner)).toBe(0);
    expect(await b.books.faults()).toEqual([]);
  });

  it('is debited once for one statement, however many processes get it at once', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const asked = b.asked(4);
    const processes = [b.process(), b.process()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (processes[index % 2] as Withdrawals).request(asked, owner, ORIGINS)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    for (const process of processes) await b.settle(process);
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
  });

  it('together with others is never more than the balance or the bound of the day', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const others = await b.wallet(10);
    const processes = [b.process({ dailyUsdMax: 12 }), b.process({ dailyUsdMax: 12 })] as const;
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (processes[index % 2] as Withdrawals).request(b.asked(3), index < 6 ? owner : others, ORIGINS),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await b.settle(processes[0]);
    expect(b.payout.paidTo(owner.wallet) + b.payout.paidTo(others.wallet)).toBe(4n * 2_950_000n);
    expect(await refusal(processes[0].request(b.asked(1), others, ORIGINS))).toMatchObject({
      name: 'WithdrawalRefused',
      reason: 'daily-bound',
      possible: 0,
    });
    b.clock += 24 * HOUR_MS;
    expect(await refusal(processes[0].request(b.asked(1), others, ORIGINS))).toEqual({ taken: true });
    expect(await b.books.faults()).toEqual([]);
  });

  it('that is open keeps its account from being erased, and an erased account keeps no wallet in it', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const process = b.process();
    b.payout.fates = ['lost'];
    await process.request(b.asked(10), owner, ORIGINS);
    await process.resume();
    await expect(eraseAccount(b.db, owner.accountId, { forfeit: true })).rejects.toThrow(/1 pending withdrawals/);
    await b.settle(process);
    await eraseAccount(b.db, owner.accountId, { forfeit: true });
    const [erased] = await listWithdrawals(b.db, { accountId: owner.accountId, limit: 1 });
    expect(JSON.stringify(erased)).not.toContain(owner.wallet.slice(2));
    expect(await b.books.faults()).toEqual([]);
  });

  it('whose transfer expires is sent with another one, while its time is not over', async () => {
    const b = await bench();
    b.payout.lapseMs = 90_000;
    const owner = await b.wallet(10);
    b.payout.fates = ['lost', 'lost', 'lost', 'lost', 'lost', 'unanswered'];
    const process = b.process();
    const { id, content } = await process.request(b.asked(4), owner, ORIGINS);
    await b.settle(process);
    const sent = await process.find(owner.accountId, id);
    expect(sent).toMatchObject({ state: 'sent', error: null });
    expect(sent?.content).not.toBe(content);
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
  });

  it('is not credited back by a process that judged a transfer which another process has replaced', async () => {
    const b = await bench();
    const owner = await b.wallet(10);
    const process = b.process();
    b.payout.fates = ['lost'];
    const recorded = await process.request(b.asked(4), owner, ORIGINS);
    await process.close();
    await renewWithdrawal(b.db, recorded.id, recorded.content, await b.payout.sign(owner.wallet, 3_950_000n));
    const renewed = await process.find(owner.accountId, recorded.id);
    await failWithdrawal(b.db, recorded, 'expired');
    await renewWithdrawal(b.db, recorded.id, recorded.content, await b.payout.sign(owner.wallet, 3_950_000n));
    expect(await process.find(owner.accountId, recorded.id)).toEqual(renewed);
    await b.settle(b.process());
    expect([b.payout.paidTo(owner.wallet), await b.balance(owner)]).toEqual([3_950_000n, 6 * USD]);
  });

  it.each<[string, number | null]>([
    ['', null],
    [' with transfers that expire soon and are replaced', 90_000],
  ])(
    'whose process is killed anywhere, any number of times,%s leaves as much as is debited, and never twice',
    async (_which, lapseMs) => {
      const b = await bench();
      b.payout.lapseMs = lapseMs;
      const start = b.clock;
      await b.killEverywhere<Fate>({
        fates: fc.array(fc.constantFrom(...FATES), { maxLength: 6 }),
        prepare: (fates) => {
          b.clock = start;
          b.payout.fates = fates;
          return b.wallet(5);
        },
        asked: (_owner, validBefore) => b.asked(4, { validBefore }),
        setStep: (step) => (b.payout.step = step),
        paidTo: ({ wallet }) => b.payout.paidTo(wallet),
      });
    },
    600_000,
  );
});

describe('a withdrawal is refused, and nothing is debited,', () => {
  const cases: [string, (b: Bench) => AskedWithdrawal, Record<string, unknown>][] = [
    ['on Solana', (b) => ({ ...b.asked(4), network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }), { field: 'network' }],
    ['in another token', (b) => ({ ...b.asked(4), asset: `0x${'11'.repeat(20)}` }), { field: 'network' }],
    ['for another gateway', (b) => b.asked(4, { gateway: 'https://other.example' }), { field: 'gateway' }],
    ['with another fee', (b) => b.asked(4, { fee: '0' }), { field: 'fee' }],
    ['below the minimum', (b) => b.asked(0.5), { field: 'amount' }],
    ['beyond all money', (b) => b.asked(4, { amount: '9'.repeat(30) }), { field: 'amount' }],
    ['after it expired', (b) => b.asked(4, { validBefore: '1795000000' }), { field: 'validBefore' }],
    ['if it is valid for a day', (b) => b.asked(4, { validBefore: '9795000000' }), { field: 'validBefore' }],
    ['beyond the balance', (b) => b.asked(11), { reason: 'balance', possible: 10 * USD }],
  ];

  it.each(cases)('%s', async (_name, ask, expected) => {
    const b = scripted(await SqliteBooks.open());
    const owner = await b.wallet(10);
    expect(await refusal(b.process().request(ask(b), owner, ORIGINS))).toMatchObject(expected);
    expect([await b.balance(owner), await listWithdrawals(b.db, { limit: 1 })]).toEqual([10 * USD, []]);
  });

  it('if the nonce was used for another withdrawal', async () => {
    const b = scripted(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const process = b.process();
    const asked = b.asked(4);
    await process.request(asked, owner, ORIGINS);
    const other = { ...asked, statement: { ...asked.statement, amount: '5000000' } };
    expect(await refusal(process.request(other, owner, ORIGINS))).toMatchObject({ field: 'nonce' });
    expect(await b.balance(owner)).toBe(6 * USD);
  });

  it('if the paying wallet has too little beyond the open withdrawals, or the chain does not answer', async () => {
    const b = scripted(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const process = b.process();
    b.payout.units = 7_000_000n;
    b.payout.fates = ['lost'];
    await process.request(b.asked(4), owner, ORIGINS);
    expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject({ lacking: 'funds' });
    b.payout.isSilent = true;
    expect(await refusal(process.request(b.asked(2), owner, ORIGINS))).toMatchObject({ name: 'ChainUnreachable' });
    expect(await b.balance(owner)).toBe(6 * USD);
  });

  it('if the paying wallet has too little, and a withdrawal waited until its rail was configured again', async () => {
    const b = scripted(await SqliteBooks.open());
    const owner = await b.wallet(10);
    b.payout.units = 7_000_000n;
    const [before, without] = [b.process(), b.process()];
    Object.assign(without, { payouts: [] });
    await before.close();
    await before.request(b.asked(4), owner, ORIGINS);
    b.pass(60_000);
    await without.resume();
    expect(await without.list(owner.accountId)).toMatchObject([{ waits_for: expect.stringMatching(/no longer/) }]);
    expect(await refusal(b.process().request(b.asked(4), owner, ORIGINS))).toMatchObject({ lacking: 'funds' });
    expect(await b.balance(owner)).toBe(6 * USD);
  });

  it('by a wallet of Solana, or without the wallet’s signature', async () => {
    const b = scripted(await SqliteBooks.open());
    const owner = await b.wallet(10);
    const solana = { ...owner, wallet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp5eykt4UsFv8P' };
    expect(await refusal(b.process().request(b.asked(4), solana, ORIGINS))).toMatchObject({ field: 'network' });
    for (const [verdict, expected] of [
      ['invalid', { field: 'signature' }],
      ['unavailable', { lacking: 'signature' }],
    ] as const) {
      const process = b.process();
      Object.assign(process, { options: { ...process['options'], signatures: { judge: () => ({ verdict }) } } });
      expect(await refusal(process.request(b.asked(4), owner, ORIGINS))).toMatchObject(expected);
    }
    expect(await b.balance(owner)).toBe(10 * USD);
  });
});
