import { base58 } from '@scure/base';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { NetworkRequest } from '../../upstreams/nodes/network-client';

export const SIGNATURES_PAGE = 1_000;
const SIGNATURE_BYTES = 64;
const BLOCKHASH_BYTES = 32;

const height = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Matches a signature by its base58 characters. Decoding instead would take 50 ms for a page of signatures. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const signature = z.string().regex(SIGNATURE);
/** Null means success, but the field must be present. */
const outcome = z.unknown().refine((value) => value !== undefined, 'Must be there');
const inContext = <Value extends z.ZodType>(value: Value) => z.object({ context: z.object({ slot: height }), value });

const epochSchema = z.object({ absoluteSlot: height, blockHeight: height });
const simulationSchema = inContext(z.object({ err: outcome }));
const statusesSchema = inContext(
  z.array(z.object({ err: outcome, confirmationStatus: z.string().nullish() }).nullable()).max(1),
);
const validitySchema = inContext(z.boolean());
const latestBlockhashSchema = inContext(
  z.object({
    blockhash: z
      .string()
      .max(44)
      .regex(/^[1-9A-HJ-NP-Za-km-z]+$/)
      .refine((text) => base58.decode(text).length === BLOCKHASH_BYTES, 'Must be 32 bytes'),
    lastValidBlockHeight: height,
  }),
);
const entrySchema = z.object({ signature, slot: height, err: outcome, memo: z.string().nullish() });
const entriesSchema = z.array(entrySchema).max(SIGNATURES_PAGE);
const tokenBalanceSchema = z.object({
  accountIndex: z.number().int().min(0).max(255),
  mint: z.string(),
  owner: z.string(),
  programId: z.string(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/), decimals: z.number() }),
});
const accountSchema = inContext(
  z
    .object({
      owner: z.string(),
      data: z.object({
        parsed: z.object({
          type: z.string(),
          info: z.object({
            mint: z.string().optional(),
            owner: z.string().optional(),
            state: z.string().optional(),
            tokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }).optional(),
          }),
        }),
      }),
    })
    .or(z.object({ owner: z.string() }))
    .nullable(),
);
const lamportsSchema = inContext(z.number().int().min(0));
const tokenBalances = z.array(tokenBalanceSchema).max(256).nullish();
const metaSchema = z.object({ err: outcome, preTokenBalances: tokenBalances, postTokenBalances: tokenBalances });
const executedSchema = z
  .object({ slot: height, transaction: z.tuple([z.string(), z.literal('base64')]), meta: metaSchema.nullable() })
  .nullable();

export type TokenBalance = z.output<typeof tokenBalanceSchema>;
export type TransactionMeta = z.output<typeof metaSchema>;
/** Transaction that refers to an account. The transaction may have failed. */
export type HistoryEntry = z.output<typeof entrySchema>;
type ExecutedTransaction = NonNullable<z.output<typeof executedSchema>>;
export type LatestBlockhash = z.output<typeof latestBlockhashSchema>['value'];
type Commitment = 'confirmed' | 'finalized';

/** State of a token account at a confirmed block. */
export interface TokenAccount {
  program: string;
  mint: string;
  owner: string;
  isFrozen: boolean;
  units: bigint;
}

/**
 * Solana JSON-RPC calls that payments need. Calls reject if the node refuses, times out or gives an undocumented
 * answer.
 */
export class SolanaNode {
  constructor(private readonly rpc: NetworkRequest) {}

  async position(commitment: Commitment): Promise<{ slot: number; height: number }> {
    const { absoluteSlot, blockHeight } = epochSchema.parse(await this.rpc('getEpochInfo', [{ commitment }]));
    return { slot: absoluteSlot, height: blockHeight };
  }

  async account(address: string): Promise<{ program: string; token: TokenAccount | null } | null> {
    const options = { encoding: 'jsonParsed', commitment: 'confirmed' };
    const { value } = accountSchema.parse(await this.rpc('getAccountInfo', [address, options]));
    if (value === null) return null;
    const program = value.owner;
    if (!('data' in value) || value.data.parsed.type !== 'account') return { program, token: null };
    const { mint, owner, state, tokenAmount } = value.data.parsed.info;
    if (mint === undefined || owner === undefined || tokenAmount === undefined) return { program, token: null };
    return {
      program,
      token: { program, mint, owner, isFrozen: state === 'frozen', units: BigInt(tokenAmount.amount) },
    };
  }

