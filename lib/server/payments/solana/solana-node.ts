import { base58 } from '@scure/base';
import { z } from 'zod';
import type { NetworkRequest } from '../../upstreams/nodes/network-client';

/** As many as nodes list at once. */
export const SIGNATURES_PAGE = 1_000;
const SIGNATURE_BYTES = 64;

const height = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Letters of base58 in a signature's number: decoding a page of them would take some 50 ms. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const signature = z.string().regex(SIGNATURE);
/** Null for success. That there is none must be said. */
const outcome = z.unknown().refine((value) => value !== undefined, 'Must be there');
const inContext = <Value extends z.ZodType>(value: Value) => z.object({ context: z.object({ slot: height }), value });

const epochSchema = z.object({ absoluteSlot: height, blockHeight: height });
const simulationSchema = inContext(z.object({ err: outcome }));
const statusesSchema = inContext(
  z.array(z.object({ err: outcome, confirmationStatus: z.string().nullish() }).nullable()).max(1),
);
const validitySchema = inContext(z.boolean());
const entrySchema = z.object({ signature, slot: height, err: outcome, memo: z.string().nullish() });
const entriesSchema = z.array(entrySchema).max(SIGNATURES_PAGE);
const tokenBalanceSchema = z.object({
  accountIndex: z.number().int().min(0).max(255),
  mint: z.string(),
  owner: z.string(),
  programId: z.string(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/), decimals: z.number() }),
});
const tokenBalances = z.array(tokenBalanceSchema).max(256).nullish();
const metaSchema = z.object({ err: outcome, preTokenBalances: tokenBalances, postTokenBalances: tokenBalances });
const executedSchema = z
  .object({ slot: height, transaction: z.tuple([z.string(), z.literal('base64')]), meta: metaSchema.nullable() })
  .nullable();

/** What a token account held before or after a transaction. */
export type TokenBalance = z.output<typeof tokenBalanceSchema>;
/** What a transaction did. */
export type TransactionMeta = z.output<typeof metaSchema>;
/** A transaction that an account was named by; those that failed are listed too. */
export type HistoryEntry = z.output<typeof entrySchema>;
/** A transaction that is in a finalized block. */
export type ExecutedTransaction = NonNullable<z.output<typeof executedSchema>>;
export type Commitment = 'confirmed' | 'finalized';

/**
 * The calls of Solana's JSON-RPC that a payment takes, with answers of the documented shape only. All reject where the
 * node refuses, answers something else, or not in time.
 */
export class SolanaNode {
  constructor(private readonly rpc: NetworkRequest) {}

  /** How far the chain is. */
  async position(commitment: Commitment): Promise<{ slot: number; height: number }> {
    const { absoluteSlot, blockHeight } = epochSchema.parse(await this.rpc('getEpochInfo', [{ commitment }]));
    return { slot: absoluteSlot, height: blockHeight };
  }

  /** What a transaction would do now; its fee payer need not have signed. `error` is null where it would succeed. */
  async simulate(wire: string): Promise<{ slot: number; error: unknown }> {
    const options = { sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed', encoding: 'base64' };
    const { context, value } = simulationSchema.parse(await this.rpc('simulateTransaction', [wire, options]));
    return { slot: context.slot, error: value.err ?? null };
  }

  /** Sends a transaction, unless the node finds that it would fail. */
  async send(wire: string): Promise<void> {
    await this.rpc('sendTransaction', [
      wire,
      { encoding: 'base64', skipPreflight: false, preflightCommitment: 'confirmed' },
    ]);
  }

  /** How far a transaction is that was sent; null where the node knows of none. */
  async status(signature: string): Promise<{ error: unknown; commitment: string | null } | null> {
    const { value } = statusesSchema.parse(
      await this.rpc('getSignatureStatuses', [[signature], { searchTransactionHistory: false }]),
    );
    const [status] = value;
    return status ? { error: status.err ?? null, commitment: status.confirmationStatus ?? null } : null;
  }

  /** Whether a transaction with this blockhash can still come into a block, as of a finalized slot that is not before `fromSlot`. */
  async blockhash(blockhash: string, fromSlot: number): Promise<{ isValid: boolean; slot: number }> {
    const { context, value } = validitySchema.parse(
      await this.rpc('isBlockhashValid', [blockhash, { commitment: 'finalized', minContextSlot: fromSlot }]),
    );
    return { isValid: value, slot: Math.max(context.slot, fromSlot) };
  }

  /** A page of the finalized transactions that name an account, newest first, as of a block not before `slot`. */
  async history(
    account: string,
    { before, slot }: { before: string | undefined; slot: number },
  ): Promise<HistoryEntry[]> {
    const options = {
      limit: SIGNATURES_PAGE,
      commitment: 'finalized',
      minContextSlot: slot,
      ...(before === undefined ? {} : { before }),
    };
    return entriesSchema.parse(await this.rpc('getSignaturesForAddress', [account, options]));
  }

  /** A finalized transaction; null where the node has none of this signature. */
  async transaction(signature: string): Promise<ExecutedTransaction | null> {
    return executedSchema.parse(
      await this.rpc('getTransaction', [
        signature,
        { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 },
      ]),
    );
  }

  /** The first slot of which the node has kept the transactions. */
  async firstAvailableSlot(): Promise<number> {
    return height.parse(await this.rpc('getFirstAvailableBlock', []));
  }
}

/** Whether a text is the base58 of 64 bytes. */
export function isSignature(text: string): boolean {
  return SIGNATURE.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
}
