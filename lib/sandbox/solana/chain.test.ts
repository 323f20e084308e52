import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  NonceAccount,
  PublicKey,
  SystemProgram,
  Transaction as Web3Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LAMPORTS_PER_SOL } from './faucet-key';
import { MEMO_PROGRAM } from './programs';
import { type ChainUnderTest, openChain, richKey, signed, transfer } from './solana-under-test';
import { feeOf } from './transaction/fee';
import { decodeTransaction } from './transaction/transaction';

let under: ChainUnderTest;
beforeEach(() => {
  under = openChain();
});
afterEach(() => under.close());

const balance = (key: Keypair) => under.chain.account(key.publicKey.toBytes())?.lamports ?? 0n;

describe('send', () => {
  it('executes, charges the fee, and has it on disk when it resolves', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const transaction = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    expect(await under.chain.send(transaction)).toMatchObject({ executed: true, execution: { error: null } });
    expect(under.chain.ledger.find(transaction.signatures[0] as Uint8Array)).toMatchObject({
      error: null,
      slot: under.chain.clock.now(),
    });
    expect([balance(from), balance(to)]).toEqual([99n * LAMPORTS_PER_SOL - 5_000n, LAMPORTS_PER_SOL]);
  });

  it('executes a message once: a repetition is AlreadyProcessed, at once, in the same turn and after a restart', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const transaction = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    const outcomes = await Promise.all([under.chain.send(transaction), under.chain.send(transaction)]);
    expect(outcomes.map(({ executed }) => executed)).toEqual([true, false]);
    await under.reopen();
    expect(await under.chain.send(transaction)).toMatchObject({ executed: false, error: { json: 'AlreadyProcessed' } });
    expect(balance(to)).toBe(LAMPORTS_PER_SOL);
  });

  it('refuses a blockhash that has expired, or that nobody knows, without a trace', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const late = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    under.pass(151 * 400);
    expect(await under.chain.send(late)).toMatchObject({ executed: false, error: { json: 'BlockhashNotFound' } });
    const foreign = signed(
      under.chain,
      [transfer(from, to, LAMPORTS_PER_SOL)],
      [from],
      Keypair.generate().publicKey.toBase58(),
    );
    expect(await under.chain.send(foreign)).toMatchObject({ executed: false, error: { json: 'BlockhashNotFound' } });
    expect([balance(from), under.chain.ledger.totals().transactions]).toEqual([100n * LAMPORTS_PER_SOL, 1]);
  });

  it('keeps on record what fails in a program, and charges its fee', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const transaction = signed(under.chain, [transfer(from, to, 1_000n * LAMPORTS_PER_SOL)], [from]);
    expect(await under.chain.send(transaction)).toMatchObject({
      executed: true,
      execution: { error: { json: { InstructionError: [0, { Custom: 1 }] } } },
    });
    expect(balance(from)).toBe(100n * LAMPORTS_PER_SOL - 5_000n);
    expect(under.chain.ledger.find(transaction.signatures[0] as Uint8Array)?.error).toBe(
      '{"InstructionError":[0,{"Custom":1}]}',
    );
  });

  const memo = new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAM),
    keys: [],
    data: Buffer.from('hi'),
  });
  it.each<[string, TransactionInstruction[]]>([
    ['a built-in program alone', [ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 })]],
    [
      'a price and a limit for compute units',
      [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 }),
        ComputeBudgetProgram.setComputeUnitLimit({ units: 77_777 }),
        memo,
      ],
    ],
    ['a price without a limit', [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 999 })]],
    [
      'a price for a program that is no built-in',
      [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 999_999 }), memo],
    ],
  ])('charges what getFeeForMessage says: %s', async (_name, instructions) => {
    const from = await richKey(under.chain);
    const transaction = signed(under.chain, instructions, [from]);
    expect(await under.chain.send(transaction)).toMatchObject({ executed: true, execution: { error: null } });
    expect(100n * LAMPORTS_PER_SOL - balance(from)).toBe(feeOf(transaction.message));
  });

  it('takes a durable nonce for a blockhash, once', async () => {
    const [from, to, nonce] = [await richKey(under.chain), Keypair.generate(), Keypair.generate()];
    const create = SystemProgram.createNonceAccount({
      fromPubkey: from.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: from.publicKey,
      lamports: 10_000_000,
    });
    await under.chain.send(signed(under.chain, create.instructions, [from, nonce]));
    const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: from.publicKey });
    const stored = () =>
      NonceAccount.fromAccountData(under.chain.account(nonce.publicKey.toBytes())?.data as Buffer).nonce;
    const first = stored();
    under.pass(1_000 * 400);
    const transaction = signed(under.chain, [advance, transfer(from, to, LAMPORTS_PER_SOL)], [from], first);
    expect(await under.chain.send(transaction)).toMatchObject({ executed: true, execution: { error: null } });
    expect(stored()).not.toBe(first);
    const again = signed(under.chain, [advance, transfer(from, to, 2n * LAMPORTS_PER_SOL)], [from], first);
    expect(await under.chain.send(again)).toMatchObject({ executed: false, error: { json: 'BlockhashNotFound' } });
  });

  it('undoes what the disk does not take, and tells the sender', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    vi.spyOn(under.chain.ledger, 'append').mockImplementationOnce(() => {
      throw new Error('disk full');
    });
    const transaction = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    await expect(under.chain.send(transaction)).rejects.toThrow(/disk full/);
    expect([balance(from), balance(to)]).toEqual([100n * LAMPORTS_PER_SOL, 0n]);
    expect(await under.chain.send(transaction)).toMatchObject({ executed: true, execution: { error: null } });
  });

  it('works with address lookup tables: create, extend, and use one from the next slot on', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: from.publicKey,
      payer: from.publicKey,
      recentSlot: under.chain.clock.now() - 1,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: from.publicKey,
      authority: from.publicKey,
      lookupTable: table,
      addresses: [to.publicKey],
    });
    expect(await under.chain.send(signed(under.chain, [create, extend], [from]))).toMatchObject({
      executed: true,
      execution: { error: null },
    });
    under.pass(400);
    const message = new TransactionMessage({
      payerKey: from.publicKey,
      recentBlockhash: under.chain.clock.blockhashText(under.chain.clock.now()),
      instructions: [transfer(from, to, LAMPORTS_PER_SOL)],
    });
    const account = {
      key: table,
      state: {
        addresses: [to.publicKey],
        authority: from.publicKey,
        deactivationSlot: 0n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
      },
      isActive: () => true,
    };
    const transaction = new VersionedTransaction(message.compileToV0Message([account]));
    transaction.sign([from]);
    expect(await under.chain.send(decodeTransaction(transaction.serialize()))).toMatchObject({
      executed: true,
      execution: { error: null },
    });
    expect(balance(to)).toBe(LAMPORTS_PER_SOL);
  });
});