  async lamports(address: string): Promise<number> {
    return lamportsSchema.parse(await this.rpc('getBalance', [address, { commitment: 'confirmed' }])).value;
  }

  /**
   * Simulates a transaction. The fee payer's signature may be missing. `error` is null if the transaction would
   * succeed.
   */
  async simulate(wire: string): Promise<{ slot: number; error: unknown }> {
    const options = { sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed', encoding: 'base64' };
    const { context, value } = simulationSchema.parse(await this.rpc('simulateTransaction', [wire, options]));
    return { slot: context.slot, error: value.err ?? null };
  }

  /** Sends a transaction. Rejects if the node's preflight check fails. */
  async send(wire: string): Promise<void> {
    await this.rpc('sendTransaction', [
      wire,
      { encoding: 'base64', skipPreflight: false, preflightCommitment: 'confirmed' },
    ]);
  }

  /** Returns a sent transaction's status; null if the node does not know it. */
  async status(signature: string): Promise<{ error: unknown; commitment: string | null } | null> {
    const { value } = statusesSchema.parse(
      await this.rpc('getSignatureStatuses', [[signature], { searchTransactionHistory: false }]),
    );
    const [status] = value;
    return status ? { error: status.err ?? null, commitment: status.confirmationStatus ?? null } : null;
  }

  /** Returns the newest confirmed blockhash, and the last block height at which that blockhash is valid. */
  async latestBlockhash(): Promise<LatestBlockhash> {
    return latestBlockhashSchema.parse(await this.rpc('getLatestBlockhash', [{ commitment: 'confirmed' }])).value;
  }

  /**
   * Returns whether a transaction with this blockhash can still be included. The answer describes a finalized slot that
   * is not before `fromSlot`.
   */
  async blockhash(blockhash: string, fromSlot: number): Promise<{ isValid: boolean; slot: number }> {
    const { context, value } = validitySchema.parse(
      await this.rpc('isBlockhashValid', [blockhash, { commitment: 'finalized', minContextSlot: fromSlot }]),
    );
    return { isValid: value, slot: Math.max(context.slot, fromSlot) };
  }

  /** Returns a page of an account's finalized transactions, newest first, from a node that has reached `slot`. */
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

  /** Returns a finalized transaction; null if the node does not have it. */
  async transaction(signature: string): Promise<ExecutedTransaction | null> {
    return executedSchema.parse(
      await this.rpc('getTransaction', [
        signature,
        { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 },
      ]),
    );
  }

  /** Returns the first slot whose transactions the node still has. */
  async firstAvailableSlot(): Promise<number> {
    return height.parse(await this.rpc('getFirstAvailableBlock', []));
  }
}

export function isSignature(text: string): boolean {
  return SIGNATURE.test(text) && base58.decode(text).length === SIGNATURE_BYTES;
}

export interface FinalityPace {
  pollMs: number;
  /** Maximum time between polls. The time doubles until it reaches this value. */
  pollMsMax: number;
  /** Maximum total wait. Finality takes about 13 s. */
  waitMsMax: number;
  /** Maximum wait for a transaction that no node knows. It might not have been sent. */
  unknownMsMax: number;
}

export const FINALITY_PACE: FinalityPace = { pollMs: 250, pollMsMax: 2_000, waitMsMax: 18_000, unknownMsMax: 4_000 };

/**
 * Waits until a sent transaction is final or has failed, or until time is up. The result proves nothing, so the caller
 * must check the chain.
 * @param signal ends the wait when it is aborted
 */
export async function awaitFinality(
  node: SolanaNode,
  signature: string,
  pace: FinalityPace,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  for (let pollMs = pace.pollMs; !signal.aborted; pollMs = Math.min(pollMs * 2, pace.pollMsMax)) {
    const status = await node.status(signature).catch(() => null);
    if (status && (status.error !== null || status.commitment === 'finalized')) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > (status ? pace.waitMsMax : pace.unknownMsMax)) return;
    await sleep(pollMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
