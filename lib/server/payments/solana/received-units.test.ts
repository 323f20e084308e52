import { describe, expect, it } from 'vitest';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import {
  memo,
  messageBytes,
  PROGRAMS,
  testAddress,
  type TestInstruction,
  transferChecked,
  unitLimit,
  unitPrice,
  wireOf,
} from '@/test/solana-messages';
import {
  FEE_PAYER,
  FRIEND,
  FRIEND_ACCOUNT,
  MINT,
  PAYER,
  PAYER_ACCOUNT,
  RECEIVER,
  RECEIVER_ACCOUNT,
  SolanaTill,
  USD,
} from '@/test/solana-till';
import type { TransactionMeta } from './solana-node';
import { receivedUnits } from './received-units';
import { readSolanaTransfer } from './solana-transfer';
import { associatedTokenAccount } from './token-programs';

const ROUNDS = 250;
const [PAYER_2022, RECEIVER_2022] = [PAYER.address, RECEIVER.address].map((owner) =>
  associatedTokenAccount(owner, MINT, PROGRAMS.token2022),
) as [string, string];

/** Opens a test gateway where every variant of a payment can be executed. */
function openTill(random: SeededRandom): SolanaTill {
  const opened = new SolanaTill((wire, till) => {
    const executed = till.executeElsewhere(wire);
    return {
      success: random.chance(0.5),
      transaction: 'signature' in executed && random.chance(0.5) ? executed.signature : '',
    };
  });
  opened.chain.transferFee = BigInt(random.integer(0, 2_000_000));
  opened.chain.open(PAYER_2022, { mint: MINT, owner: PAYER.address, program: PROGRAMS.token2022, units: 1_000n * USD });
  opened.chain.open(RECEIVER_2022, { mint: MINT, owner: RECEIVER.address, program: PROGRAMS.token2022 });
  return opened;
}

/** Returns a transaction that its payer signed, correct or with one to three faults. */
function randomWire(random: SeededRandom, till: SolanaTill): string {
  const units = BigInt(random.integer(1, 90_000_000));
  const accounts = [
    PAYER_ACCOUNT,
    FRIEND_ACCOUNT,
    RECEIVER_ACCOUNT,
    PAYER_2022,
    RECEIVER_2022,
    PAYER.address,
    FEE_PAYER.address,
  ];
  const right = transferChecked({
    source: PAYER_ACCOUNT,
    mint: MINT,
    destination: RECEIVER_ACCOUNT,
    authority: PAYER.address,
    units,
  });
  const right2022 = transferChecked({
    source: PAYER_2022,
    mint: MINT,
    destination: RECEIVER_2022,
    authority: PAYER.address,
    units,
    program: PROGRAMS.token2022,
  });
  let instructions: TestInstruction[] = [
    unitLimit(),
    unitPrice(),
    random.chance(0.7) ? right : right2022,
    memo(`memo ${random.integer(0, 3)}`),
  ];
  let signers = [PAYER.address];
  const twists: (() => void)[] = [
    () =>
      (instructions = instructions.map((each) => ({
        ...each,
        accounts: each.accounts.map((account) => (random.chance(0.3) ? random.pick(accounts) : account)),
      }))),
    () =>
      instructions.splice(random.integer(0, instructions.length), 0, {
        ...right,
        accounts: [PAYER_ACCOUNT, MINT, random.pick(accounts), PAYER.address],
      }),
    () =>
      instructions.splice(random.integer(0, instructions.length), 0, {
        program: PROGRAMS.token,
        accounts: [PAYER_ACCOUNT, random.pick(accounts), PAYER.address],
        data: Buffer.from([3, 64, 66, 15, 0, 0, 0, 0, 0]),
      }),
    () => instructions.splice(random.integer(0, instructions.length - 1), 1),
    () =>
      (instructions = instructions.map((each) =>
        random.chance(0.4) ? { ...each, program: random.pick(Object.values(PROGRAMS)) } : each,
      )),
    () =>
      (instructions = instructions.map((each) =>
        random.chance(0.4) ? { ...each, data: each.data.subarray(0, random.integer(0, each.data.length)) } : each,
      )),
    () => instructions.reverse(),
    () => (signers = random.pick([[FRIEND.address], [PAYER.address, FRIEND.address], []])),
  ];
  if (random.chance(0.5)) for (let twist = random.integer(1, 3); twist > 0; twist--) random.pick(twists)();
  const lookupTables = random.chance(0.1)
    ? [{ table: testAddress(random.integer(100, 200)), writable: [random.integer(0, 9)], readonly: [] }]
    : [];
  const bytes = messageBytes({
    feePayer: FEE_PAYER.address,
    signers,
    instructions,
    blockhash: till.chain.blockhash(),
    lookupTables,
    version: lookupTables.length > 0 || random.chance(0.8) ? 0 : 'legacy',
  });
  const wire = wireOf(bytes, [
    null,
    ...signers.map((address) => (address === PAYER.address ? PAYER : FRIEND).sign(bytes)),
  ]);
  return random.chance(0.05)
    ? Buffer.from(wire, 'base64').subarray(0, random.integer(1, 300)).toString('base64')
    : wire;
}

