import {
  AccountRole,
  address,
  airdropFactory,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  blockhash,
  type Commitment,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from './programs';
import { serveSolana, type SolanaServer } from './solana-under-test';

/** Tests @solana/kit with its own confirmation functions, over HTTP and WebSocket. */

const SOL = 1_000_000_000n;
let server: SolanaServer;
let rpc: ReturnType<typeof createSolanaRpc>;
let rpcSubscriptions: ReturnType<typeof createSolanaRpcSubscriptions>;
let payer: KeyPairSigner;

beforeAll(async () => {
  server = await serveSolana();
  rpc = createSolanaRpc(server.rpcUrl);
  rpcSubscriptions = createSolanaRpcSubscriptions(server.wsUrl);
  payer = await generateKeyPairSigner();
  await airdropFactory({ rpc, rpcSubscriptions } as Parameters<typeof airdropFactory>[0])({
    recipientAddress: payer.address,
    lamports: lamports(10n * SOL),
    commitment: 'confirmed',
  });
});
afterAll(() => server.close());

/** Instruction data of SystemInstruction::Transfer. */
function transferData(amount: bigint): Uint8Array {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(amount, 4);
  return data;
}

async function signedTransfer(
  to: string,
  amount: bigint,
  lifetime?: Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0],
) {
  const latest = lifetime ?? (await rpc.getLatestBlockhash().send()).value;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
    (draft) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address(SYSTEM_PROGRAM),
          accounts: [
            { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
            { address: address(to), role: AccountRole.WRITABLE },
          ],
          data: transferData(amount),
        },
        draft,
      ),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(transaction);
  return transaction;
}

const sendAndConfirm = (
  transaction: Awaited<ReturnType<typeof signedTransfer>>,
  commitment: Commitment = 'confirmed',
) =>
  sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as Parameters<typeof sendAndConfirmTransactionFactory>[0])(
    transaction,
    { commitment },
  );

describe('@solana/kit', () => {
  it('airdropped, and transfers and confirms at every commitment', async () => {
    expect((await rpc.getBalance(payer.address).send()).value).toBe(10n * SOL);
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      const to = (await generateKeyPairSigner()).address;
      const transaction = await signedTransfer(to, SOL);
      await sendAndConfirm(transaction, commitment);
      expect((await rpc.getBalance(to, { commitment }).send()).value).toBe(SOL);
      const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
      expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'finalized' });
    }
  });

  it('reads accounts, transactions and the chain, amounts as bigints of all their digits', async () => {
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signedTransfer(to, SOL);
    await sendAndConfirm(transaction);
    const { value: account } = await rpc.getAccountInfo(to, { encoding: 'base64' }).send();
    expect(account).toMatchObject({ lamports: SOL, owner: SYSTEM_PROGRAM, space: 0n, data: ['', 'base64'] });
    expect(
      (await rpc.getMultipleAccounts([to, address(SYSTEM_PROGRAM)], { encoding: 'base64' }).send()).value[1]
        ?.executable,
    ).toBe(true);
    const found = await rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.meta).toMatchObject({ err: null, fee: 5_000n });
    expect(found?.version).toBe(0);
    expect(
      await rpc
        .getTransaction(getSignatureFromTransaction(transaction), {
          encoding: 'json',
          maxSupportedTransactionVersion: 0,
        })
        .send(),
    ).toHaveProperty('transaction.message.addressTableLookups', []);
    expect((await rpc.getSignaturesForAddress(to).send()).map(({ signature }) => signature)).toEqual([
      getSignatureFromTransaction(transaction),
    ]);
    expect((await rpc.getSupply().send()).value.total).toBeGreaterThan(2n ** 53n);
    expect((await rpc.getEpochInfo().send()).slotsInEpoch).toBe(432_000n);
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n);
  });

  it('simulates with signatures that are zeros and a blockhash of the node', async () => {
    const transaction = await signedTransfer((await generateKeyPairSigner()).address, SOL);
    const unsigned = { ...transaction, signatures: { [payer.address]: null } } as typeof transaction;
    const { value } = await rpc
      .simulateTransaction(getBase64EncodedWireTransaction(unsigned), {
        encoding: 'base64',
        sigVerify: false,
        replaceRecentBlockhash: true,
        innerInstructions: true,
      })
      .send();
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150n,
      replacementBlockhash: { blockhash: expect.any(String) as string },
    });
  });

  it('understands a failing preflight and a transaction that has expired', async () => {
    const failing = await signedTransfer((await generateKeyPairSigner()).address, 1_000n * SOL);
    const refusal: unknown = await sendAndConfirm(failing).catch((error: unknown) => error);
    expect(isSolanaError(refusal, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    expect((refusal as { context: { logs: string[] } }).context.logs.join()).toMatch(/insufficient lamports/);

    // Without a preflight, a node accepts a transaction with an expired blockhash and drops it later.
    const expired = await signedTransfer((await generateKeyPairSigner()).address, SOL, {
      blockhash: blockhash('9'.repeat(43)),
      lastValidBlockHeight: 1n,
    });
    const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as Parameters<
      typeof sendAndConfirmTransactionFactory
    >[0]);
    const expiry: unknown = await send(expired, { commitment: 'confirmed', skipPreflight: true }).catch(
      (error: unknown) => error,
    );
    expect(isSolanaError(expiry, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true);
  });

  it('hears of slots and of an account', async () => {
    const abort = new AbortController();
    const slots = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal: abort.signal });
    const seen: bigint[] = [];
    for await (const { slot } of slots) {
      seen.push(slot);
      if (seen.length === 3) break;
    }
    expect(seen.map((slot) => slot - (seen[0] ?? 0n))).toEqual([0n, 1n, 2n]);
    const to = (await generateKeyPairSigner()).address;
    const changes = await rpcSubscriptions
      .accountNotifications(to, { encoding: 'base64' })
      .subscribe({ abortSignal: abort.signal });
    // The iterator keeps no notification that arrives before the first `next()`.
    const change = changes[Symbol.asyncIterator]().next();
    await sendAndConfirm(await signedTransfer(to, SOL));
    expect((await change).value).toMatchObject({ value: { lamports: SOL } });
    abort.abort();
  });
});
