import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { Payment } from '../../db/payments';
import { memo, PROGRAMS, testAddress, transferChecked, unitLimit, unitPrice } from '@/test/solana-messages';
import {
  FRIEND,
  FRIEND_ACCOUNT,
  MINT,
  PAYER,
  PAYER_ACCOUNT,
  RECEIVER,
  RECEIVER_ACCOUNT,
  signedByFeePayer,
  SolanaTill,
  USD,
} from '@/test/solana-till';
import { ChainUnreachable } from '../rail';
import { FINALITY_PACE } from './solana-node';
import { associatedTokenAccount } from './token-programs';

const FIFTY = 50n * USD;
const POSSIBLE = { outcome: 'possible' };
/**
 * Maximum node calls per lookup: the named transaction, the chain's position, and a search's pages and transactions.
 */
const LOOK_CALLS_MAX = 18;

/** Facilitator that executes each payment, and then gives this answer. */
const paysAndSays = (said: object | ((signature: string) => object)) => (wire: string, till: SolanaTill) => {
  const executed = till.executeElsewhere(wire);
  const signature = 'signature' in executed ? executed.signature : '';
  return typeof said === 'function' ? said(signature) : said;
};
const honest = paysAndSays((transaction) => ({ success: true, transaction }));
const deniesHavingPaid = paysAndSays({ success: false, transaction: '', errorReason: 'transaction_failed' });

async function lookAt(till: SolanaTill, payment: Payment) {
  till.chain.calls.length = 0;
  till.nowMs += 60_000;
  const finding = await till.rail.look(payment);
  expect(till.chain.count(), till.chain.calls.map(({ method }) => method).join()).toBeLessThanOrEqual(LOOK_CALLS_MAX);
  return finding;
}