/** Presents a payment as the gateway does, and follows it until the chain decides. @returns the credited amount */
async function credited(till: SolanaTill, wire: string): Promise<{ identity: string; units: bigint } | null> {
  try {
    const { identity } = till.rail.read(till.presented(wire));
    const { payment } = await till.settle(await till.recorded(wire));
    till.chain.expire();
    const finding = await till.rail.look(payment);
    expect(finding.outcome).not.toBe('possible');
    return finding.outcome === 'paid' ? { identity, units: finding.amountUnits } : null;
  } catch (error) {
    if (error instanceof InvalidPayment) return null;
    throw error;
  }
}

describe('what is credited of random transactions', () => {
  it('equals the receiver’s gain from each payment, to the unit, for any sender and any number of presentations', async () => {
    const random = new SeededRandom(13);
    const credits = new Map<string, bigint>();
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const till = openTill(random);
      const held = (): bigint => till.chain.units(RECEIVER_ACCOUNT) + till.chain.units(RECEIVER_2022);
      const before = held();
      const wire = randomWire(random, till);
      if (random.chance(0.5)) till.executeElsewhere(wire);
      const first = await credited(till, wire);
      const again = await credited(till, wire);
      if (first && again) expect(again).toEqual(first);
      if (first) {
        expect(first.units).toBe(held() - before);
        expect(credits.has(first.identity)).toBe(false);
        credits.set(first.identity, first.units);
      } else refused++;
    }
    // Both happen, because a rail that takes nothing would pass a test of refusals alone.
    expect(credits.size).toBeGreaterThan(ROUNDS / 5);
    expect(refused).toBeGreaterThan(ROUNDS / 5);
  }, 90_000);
});

describe('what is credited of random balances', () => {
  const transfer = readSolanaTransfer({ transaction: new SolanaTill().wire() });
  const { sourceIndex, destinationIndex, amountUnits } = transfer;
  const balance = (accountIndex: number, owner: string, amount: bigint) => ({
    accountIndex,
    mint: MINT,
    owner,
    programId: PROGRAMS.token,
    uiTokenAmount: { amount: amount.toString(), decimals: 6 },
  });

  it('is never more than the receiver is said to have gained, nor than was sent, and nothing where these differ', () => {
    const random = new SeededRandom(31);
    let paid = 0;
    for (let round = 0; round < 20_000; round++) {
      const near = (units: bigint): bigint =>
        random.chance(0.6) ? units : units + BigInt(random.integer(-60_000_000, 60_000_000));
      const [held, had] = [BigInt(random.integer(0, 2 ** 40)), amountUnits + BigInt(random.integer(0, 2 ** 40))];
      const positive = (units: bigint): bigint => (units < 0n ? 0n : units);
      const lists = [
        [balance(destinationIndex, RECEIVER.address, held), balance(sourceIndex, PAYER.address, had)],
        [
          balance(destinationIndex, RECEIVER.address, positive(near(held + amountUnits))),
          balance(sourceIndex, PAYER.address, positive(near(had - amountUnits))),
        ],
      ];
      for (const list of lists) {
        if (random.chance(0.05)) list.splice(random.integer(0, 1), 1);
        if (random.chance(0.05))
          list.push(
            balance(
              random.integer(0, 9),
              random.pick([RECEIVER.address, FRIEND.address]),
              BigInt(random.integer(0, 2 ** 40)),
            ),
          );
        for (const each of list) {
          if (random.chance(0.02)) each.owner = FRIEND.address;
          if (random.chance(0.02)) each.mint = testAddress(5);
          if (random.chance(0.02)) each.accountIndex = random.integer(0, 9);
        }
      }
      const [preTokenBalances = [], postTokenBalances = []] = lists;
      const units = receivedUnits(
        { err: null, preTokenBalances, postTokenBalances } as TransactionMeta,
        transfer,
        RECEIVER.address,
      );
      if (units === null) continue;
      paid++;
      const of = (list: typeof preTokenBalances, index: number): bigint =>
        BigInt(list.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 'nothing');
      expect(units).toBe(of(postTokenBalances, destinationIndex) - of(preTokenBalances, destinationIndex));
      expect(of(preTokenBalances, sourceIndex) - of(postTokenBalances, sourceIndex)).toBe(amountUnits);
      expect(units > 0n && units <= amountUnits).toBe(true);
    }
    expect(paid).toBeGreaterThan(2_000);
  });
});
