import {
  createMint,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transfer as transferToken,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type ParsedAccountData,
  sendAndConfirmTransaction,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionExpiredBlockheightExceededError,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBase58 } from './address';
import { serveSolana, type SolanaServer } from './solana-under-test';

/** Tests @solana/web3.js 1.x and @solana/spl-token with their own confirmation, over HTTP and WebSocket. */

let server: SolanaServer;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  server = await serveSolana();
  connection = new Connection(server.rpcUrl, { commitment: 'confirmed', wsEndpoint: server.wsUrl });
  payer = await richKeypair();
});
afterAll(() => server.close());

async function richKeypair(): Promise<Keypair> {
  const key = Keypair.generate();
  const signature = await connection.requestAirdrop(key.publicKey, 10 * LAMPORTS_PER_SOL);
  const { value } = await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
  expect(value.err).toBeNull();
  return key;
}

const move = (to: Keypair, lamports: number) =>
  new Transaction().add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports }));

describe('@solana/web3.js', () => {
  it('airdrops, transfers and confirms, at every commitment', async () => {
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      const to = Keypair.generate();
      const signature = await sendAndConfirmTransaction(connection, move(to, LAMPORTS_PER_SOL), [payer], {
        commitment,
      });
      expect(await connection.getBalance(to.publicKey, commitment)).toBe(LAMPORTS_PER_SOL);
      expect((await connection.getSignatureStatus(signature)).value).toMatchObject({
        err: null,
        confirmationStatus: 'finalized',
      });
    }
  });

  it('hears by WebSocket of a signature before and after it is executed, of slots, accounts and logs', async () => {
    const to = Keypair.generate();
    const heard: string[] = [];
    const subscriptions = [
      connection.onAccountChange(to.publicKey, ({ lamports }) => void heard.push(`account ${lamports}`)),
      connection.onLogs(to.publicKey, ({ err }) => void heard.push(`logs ${String(err)}`)),
    ];
    const slots: number[] = [];
    const slotSubscription = connection.onSlotChange(({ slot }) => void slots.push(slot));
    await until(() => slots.length >= 2);
    const transaction = move(to, LAMPORTS_PER_SOL);
    const { blockhash } = await connection.getLatestBlockhash();
    Object.assign(transaction, { recentBlockhash: blockhash, feePayer: payer.publicKey });
    transaction.sign(payer);
    const text = toBase58(transaction.signature as Buffer);
    const early = new Promise((resolve) => connection.onSignature(text, resolve));
    await connection.sendRawTransaction(transaction.serialize());
    expect(await early).toEqual({ err: null });
    const late = new Promise((resolve) => connection.onSignature(text, resolve));
    expect(await late).toEqual({ err: null });
    await until(() => heard.length >= 2);
    expect(heard.sort()).toEqual([`account ${LAMPORTS_PER_SOL}`, 'logs null']);
    expect(slots[1]).toBe((slots[0] ?? 0) + 1);
    await connection.removeSlotChangeListener(slotSubscription);
    await connection.removeAccountChangeListener(subscriptions[0] as number);
    await connection.removeOnLogsListener(subscriptions[1] as number);
  });

  it('reads chain, accounts, blocks and history with the types that it checks', async () => {
    const to = Keypair.generate();
    const signature = await sendAndConfirmTransaction(connection, move(to, LAMPORTS_PER_SOL), [payer]);
    const slot = await connection.getSlot();
    expect(await connection.getVersion()).toHaveProperty('solana-core');
    expect(await connection.getBlockHeight()).toBeGreaterThanOrEqual(slot);
    expect((await connection.getEpochInfo()).slotsInEpoch).toBe(432_000);
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
    expect(await connection.getGenesisHash()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
    expect((await connection.getFeeForMessage(await compiled(to))).value).toBe(5_000);
    expect((await connection.isBlockhashValid((await connection.getLatestBlockhash()).blockhash)).value).toBe(true);
    expect(await connection.getRecentPrioritizationFees()).toEqual([
      { slot: expect.any(Number) as number, prioritizationFee: 0 },
    ]);
    expect(
      (await connection.getMultipleAccountsInfo([to.publicKey, Keypair.generate().publicKey])).map(
        (account) => account?.lamports,
      ),
    ).toEqual([LAMPORTS_PER_SOL, undefined]);
    expect((await connection.getSignaturesForAddress(to.publicKey)).map((entry) => entry.signature)).toEqual([
      signature,
    ]);
    expect(await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).toMatchObject({
      meta: { err: null, fee: 5_000 },
      version: 'legacy',
    });
    expect((await connection.getParsedTransaction(signature))?.transaction.message.accountKeys[0]).toMatchObject({
      signer: true,
      writable: true,
    });
    const block = await connection.getBlock(
      (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.slot ?? 0,
      { maxSupportedTransactionVersion: 0 },
    );
    expect(block?.transactions.some(({ transaction }) => transaction.signatures[0] === signature)).toBe(true);
    expect((await connection.getSupply()).value.total).toBeGreaterThan(0);
    expect((await connection.getLargestAccounts()).value.length).toBeGreaterThan(0);
    expect(await connection.getEpochSchedule()).toHaveProperty('slotsPerEpoch', 432_000);
    expect(await connection.getBlockProduction()).toHaveProperty('value.range');
    expect(await connection.getClusterNodes()).toHaveLength(1);
    expect(await connection.getVoteAccounts()).toEqual({ current: [], delinquent: [] });
  });

  it('sends version 0 messages, and understands why one fails', async () => {
    const transaction = new VersionedTransaction(await compiled(Keypair.generate(), 1_000 * LAMPORTS_PER_SOL));
    transaction.sign([payer]);
    const failure = await connection.sendTransaction(transaction).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SendTransactionError);
    expect((failure as SendTransactionError).logs?.join()).toMatch(/insufficient lamports/);
    const simulated = await connection.simulateTransaction(transaction, {
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: [payer.publicKey.toBase58()] },
    });
    expect(simulated.value.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });

  it('learns what accounts would be, and that an expired transaction is expired', async () => {
    const to = Keypair.generate();
    const transaction = new VersionedTransaction(await compiled(to));
    const { value } = await connection.simulateTransaction(transaction, {
      sigVerify: false,
      accounts: { encoding: 'base64', addresses: [to.publicKey.toBase58()] },
    });
    expect([value.err, value.accounts?.[0]?.lamports]).toEqual([null, LAMPORTS_PER_SOL]);
    const signature = 'A'.repeat(87);
    const past = {
      blockhash: transaction.message.recentBlockhash,
      lastValidBlockHeight: (await connection.getBlockHeight()) - 1,
    };
    await expect(connection.confirmTransaction({ signature, ...past })).rejects.toThrow(
      TransactionExpiredBlockheightExceededError,
    );
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM_ID, 'spl-token'],
  ['Token-2022', TOKEN_2022_PROGRAM_ID, 'spl-token-2022'],
])('@solana/spl-token with %s', (_name, programId, program) => {
  it('creates a mint and accounts, mints, transfers, and reads it all back', async () => {
    const friend = Keypair.generate();
    const mint = await createMint(connection, payer, payer.publicKey, null, 6, undefined, undefined, programId);
    const open = (owner: Keypair) =>
      getOrCreateAssociatedTokenAccount(
        connection,
        payer,
        mint,
        owner.publicKey,
        false,
        undefined,
        undefined,
        programId,
      );
    const [own, theirs] = [await open(payer), await open(friend)];
    await mintTo(connection, payer, mint, own.address, payer, 5_000_000n, [], undefined, programId);
    const signature = await transferToken(
      connection,
      payer,
      own.address,
      theirs.address,
      payer,
      1_500_000n,
      [],
      undefined,
      programId,
    );

    expect((await getMint(connection, mint, undefined, programId)).supply).toBe(5_000_000n);
    expect((await getAccount(connection, theirs.address, undefined, programId)).amount).toBe(1_500_000n);
    expect((await connection.getTokenAccountBalance(theirs.address)).value).toEqual({
      amount: '1500000',
      decimals: 6,
      uiAmount: 1.5,
      uiAmountString: '1.5',
    });
    expect((await connection.getTokenSupply(mint)).value.uiAmountString).toBe('5');
    expect((await connection.getTokenLargestAccounts(mint)).value.map(({ amount }) => amount)).toEqual([
      '3500000',
      '1500000',
    ]);
    const owned = await connection.getParsedTokenAccountsByOwner(friend.publicKey, { mint });
    expect(owned.value[0]?.account.data).toMatchObject({
      program,
      parsed: { type: 'account', info: { tokenAmount: { amount: '1500000' } } },
    });
    expect((await connection.getTokenAccountsByOwner(friend.publicKey, { programId })).value).toHaveLength(1);
    expect(((await connection.getParsedAccountInfo(mint)).value?.data as ParsedAccountData).parsed).toMatchObject({
      type: 'mint',
      info: { decimals: 6 },
    });
    const byMemcmp = await connection.getProgramAccounts(programId, {
      filters: [{ memcmp: { offset: 32, bytes: friend.publicKey.toBase58() } }],
    });
    expect(byMemcmp.map(({ pubkey }) => pubkey.toBase58())).toEqual([theirs.address.toBase58()]);
    const moved = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(moved?.meta?.postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.amount).sort()).toEqual([
      '1500000',
      '3500000',
    ]);
  });
});

async function compiled(to: Keypair, lamports = LAMPORTS_PER_SOL) {
  const { blockhash } = await connection.getLatestBlockhash();
  return new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: move(to, lamports).instructions,
  }).compileToV0Message();
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true);
}