describe('a payment on Solana that is executed', () => {
  it.each<[string, SolanaTill]>([
    ['by the key of this process', new SolanaTill()],
    ['by a remote facilitator', new SolanaTill(honest)],
    ['by a remote facilitator that denies it', new SolanaTill(deniesHavingPaid)],
  ])('%s is paid once it is final, and not before', async (_, till) => {
    const { payment } = await till.settle(await till.recorded(till.wire()));
    expect(till.chain.units(RECEIVER_ACCOUNT)).toBe(17n + FIFTY);
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid', amountUnits: FIFTY });
  });

  it('by somebody else before it was presented is recorded, and paid once it is final', async () => {
    const till = new SolanaTill(honest);
    const wire = till.wire();
    till.executeElsewhere(wire);
    const payment = await till.recorded(wire);
    expect(await lookAt(till, { ...payment, state: 'submitted' })).toMatchObject(POSSIBLE);
    till.chain.finalize();
    expect(await lookAt(till, { ...payment, state: 'submitted' })).toMatchObject({
      outcome: 'paid',
      amountUnits: FIFTY,
    });
  });

  it('by somebody else just before it expired, and is not final yet, is not called refused', async () => {
    const till = new SolanaTill(honest);
    const wire = till.wire();
    till.chain.slot += 149;
    till.executeElsewhere(wire);
    till.chain.slot += 5;
    const payment = await till.recorded(wire);
    till.chain.expire();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid', amountUnits: FIFTY });
  });

  it('and in a block that may still be dropped says what it waits for, and is not submitted again', async () => {
    const till = new SolanaTill();
    const { payment } = await till.settle(await till.recorded(till.wire()));
    expect(await lookAt(till, payment)).toMatchObject({
      outcome: 'possible',
      isSubmittable: false,
      note: expect.stringContaining('finalized'),
    });
    till.chain.dropNewest();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'possible', note: null });
  });

  it('by nobody, with a blockhash that has just expired, is followed no longer than until that is final', async () => {
    const till = new SolanaTill(honest);
    // Signed by an empty wallet, as anyone can do.
    const wire = till.wire({ transfer: { units: 5_000n * USD } });
    till.chain.slot += 154;
    const payment = await till.recorded(wire);
    till.chain.slot += 40;
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'impossible' });
  });

  it('and dropped with its block is not paid, and impossible in the end', async () => {
    const till = new SolanaTill();
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.slot += 20;
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.dropNewest();
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.expire();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'impossible' });
    expect(till.chain.units(RECEIVER_ACCOUNT)).toBe(17n);
  });

  it('and fails on chain is impossible once that is final, and is sent no second time', async () => {
    const till = new SolanaTill();
    const payment = await till.recorded(till.wire());
    // Between the simulation and the block, the payer spends the money elsewhere.
    const friend = transferChecked({
      source: PAYER_ACCOUNT,
      mint: MINT,
      destination: FRIEND_ACCOUNT,
      authority: PAYER.address,
      units: 1_000n * USD,
    });
    const away = till.wire({ instructions: [unitLimit(), unitPrice(), friend] });
    till.chain.lie = (method, _params, answer) => {
      if (method !== 'sendTransaction') return answer();
      till.chain.lie = null;
      till.executeElsewhere(away);
      return (
        till.executeElsewhere(payment.content.match(/"transaction":"([^"]+)"/)?.[1] ?? '') as { signature: string }
      ).signature;
    };
    const { payment: submitted } = await till.settle(payment);
    expect(await lookAt(till, submitted)).toMatchObject(POSSIBLE);
    expect((await till.settle(submitted)).error).toMatch(/AlreadyProcessed/);
    till.chain.finalize();
    expect(await lookAt(till, submitted)).toMatchObject({ outcome: 'impossible' });
    expect(till.chain.units(RECEIVER_ACCOUNT)).toBe(17n);
  });

  it('by somebody else and failed on chain is impossible as soon as that is final', async () => {
    const till = new SolanaTill(honest);
    const wire = till.wire({ transfer: { units: 5_000n * USD } });
    till.executeElsewhere(wire);
    const payment = { ...(await till.recorded(wire)), state: 'submitted' as const };
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'impossible' });
  });

  it('in Token-2022 with a transfer fee is paid with what came in, which is less than what was sent', async () => {
    const till = new SolanaTill(honest);
    till.chain.transferFee = 3n * USD;
    const [source, destination] = [PAYER.address, RECEIVER.address].map((owner) =>
      associatedTokenAccount(owner, MINT, PROGRAMS.token2022),
    ) as [string, string];
    till.chain.open(source, { mint: MINT, owner: PAYER.address, program: PROGRAMS.token2022, units: FIFTY });
    till.chain.open(destination, { mint: MINT, owner: RECEIVER.address, program: PROGRAMS.token2022 });
    const { payment } = await till.settle(
      await till.recorded(till.wire({ transfer: { program: PROGRAMS.token2022, source, destination } })),
    );
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid', amountUnits: 47n * USD });
  });
});

