import { describe, expect, it } from 'vitest';
import { base58 } from '@scure/base';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import {
  memo,
  messageBytes,
  PROGRAMS,
  testAddress,
  testKey,
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
  type PaymentChange,
  RECEIVER,
  RECEIVER_ACCOUNT,
  SolanaTill,
  USD,
} from '@/test/solana-till';
import { readSolanaTransfer } from './solana-transfer';
import { associatedTokenAccount } from './token-programs';

const move = (change = {}) =>
  transferChecked({
    source: PAYER_ACCOUNT,
    mint: MINT,
    destination: RECEIVER_ACCOUNT,
    authority: PAYER.address,
    units: 50n * USD,
    ...change,
  });
const lighthouse = (accounts: readonly string[] = [PAYER_ACCOUNT]) => ({
  program: PROGRAMS.lighthouse,
  accounts,
  data: Uint8Array.of(6, 1),
});
const of = (...instructions: PaymentChange['instructions'] & object) => ({ instructions });

function reasonOf(till: SolanaTill, wire: string): string | null {
  try {
    till.rail.read(till.presented(wire));
    return null;
  } catch (error) {
    if (error instanceof InvalidPayment) return error.reason;
    throw error;
  }
}

describe('a payment on Solana', () => {
  it.each<[string, PaymentChange]>([
    ['as the official client builds it', {}],
    ['of a legacy message', { message: { version: 'legacy' } }],
    ['without a memo', of(unitLimit(), unitPrice(), move())],
    [
      "with a wallet's assertions and a memo",
      of(unitLimit(), unitPrice(), move(), lighthouse(), lighthouse(), lighthouse(), memo('x')),
    ],
    [
      'of Token-2022',
      {
        transfer: {
          program: PROGRAMS.token2022,
          destination: associatedTokenAccount(RECEIVER.address, MINT, PROGRAMS.token2022),
        },
      },
    ],
  ])('%s is read, and asks no node', (_, change) => {
    const till = new SolanaTill();
    const read = till.rail.read(till.presented(till.wire(change)));
    expect(read).toMatchObject({ payer: PAYER.address, amountUnits: 50n * USD, expiresAt: null });
    expect(till.chain.calls).toEqual([]);
  });

  it.each<[string, string, PaymentChange]>([
    ['a friend', 'wrong_receiver', { transfer: { destination: FRIEND_ACCOUNT } }],
    ['oneself', 'wrong_receiver', { transfer: { destination: PAYER_ACCOUNT } }],
    [
      'the fee payer',
      'wrong_receiver',
      { transfer: { destination: associatedTokenAccount(FEE_PAYER.address, MINT, PROGRAMS.token) } },
    ],
    [
      "the receiver's own address instead of its token account",
      'wrong_receiver',
      { transfer: { destination: RECEIVER.address } },
    ],
    [
      "the receiver's account of the other token program",
      'wrong_receiver',
      { transfer: { program: PROGRAMS.token2022 } },
    ],
    [
      'oneself 90 and then the receiver 5',
      'unexpected_instruction',
      of(unitLimit(), unitPrice(), move({ destination: PAYER_ACCOUNT, units: 90n * USD }), move({ units: 5n * USD })),
    ],
    [
      'the receiver 5 and then oneself 90',
      'unexpected_instruction',
      of(unitLimit(), unitPrice(), move({ units: 5n * USD }), move({ destination: PAYER_ACCOUNT, units: 90n * USD })),
    ],
    ['the receiver twice', 'unexpected_instruction', of(unitLimit(), unitPrice(), move(), move())],
    ['in another token', 'wrong_asset', { transfer: { mint: testAddress(99) } }],
    ['with other decimals', 'wrong_decimals', { transfer: { decimals: 9 } }],
    ['nothing', 'amount_too_small', { transfer: { units: 0n } }],
    ['within one account', 'wrong_source', { transfer: { source: RECEIVER_ACCOUNT } }],
    [
      'by Transfer, which checks no mint',
      'no_transfer',
      of(unitLimit(), unitPrice(), {
        ...move(),
        accounts: [PAYER_ACCOUNT, RECEIVER_ACCOUNT, PAYER.address],
        data: Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 1]),
      }),
    ],
    [
      'by a program of the same instructions',
      'no_transfer',
      of(unitLimit(), unitPrice(), { ...move(), program: testAddress(5) }),
    ],
    [
      'with more accounts than a transfer has',
      'no_transfer',
      of(unitLimit(), unitPrice(), { ...move(), accounts: [...move().accounts, FRIEND.address] }),
    ],
    [
      'with more data than a transfer has',
      'no_transfer',
      of(unitLimit(), unitPrice(), { ...move(), data: Buffer.concat([move().data, Buffer.from([1])]) }),
    ],
    ['by the fee payer', 'fee_payer_used', { transfer: { authority: FEE_PAYER.address } }],
    ['from an account for which nobody signed', 'wrong_authority', { transfer: { authority: FRIEND.address } }],
    [
      'with a memo that the fee payer signs',
      'fee_payer_used',
      of(unitLimit(), unitPrice(), move(), { ...memo('x'), accounts: [FEE_PAYER.address] }),
    ],
    [
      'with an assertion over the fee payer',
      'fee_payer_used',
      of(unitLimit(), unitPrice(), move(), lighthouse([FEE_PAYER.address])),
    ],
    [
      'with 1 SOL from the fee payer',
      'fee_payer_used',
      of(unitLimit(), unitPrice(), {
        program: PROGRAMS.system,
        accounts: [FEE_PAYER.address, FRIEND.address],
        data: Buffer.from('0200000000ca9a3b00000000', 'hex'),
      }),
    ],
    [
      'with a transfer of SOL beside it',
      'unexpected_instruction',
      of(unitLimit(), unitPrice(), move(), {
        program: PROGRAMS.system,
        accounts: [PAYER.address, FRIEND.address],
        data: Buffer.alloc(12, 2),
      }),
    ],
    ['without a compute unit limit', 'unexpected_instruction', of(unitPrice(), move(), memo('x'))],
    ['with limit and price exchanged', 'unexpected_instruction', of(unitPrice(), unitLimit(), move())],
    [
      'with eight instructions',
      'unexpected_instruction',
      of(unitLimit(), unitPrice(), move(), ...Array.from({ length: 5 }, () => memo('x'))),
    ],
    [
      'with a heap frame asked for',
      'unexpected_instruction',
      of({ ...unitLimit(), data: Buffer.from([1, 0, 0, 4, 0]) }, unitPrice(), move()),
    ],
    ['at a fee that no transfer needs', 'fee_too_high', of(unitLimit(1_400_000), unitPrice(5_000_000n), move())],
    ['at a fee beyond 64 bits', 'fee_too_high', of(unitLimit(0xffffffff), unitPrice(2n ** 64n - 1n), move())],
    [
      'by accounts of a look-up table',
      'lookup_tables',
      { message: { lookupTables: [{ table: testAddress(7), writable: [0], readonly: [] }] } },
    ],
    ['with another fee payer', 'wrong_fee_payer', { message: { feePayer: FRIEND.address } }],
    ['signed by three', 'wrong_signers', { message: { signers: [PAYER.address, FRIEND.address] } }],
  ])('that pays %s is refused as %s without a call to a node', (_, reason, change) => {
    const till = new SolanaTill();
    expect(reasonOf(till, till.wire(change))).toBe(reason);
    expect(till.chain.calls).toEqual([]);
  });

  it('whose payer did not sign it is refused', () => {
    const till = new SolanaTill();
    const bytes = messageBytes({
      feePayer: FEE_PAYER.address,
      signers: [PAYER.address],
      instructions: [unitLimit(), unitPrice(), move()],
      blockhash: till.chain.blockhash(),
    });
    for (const signature of [null, FRIEND.sign(bytes), PAYER.sign(Uint8Array.from([...bytes, 0]))])
      expect(reasonOf(till, wireOf(bytes, [null, signature]))).toBe('invalid_signature');
  });

  it('that three keys would have to sign is refused even where the wire has two signatures', () => {
    const till = new SolanaTill();
    const bytes = messageBytes({
      feePayer: FEE_PAYER.address,
      signers: [PAYER.address, testKey(9).address],
      instructions: [unitLimit(), unitPrice(), move()],
      blockhash: till.chain.blockhash(),
    });
    expect(reasonOf(till, wireOf(bytes, [null, PAYER.sign(bytes)]))).toBe('wrong_signers');
  });

  it('has one content and one identity, whatever stands where the fee payer signs', () => {
    const till = new SolanaTill();
    const blockhash = till.chain.blockhash();
    const [plain, signed] = [undefined, Buffer.alloc(64, 5)].map((feePayerSignature) =>
      till.rail.read(
        till.presented(till.wire({ message: { blockhash }, feePayerSignature: feePayerSignature as never })),
      ),
    );
    expect(signed).toEqual(plain);
    expect(plain?.identity).toMatch(new RegExp(`^${till.rail.terms.network}/${MINT}/[0-9a-f]{64}$`));
  });

  it('is one message only: with bytes behind it, or lengths written longer, it is refused though it is signed', () => {
    const till = new SolanaTill();
    const bytes = Buffer.from(
      messageBytes({
        feePayer: FEE_PAYER.address,
        signers: [PAYER.address],
        instructions: [unitLimit(), unitPrice(), move()],
        blockhash: till.chain.blockhash(),
      }),
    );
    const countAt = 4;
    const longer = Buffer.concat([
      bytes.subarray(0, countAt),
      Buffer.from([(bytes[countAt] ?? 0) | 0x80, 0]),
      bytes.subarray(countAt + 1),
    ]);
    for (const message of [Buffer.concat([bytes, Buffer.from([0])]), longer])
      expect(reasonOf(till, wireOf(message, [null, PAYER.sign(message)]))).toBe('invalid_transaction');
  });

  it('with any byte changed, or cut short anywhere, is refused', () => {
    const till = new SolanaTill();
    const random = new SeededRandom(402);
    const wire = Buffer.from(till.wire(), 'base64');
    for (let round = 0; round < 300; round++) {
      const broken = Buffer.from(wire);
      const at = random.integer(65, wire.length - 1);
      broken[at] = (broken[at] ?? 0) ^ random.integer(1, 255);
      expect(reasonOf(till, broken.toString('base64')), `byte ${at}`).not.toBeNull();
      const cut = wire.subarray(0, random.integer(0, wire.length - 1));
      expect(reasonOf(till, cut.toString('base64')), `${cut.length} bytes`).not.toBeNull();
    }
  });

  it('with any byte changed and signed anew is refused, or still pays the receiver and nobody else', () => {
    const till = new SolanaTill();
    const random = new SeededRandom(403);
    const message = Uint8Array.from(Buffer.from(till.wire(), 'base64').subarray(129));
    let taken = 0;
    for (let round = 0; round < 1_000; round++) {
      const broken = Buffer.from(message);
      const at = random.integer(0, broken.length - 1);
      broken[at] = random.integer(0, 255);
      const wire = wireOf(broken, [null, PAYER.sign(broken)]);
      if (reasonOf(till, wire) !== null) continue;
      taken++;
      const transfer = readSolanaTransfer({ transaction: wire });
      expect(transfer).toMatchObject({
        destination: RECEIVER_ACCOUNT,
        mint: MINT,
        authority: PAYER.address,
        feePayer: FEE_PAYER.address,
        decimals: 6,
      });
      expect(transfer.source).not.toBe(RECEIVER_ACCOUNT);
    }
    // Accepted variants may differ in blockhash, amount, memo and source.
    expect(taken).toBeGreaterThan(50);
  });

  it('in text that is no base64 of a transaction is refused', () => {
    const till = new SolanaTill();
    for (const text of [
      'AA==',
      'AQ==',
      Buffer.alloc(1_300, 2).toString('base64'),
      base58.encode(Buffer.from('no base64')),
      'A'.repeat(1_999),
      '====',
    ])
      expect(reasonOf(till, text), text.slice(0, 20)).not.toBeNull();
    for (const content of [{}, { transaction: 5 }, { transaction: '%' }, { transaction: 'A'.repeat(2_001) }])
      expect(() => till.rail.read({ network: 'solana', accepted: null, content })).toThrow(InvalidPayment);
  });
});
