import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { describeSolanaTransaction } from './describe-solana-transaction';
import type { KnownRail } from './describe-signature';

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [feePayer, payer, gateway, stranger, source] = Array.from({ length: 5 }, () => Keypair.generate().publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
];
const RAIL: KnownRail = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: USDC.toBase58(),
  symbol: 'USDC',
  decimals: 6,
  payTo: gateway.toBase58(),
  title: 'Solana',
};

const accountOf = (owner: PublicKey) =>
  PublicKey.findProgramAddressSync([owner.toBytes(), TOKEN.toBytes(), USDC.toBytes()], ASSOCIATED)[0];

function transfer(amount: bigint, to: PublicKey, authority = payer): TransactionInstruction {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  data[9] = 6;
  const keys = [source, USDC, accountOf(to)].map((pubkey) => ({
    pubkey,
    isSigner: false,
    isWritable: !pubkey.equals(USDC),
  }));
  return new TransactionInstruction({
    programId: TOKEN,
    keys: [...keys, { pubkey: authority, isSigner: true, isWritable: false }],
    data,
  });
}

const wireOf = (payerKey: PublicKey, ...instructions: TransactionInstruction[]) =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey,
      recentBlockhash: PublicKey.default.toBase58(),
      instructions,
    }).compileToV0Message(),
  ).serialize();
const read = (wire: Uint8Array, rails = [RAIL]) => describeSolanaTransaction(wire, payer.toBase58(), rails);

describe('a Solana transaction that is signed', () => {
  it('is money where it pays this gateway, with each field and instruction after that', () => {
    const { title, facts, body } = read(wireOf(feePayer, transfer(10_000_000n, gateway)));
    expect(title).toBe('Pay 10.00 USDC to this gateway on Solana');
    expect(Object.fromEntries(facts)).toMatchObject({
      Amount: '10.00 USDC',
      To: gateway.toBase58(),
      'To the account': accountOf(gateway).toBase58(),
      'Network fee': `none for this wallet: paid by ${feePayer.toBase58()}`,
    });
    expect(body).toContain('TransferChecked, 10000000 base units');
    expect(body).toContain(accountOf(gateway).toBase58());
  });

  it('to somebody else, or in another token, is never called a payment to this gateway', () => {
    expect(read(wireOf(feePayer, transfer(10_000_000n, stranger)))).toMatchObject({
      title: 'Pay 10.00 USDC to a stranger on Solana',
      consequence: expect.stringContaining('Refuse') as string,
    });
    expect(read(wireOf(feePayer, transfer(1n, gateway)), [{ ...RAIL, asset: stranger.toBase58() }]).title).toBe(
      'Pay with a token that is not known here',
    );
    expect(Object.fromEntries(read(wireOf(payer, transfer(1n, gateway))).facts)).toMatchObject({
      'Network fee': 'paid by this wallet',
    });
  });

  it('that does anything else, or moves what is another’s, is shown by its instructions', () => {
    const drain = SystemProgram.transfer({ fromPubkey: payer, toPubkey: stranger, lamports: 1 });
    for (const wire of [
      wireOf(feePayer, transfer(1n, gateway), drain),
      wireOf(feePayer, drain),
      wireOf(feePayer, transfer(1n, gateway, stranger)),
    ])
      expect(read(wire)).toMatchObject({ title: 'Sign a transaction' });
    expect(read(wireOf(feePayer, drain)).body).toContain('System program');
    expect(() => read(new Uint8Array([1, 2, 3]))).toThrow();
  });
});