describe('a payment on Solana that pays somebody else', () => {
  it.each([
    ['a friend', { destination: FRIEND_ACCOUNT }],
    ['oneself', { destination: PAYER_ACCOUNT }],
  ])('%s is refused after another shop had it executed, without a call to a node', async (_, transfer) => {
    const till = new SolanaTill(honest);
    const wire = till.wire({ transfer });
    for (const executed of [false, true]) {
      if (executed) expect(till.executeElsewhere(wire)).toHaveProperty('signature');
      till.chain.finalize();
      expect(() => till.rail.read(till.presented(wire))).toThrow(InvalidPayment);
      // Called without `read`, neither `verify` nor `look` accepts the transaction.
      await expect(
        till.rail.verify({
          identity: '',
          payer: '',
          amountUnits: FIFTY,
          expiresAt: null,
          content: { transaction: wire },
        }),
      ).rejects.toThrow(InvalidPayment);
      expect(till.chain.calls).toEqual([]);
      const looked = await till.rail
        .look(
          till.row({
            content: JSON.stringify({ transaction: wire }),
            state: 'submitted',
            expires_height: till.chain.slot + 150,
          }),
        )
        .catch(() => POSSIBLE);
      expect(looked).toMatchObject(POSSIBLE);
      till.chain.calls.length = 0;
    }
  });

  it('is signed by no key, and no signature of ours is asked about before it was sent', async () => {
    const till = new SolanaTill();
    const wire = till.wire();
    const ours = base58.encode(Buffer.from(signedByFeePayer(wire), 'base64').subarray(1, 65));
    const payment = await till.recorded(wire);
    await till.rail.look(payment);
    await till.rail.look({ ...payment, state: 'submitted' });
    await till.rail.searchFrom();
    await till.settle(payment);
    const asked = till.chain.calls.map(({ params }) => JSON.stringify(params));
    const sent = till.chain.calls.findIndex(({ method }) => method === 'sendTransaction');
    expect(till.chain.calls[sent]?.params[0]).toBe(signedByFeePayer(wire));
    expect(
      asked.slice(0, sent).filter((params) => params.includes(signedByFeePayer(wire)) || params.includes(ours)),
    ).toEqual([]);
    expect(asked.slice(sent).filter((params) => params.includes(ours)).length).toBeGreaterThan(0);
  });

  it('is not settled, should it have been recorded', async () => {
    const till = new SolanaTill();
    const wire = till.wire({
      instructions: [
        unitLimit(),
        unitPrice(),
        { program: PROGRAMS.system, accounts: [testAddress(50), FRIEND_ACCOUNT], data: Buffer.alloc(12, 2) },
      ],
    });
    await expect(till.settle(till.row({ content: JSON.stringify({ transaction: wire }) }))).rejects.toThrow(
      InvalidPayment,
    );
    expect(till.chain.calls).toEqual([]);
  });
});

describe('what a facilitator is told', () => {
  it('names the receiver of the recorded payment after the operator has changed the address', async () => {
    const till = new SolanaTill(honest);
    const destination = FRIEND_ACCOUNT;
    const wire = till.wire({ transfer: { destination } });
    const content = JSON.stringify({ transaction: wire });
    await till.settle(till.row({ content, pay_to: FRIEND.address }));
    expect(till.settled).toEqual([wire]);
    expect(till.statedReceivers).toEqual([FRIEND.address, FRIEND.address]);
  });
});

describe('what a facilitator says', () => {
  it.each<[string, (wire: string, till: SolanaTill) => object]>([
    ['that it paid, without a transaction', () => ({ success: true, transaction: '' })],
    ['a signature that no chain knows', () => ({ success: true, transaction: '5'.repeat(87) })],
    [
      'another transaction, of the same payer to a friend',
      (_, till) => ({
        success: true,
        transaction: (
          till.executeElsewhere(till.wire({ transfer: { destination: FRIEND_ACCOUNT } })) as { signature: string }
        ).signature,
      }),
    ],
    [
      'another transaction, of the same payer to the receiver',
      (_, till) => ({
        success: true,
        transaction: (till.executeElsewhere(till.wire({ memo: 'another' })) as { signature: string }).signature,
      }),
    ],
    ['no signature at all', () => ({ success: true, transaction: '../../etc/passwd' })],
  ])('%s: is not believed', async (_, settle) => {
    const till = new SolanaTill(settle);
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.expire();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'impossible' });
  });

  it('that names the wrong transaction does not hide the right one', async () => {
    const till = new SolanaTill((wire, { chain }) => {
      till.executeElsewhere(wire);
      chain.dust([PAYER_ACCOUNT], 3);
      return { success: true, transaction: '5'.repeat(87) };
    });
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.finalize();
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid', amountUnits: FIFTY });
  });
});

