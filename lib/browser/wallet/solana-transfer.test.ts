import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { isAssociatedAccount, readSolanaTransfer } from './solana-transfer';

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [feePayer, payer, source, destination] = Array.from({ length: 4 }, () => Keypair.generate().publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
];

function transferChecked(amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  data[9] = 6;
  const keys = [source, USDC, destination].map((pubkey) => ({
    pubkey,
    isSigner: false,
    isWritable: !pubkey.equals(USDC),
  }));
  return new TransactionInstruction({
    programId: TOKEN,
    keys: [...keys, { pubkey: payer, isSigner: true, isWritable: false }],
    data,
  });
}

const memo = new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('5eed') });
const wireOf = (...instructions: TransactionInstruction[]) =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: feePayer,
      recentBlockhash: PublicKey.default.toBase58(),
      instructions,
    }).compileToV0Message(),
  ).serialize();

describe('a payment on Solana, read from the bytes that are signed', () => {
  it('is what it moves, from whom, whereto, and at whose cost', () => {
    expect(readSolanaTransfer(wireOf(transferChecked(2n ** 53n + 1n), memo))).toMatchObject({
      amount: 2n ** 53n + 1n,
      mint: USDC.toBase58(),
      authority: payer.toBase58(),
      source: source.toBase58(),
      destination: destination.toBase58(),
      feePayer: feePayer.toBase58(),
      instructions: ['Token program: TransferChecked, 9007199254740993 base units, 6 decimals', 'Memo: 5eed'],
    });
  });

  it('is not shown, and so not signed, where it does anything beside', () => {
    const drain = SystemProgram.transfer({ fromPubkey: payer, toPubkey: destination, lamports: 1 });
    const approve = new TransactionInstruction({
      ...transferChecked(1n),
      data: Buffer.from([4, 1, 0, 0, 0, 0, 0, 0, 0]),
    });
    for (const [name, wire] of Object.entries({
      drain: wireOf(transferChecked(1n), drain),
      twice: wireOf(transferChecked(1n), transferChecked(2n)),
      approve: wireOf(approve),
      nothing: wireOf(memo),
    })) {
      expect(() => readSolanaTransfer(wire), name).toThrow('so it was not given to the wallet.');
    }
    expect(() => readSolanaTransfer(new Uint8Array([1, 2, 3]))).toThrow();
  });
});

describe('the receiving account', () => {
  it("is the receiver's own, derived as everybody derives it", () => {
    const owner = payer.toBase58();
    const [account] = PublicKey.findProgramAddressSync(
      [payer.toBytes(), TOKEN.toBytes(), USDC.toBytes()],
      new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
    );
    expect(isAssociatedAccount(account.toBase58(), { owner, mint: USDC.toBase58() })).toBe(true);
    expect(isAssociatedAccount(destination.toBase58(), { owner, mint: USDC.toBase58() })).toBe(false);
    expect(isAssociatedAccount(account.toBase58(), { owner: feePayer.toBase58(), mint: USDC.toBase58() })).toBe(false);
  });
});