describe('a restart', () => {
  it('finds accounts, transactions, hashes and the faucet as they were', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const transaction = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    await under.chain.send(transaction);
    const [genesis, slot] = [under.chain.clock.genesisHash, under.chain.clock.now()];
    await under.reopen();
    expect([balance(from), balance(to)]).toEqual([99n * LAMPORTS_PER_SOL - 5_000n, LAMPORTS_PER_SOL]);
    expect(under.chain.clock.genesisHash).toEqual(genesis);
    expect(under.chain.clock.now()).toBe(slot);
    expect(under.chain.ledger.history(to.publicKey.toBytes(), { limit: 10 })).toHaveLength(1);
    expect(await under.chain.airdrop(to.publicKey.toBytes(), 5n)).toMatch(/^[1-9A-Za-z]{80,88}$/);
  });

  it('keeps an emptied account away', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    await under.chain.send(signed(under.chain, [transfer(from, to, 100n * LAMPORTS_PER_SOL - 5_000n)], [from]));
    await under.reopen();
    expect(under.chain.account(from.publicKey.toBytes())).toBeNull();
  });
});

describe('airdrop', () => {
  it('gives the same address the same amount as often as it is asked, within one slot too', async () => {
    const to = Keypair.generate();
    const signatures = await Promise.all(
      Array.from({ length: 5 }, () => under.chain.airdrop(to.publicKey.toBytes(), LAMPORTS_PER_SOL)),
    );
    expect(new Set(signatures).size).toBe(5);
    expect(balance(to)).toBe(5n * LAMPORTS_PER_SOL);
  });

  it('says why it failed', async () => {
    await expect(under.chain.airdrop(Keypair.generate().publicKey.toBytes(), 1n)).rejects.toThrow(/rent/);
  });
});

describe('simulate', () => {
  it('takes signatures that are zeros, and changes nothing', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const unsigned = new Web3Transaction({
      feePayer: from.publicKey,
      recentBlockhash: Keypair.generate().publicKey.toBase58(),
    }).add(transfer(from, to, LAMPORTS_PER_SOL));
    const transaction = decodeTransaction(unsigned.serialize({ requireAllSignatures: false, verifySignatures: false }));
    expect(under.chain.simulate(transaction, { verifySignatures: false, anyBlockhash: true })).toMatchObject({
      error: null,
    });
    expect(under.chain.simulate(transaction, { verifySignatures: true, anyBlockhash: true })).toMatchObject({
      error: { json: 'SignatureFailure' },
    });
    expect(under.chain.simulate(transaction, { verifySignatures: false, anyBlockhash: false })).toMatchObject({
      error: { json: 'BlockhashNotFound' },
    });
    expect(balance(to)).toBe(0n);
  });

  it('does not leave signatures unchecked for what is sent next', async () => {
    const [from, to] = [await richKey(under.chain), Keypair.generate()];
    const transaction = signed(under.chain, [transfer(from, to, LAMPORTS_PER_SOL)], [from]);
    const forged = Buffer.from(transaction.wire);
    forged[10] = (forged[10] ?? 0) ^ 1;
    under.chain.simulate(decodeTransaction(forged), { verifySignatures: false, anyBlockhash: true });
    expect(await under.chain.send(decodeTransaction(forged))).toMatchObject({
      executed: false,
      error: { json: 'SignatureFailure' },
    });
    expect(balance(to)).toBe(0n);
  });
});