describe('a payment that a facilitator executed and denied', () => {
  const MANY = 2_345;

  it.each<[string, readonly string[], string | null]>([
    ["the payer's account", [PAYER_ACCOUNT], null],
    ["the receiver's account", [RECEIVER_ACCOUNT], null],
    ["the payer's account, with the payment's memo", [PAYER_ACCOUNT], '[4] f00d'],
  ])(
    'is found under %i transactions that strangers sent to %s'.replace('%i ', `${MANY} `),
    async (_, accounts, text) => {
      const till = new SolanaTill(deniesHavingPaid);
      const { payment } = await till.settle(await till.recorded(till.wire()));
      till.chain.dust(accounts, text === null ? MANY : 115, text);
      till.chain.expire();
      const findings = [];
      for (let look = 0; look < 30 && findings.at(-1)?.outcome !== 'paid'; look++)
        findings.push(await lookAt(till, payment));
      expect(findings.slice(0, -1).map(({ outcome }) => outcome)).toEqual(findings.slice(0, -1).map(() => 'possible'));
      expect(findings.at(-1)).toMatchObject({ outcome: 'paid', amountUnits: FIFTY });
    },
    60_000,
  );

  it('is found under 115 transactions that name both accounts, in a few looks of a few calls', async () => {
    const till = new SolanaTill(deniesHavingPaid);
    const { payment } = await till.settle(
      await till.recorded(
        till.wire({
          memo: '',
          instructions: [
            unitLimit(),
            unitPrice(),
            transferChecked({
              source: PAYER_ACCOUNT,
              mint: MINT,
              destination: RECEIVER_ACCOUNT,
              authority: PAYER.address,
              units: FIFTY,
            }),
          ],
        }),
      ),
    );
    till.chain.dust([PAYER_ACCOUNT, RECEIVER_ACCOUNT], 115);
    till.chain.expire();
    const findings = [];
    for (let look = 0; look < 30 && findings.at(-1)?.outcome !== 'paid'; look++)
      findings.push(await lookAt(till, payment));
    expect(findings.at(-1)).toMatchObject({ outcome: 'paid' });
    expect(findings.some(({ outcome }) => outcome === 'impossible')).toBe(false);
    expect(findings.length).toBeLessThanOrEqual(16);
  });

  it.each<[string, boolean]>([
    ['whose only signature is known', true],
    ['that a facilitator may have executed', false],
  ])(
    'or one %s, that nobody executed fails under 7,000 transactions of strangers to each account',
    async (_, isOurs) => {
      const till = isOurs ? new SolanaTill() : new SolanaTill(() => ({ success: false, transaction: '' }));
      const wire = till.wire();
      const ours = base58.encode(Buffer.from(signedByFeePayer(wire), 'base64').subarray(1, 65));
      const payment = {
        ...(await till.recorded(wire)),
        state: 'submitted' as const,
        transaction_id: isOurs ? ours : null,
      };
      for (const account of [PAYER_ACCOUNT, RECEIVER_ACCOUNT]) till.chain.dust([account], 7_000);
      till.chain.expire();
      const findings = [];
      for (let look = 0; look < 6 && findings.at(-1)?.outcome !== 'impossible'; look++)
        findings.push(await lookAt(till, payment));
      expect(findings.at(-1)).toMatchObject({ outcome: 'impossible' });
      // Between lookups, the search's interval applies, not the payment's usual pace.
      for (const finding of findings.slice(0, -1))
        expect(finding).toMatchObject({ outcome: 'possible', isSubmittable: false, lookAgainInMs: 1_000 });
      expect(till.chain.count('getTransaction')).toBeLessThanOrEqual(1);
    },
    60_000,
  );

  it('stays open while a node does not have the history back to it', async () => {
    const till = new SolanaTill(deniesHavingPaid);
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.expire();
    till.chain.firstAvailable = till.chain.slot - 40;
    for (let look = 0; look < 3; look++) expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.firstAvailable = 0;
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid', amountUnits: FIFTY });
  });

  it('stays open while a node has the entry and not the transaction', async () => {
    const till = new SolanaTill(deniesHavingPaid);
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.expire();
    till.chain.lie = (method, _, answer) => (method === 'getTransaction' ? null : answer());
    for (let look = 0; look < 3; look++) expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
    till.chain.lie = null;
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'paid' });
  });

  it('stays open while a node still takes its blockhash for valid, however high the chain is said to be', async () => {
    const till = new SolanaTill(deniesHavingPaid);
    const payment = await till.recorded(till.wire());
    till.chain.lie = (method, _, answer) =>
      method === 'getEpochInfo' ? { absoluteSlot: till.chain.slot, blockHeight: 10 ** 9 } : answer();
    expect(await lookAt(till, { ...payment, state: 'submitted' })).toMatchObject(POSSIBLE);
  });
});

describe('a node that contradicts itself', () => {
  const paidTill = async () => {
    const till = new SolanaTill();
    const { payment } = await till.settle(await till.recorded(till.wire()));
    till.chain.finalize();
    return { till, payment };
  };
  interface Balance {
    accountIndex: number;
    mint: string;
    owner: string;
    programId: string;
    uiTokenAmount: { amount: string; decimals: number };
  }
  interface Meta {
    err: unknown;
    preTokenBalances: Balance[] | null;
    postTokenBalances: Balance[] | null;
  }
  const ofReceiver = (balances: Balance[] | null): Balance =>
    balances?.find(({ owner }) => owner === RECEIVER.address) as Balance;
  const ofPayer = (balances: Balance[] | null): Balance =>
    balances?.find(({ owner }) => owner === PAYER.address) as Balance;

  it.each<[string, (meta: Meta) => void]>([
    [
      'the receiver gained more than was sent',
      ({ postTokenBalances }) => (ofReceiver(postTokenBalances).uiTokenAmount.amount = '999999999999'),
    ],
    [
      'the receiver gained nothing',
      ({ preTokenBalances, postTokenBalances }) =>
        (ofReceiver(postTokenBalances).uiTokenAmount.amount = ofReceiver(preTokenBalances).uiTokenAmount.amount),
    ],
    ['the receiver lost', ({ postTokenBalances }) => (ofReceiver(postTokenBalances).uiTokenAmount.amount = '0')],
    [
      'the payer lost nothing',
      ({ preTokenBalances, postTokenBalances }) =>
        (ofPayer(postTokenBalances).uiTokenAmount.amount = ofPayer(preTokenBalances).uiTokenAmount.amount),
    ],
    [
      'the account is of another owner',
      ({ postTokenBalances }) => (ofReceiver(postTokenBalances).owner = PAYER.address),
    ],
    ['the account is of another mint', ({ preTokenBalances }) => (ofReceiver(preTokenBalances).mint = testAddress(88))],
    [
      'the account is of another program',
      ({ preTokenBalances }) => (ofReceiver(preTokenBalances).programId = PROGRAMS.token2022),
    ],
    [
      'the token has other decimals',
      ({ postTokenBalances }) => (ofReceiver(postTokenBalances).uiTokenAmount.decimals = 9),
    ],
    [
      'the account stands there twice',
      ({ postTokenBalances }) =>
        postTokenBalances?.push({
          ...ofReceiver(postTokenBalances),
          uiTokenAmount: { amount: '50000017', decimals: 6 },
        }),
    ],
    ['there is no balance before', (meta) => (meta.preTokenBalances = [])],
    ['there are no balances', (meta) => Object.assign(meta, { preTokenBalances: null, postTokenBalances: null })],
  ])('%s: nothing is credited, and the payment stays open with a note', async (_, twist) => {
    const { till, payment } = await paidTill();
    till.chain.lie = (method, __, answer) => {
      if (method !== 'getTransaction') return answer();
      const told = structuredClone(answer()) as { meta: Meta };
      twist(told.meta);
      return told;
    };
    expect(await lookAt(till, payment)).toMatchObject({ outcome: 'possible', note: expect.stringMatching(/balances/) });
    till.chain.expire();
    expect(await lookAt(till, payment)).toMatchObject(POSSIBLE);
  });

  it.each<[string, (told: Record<string, unknown>) => unknown]>([
    [
      'says nothing of an error',
      (told) => Object.assign(told, { meta: { preTokenBalances: [], postTokenBalances: [] } }),
    ],
    ['has no meta', (told) => Object.assign(told, { meta: null })],
    [
      'returns invalid amounts',
      (told) => JSON.parse(JSON.stringify(told).replaceAll(/"amount":"\d+"/g, '"amount":"0x50"')),
    ],
    ['tells another transaction', (told) => Object.assign(told, { transaction: [new SolanaTill().wire(), 'base64'] })],
    ['tells no transaction', (told) => Object.assign(told, { transaction: ['', 'base64'] })],
    ['answers something else', () => 'yes'],
  ])('%s: nothing is decided', async (_, twist) => {
    const { till, payment } = await paidTill();
    till.chain.lie = (method, __, answer) =>
      method === 'getTransaction' ? twist(structuredClone(answer()) as Record<string, unknown>) : answer();
    expect(
      await lookAt(till, payment).catch((error: unknown) => (error instanceof ChainUnreachable ? POSSIBLE : error)),
    ).toMatchObject(POSSIBLE);
    till.chain.expire();
    expect(
      await lookAt(till, payment).catch((error: unknown) => (error instanceof ChainUnreachable ? POSSIBLE : error)),
    ).toMatchObject(POSSIBLE);
  });

  it('or does not answer at all leaves everything as it is', async () => {
    const { till, payment } = await paidTill();
    till.chain.lie = () => {
      throw new Error('connection refused');
    };
    await expect(till.rail.look(payment)).rejects.toThrow(ChainUnreachable);
    await expect(till.rail.searchFrom()).rejects.toThrow(ChainUnreachable);
    await expect(till.rail.verify(till.rail.read(till.presented(till.wire())))).rejects.toThrow(ChainUnreachable);
  });
});

describe('what a payment asks of nodes', () => {
  it('a refused one: a handful of calls, however much strangers sent to its accounts', async () => {
    const till = new SolanaTill(honest);
    till.chain.dust([PAYER_ACCOUNT, RECEIVER_ACCOUNT], 500);
    till.chain.finalize();
    till.chain.calls.length = 0;
    const read = till.rail.read(till.presented(till.wire({ transfer: { units: 5_000n * USD } })));
    await expect(till.rail.verify(read)).rejects.toThrow(InvalidPayment);
    expect(till.chain.count()).toBe(1);
    const { fromHeight, expiresHeight } = await till.rail.searchFrom();
    const imagined = {
      content: JSON.stringify(read.content),
      amount_units: read.amountUnits.toString(),
      payer: read.payer,
      transaction_id: null,
      from_height: fromHeight,
      expires_height: expiresHeight,
    } as Payment;
    expect(await till.rail.look(imagined)).toMatchObject(POSSIBLE);
    expect(till.chain.count()).toBeLessThanOrEqual(13);
    // An immediate second lookup does not search again.
    till.chain.calls.length = 0;
    expect(await till.rail.look(imagined)).toMatchObject(POSSIBLE);
    expect(till.chain.count()).toBe(1);
  });

  it('one that is refused by its form: none', () => {
    const till = new SolanaTill();
    expect(() =>
      till.rail.read(till.presented(till.wire({ instructions: [unitLimit(), unitPrice(), memo('no transfer')] }))),
    ).toThrow(InvalidPayment);
    expect(till.chain.calls).toEqual([]);
  });

  it('one that is settled here: a dozen until it is final', async () => {
    const till = new SolanaTill(null, FINALITY_PACE);
    const slots = setInterval(() => (till.chain.slot += 16), 300);
    try {
      const { payment } = await till.settle(await till.recorded(till.wire()));
      expect(await till.rail.look(payment)).toMatchObject({ outcome: 'paid' });
      expect(till.chain.count()).toBeLessThanOrEqual(12);
    } finally {
      clearInterval(slots);
    }
  });

  it('waiting for finality ends when the rail is closed', async () => {
    const till = new SolanaTill(null, FINALITY_PACE);
    const settled = till.settle(await till.recorded(till.wire()));
    till.rail.close();
    await settled;
    expect(till.chain.count('getSignatureStatuses')).toBeLessThanOrEqual(2);
  });
});
