import { base58 } from '@scure/base';
import type { PaymentPayload } from '@x402/core/types';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { NetworkRequest } from '../../upstreams/nodes/network-client';
import type { SolanaRailConfig } from '../../config/payments';
import { isEd25519Signature } from '../../auth/signatures/ed25519';
import type { Payment } from '../../db/payments';
import type { Facilitator } from '../facilitators/facilitator';
import {
  ChainUnreachable,
  type Finding,
  type Possible,
  type Rail,
  type ReadPayment,
  type SettleHooks,
  type VerifiedAt,
} from '../rail';
import type { RailTerms } from '../rail-terms';
import { verdictSentence } from '../verdict-sentence';
import { awaitFinality, FINALITY_PACE, type FinalityPace } from './await-finality';
import { ExecutionSearch, type Judgement } from './execution-search';
import type { FeePayers } from './fee-payers';
import { receivedUnits } from './received-units';
import { simulatePayment, type Simulated } from './solana-facilitator';
import type { SolanaKey } from './solana-key';
import { isSignature, SolanaNode } from './solana-node';
import { identifyTransaction, readSolanaTransfer, type SolanaTransfer } from './solana-transfer';
import { addressBytes } from './token-programs';
import { VerifiedTransfer } from './verified-transfer';

/** A blockhash is good for that many blocks, counted from its own; the message does not say which was its own. */
const BLOCKHASH_BLOCKS = 150;
/** Blocks past its end until a transaction is searched for the last time. */
const EXPIRY_MARGIN_BLOCKS = 32;
/** Nodes differ in what is their newest block. */
const NODE_LAG_SLOTS = 64;
/** A blockhash is good for that many slots at most, where a third of them has no block. */
const BLOCKHASH_SLOTS = 256;
/** How many slots an execution may lie back that came before the payment was presented: about an hour. */
const LOOK_BACK_SLOTS = 9_000;

/** Submitting it again would change nothing. */
const AWAITS_FINALITY: Possible = {
  outcome: 'possible',
  note: 'Solana has executed the transaction. It counts once its block is finalized, some 13 seconds later.',
  isSubmittable: false,
  lookAgainInMs: 2_000,
};

const SEARCHING: Possible = {
  outcome: 'possible',
  note: 'The transaction has expired, and the search for its execution is not finished.',
  isSubmittable: false,
};
/** Between two looks while a search goes on. */
const SEARCH_LOOK_MS = 1_000;

/** Who settles, and with what. */
export type SolanaSettlement = { kind: 'in-process'; key: SolanaKey } | { kind: 'remote'; facilitator: Facilitator };

/**
 * Payments in an SPL token on Solana (x402, scheme "exact"): the payer signs a transfer, the fee payer sends it. What
 * counts is finalized, and is what the receiver's own token account gained.
 */
export class SolanaRail implements Rail {
  readonly terms: RailTerms;
  readonly #node: SolanaNode;
  readonly #search: ExecutionSearch;
  readonly #closing = new AbortController();

  constructor(
    private readonly config: SolanaRailConfig,
    rpc: NetworkRequest,
    private readonly settlement: SolanaSettlement,
    private readonly feePayers: FeePayers,
    now: () => number = Date.now,
    private readonly pace: FinalityPace = FINALITY_PACE,
  ) {
    const { network, name, rpcNetwork, token, receiver } = config;
    this.terms = {
      network: network as Caip2,
      name,
      rpcNetwork,
      asset: token.address,
      symbol: token.symbol,
      decimals: token.decimals,
      payTo: receiver,
    };
    this.#node = new SolanaNode(rpc);
    this.#search = new ExecutionSearch(this.#node, now);
  }

  requirements(amountUnits: bigint): PaymentRequirements | null {
    const feePayer = this.feePayers.current();
    return feePayer === null ? null : this.#requirements(amountUnits, feePayer);
  }

  #requirements(amountUnits: bigint, feePayer: string): PaymentRequirements {
    const { network, asset, payTo } = this.terms;
    return {
      scheme: 'exact',
      network,
      asset,
      amount: amountUnits.toString(),
      payTo,
      maxTimeoutSeconds: this.config.maxTimeoutSeconds,
      extra: { feePayer },
    };
  }

  /** Refuses whatever does not pay the receiver, without asking a node. */
  read({ content, accepted }: PresentedPayment): ReadPayment {
    const { transfer } = this.#verified(content);
    const { mint, amountUnits, messageHash, authority, wire, feePayer } = transfer;
    if (accepted && BigInt(accepted.amount) > amountUnits)
      throw new InvalidPayment(
        'value_mismatch',
        `The transaction moves ${amountUnits} base units, less than the ${accepted.amount} that were accepted.`,
      );
    if (!this.feePayers.isKnown(feePayer)) {
      // Before the facilitator has answered once, the fee payer may be one that an earlier run of this process named.
      if (this.feePayers.current() === null)
        throw new ChainUnreachable('The facilitator has not said yet who pays fees.');
      throw new InvalidPayment(
        'wrong_fee_payer',
        `The fee payer of the transaction is ${feePayer}, not the one of the requirement.`,
      );
    }
    return {
      identity: `${this.terms.network}/${mint}/${messageHash}`,
      payer: authority,
      amountUnits,
      expiresAt: null,
      content: { transaction: wire },
    };
  }

  #verified(content: unknown, receiver = this.terms.payTo): VerifiedTransfer {
    const { token, feeLamportsMax } = this.config;
    return VerifiedTransfer.read(content, { mint: token.address, decimals: token.decimals, receiver, feeLamportsMax });
  }

  async verify({ content, amountUnits }: ReadPayment): Promise<VerifiedAt> {
    const verified = this.#verified(content);
    try {
      const simulated = await simulatePayment(
        this.#node,
        verified,
        this.#requirements(amountUnits, verified.transfer.feePayer),
      );
      const isExecutable = simulated.verdict.isValid;
      if (!isExecutable && !(await this.#mayBeExecuted(simulated, verified.transfer))) {
        const reason = simulated.verdict.invalidReason ?? 'invalid_payment';
        throw new InvalidPayment(reason, verdictSentence(reason));
      }
      // Read after the simulation, so that the blockhash, which was known then, is no younger.
      const { height } = await this.#node.position('confirmed');
      // Of a blockhash that the newest block has forgotten already, no further block takes a transaction: such a payment
      // was executed or never will be, and is not followed for as long as one that may still come.
      const blocksLeft = simulated.error === 'BlockhashNotFound' ? 0 : BLOCKHASH_BLOCKS;
      const sinceSlots = isExecutable ? NODE_LAG_SLOTS : BLOCKHASH_SLOTS + NODE_LAG_SLOTS;
      return { fromHeight: Math.max(0, simulated.slot - sinceSlots), expiresHeight: height + blocksLeft };
    } catch (error) {
      throw unreachableUnless(error, InvalidPayment);
    }
  }

  /**
   * Whether a payment that does not verify was executed so lately that it need not be final yet: then it is followed to
   * its end instead of being called refused.
   */
  async #mayBeExecuted({ error, slot }: Simulated, { recentBlockhash }: SolanaTransfer): Promise<boolean> {
    if (error === 'AlreadyProcessed') return true;
    if (error !== 'BlockhashNotFound') return false;
    const { isValid } = await this.#node.blockhash(recentBlockhash, Math.max(0, slot - NODE_LAG_SLOTS));
    return isValid;
  }

  async searchFrom(): Promise<VerifiedAt> {
    try {
      const { slot, height } = await this.#node.position('finalized');
      return { fromHeight: Math.max(0, slot - LOOK_BACK_SLOTS), expiresHeight: height + BLOCKHASH_BLOCKS };
    } catch (error) {
      throw unreachableUnless(error, InvalidPayment);
    }
  }

  async settle(payment: Payment, { onTransaction }: SettleHooks): Promise<string | null> {
    const verified = this.#verified(JSON.parse(payment.content), receiverOf(payment) ?? this.terms.payTo);
    return this.settlement.kind === 'remote'
      ? this.#settleRemotely(this.settlement.facilitator, verified, onTransaction)
      : this.#settleHere(this.settlement.key, verified, onTransaction);
  }

  async #settleHere(
    key: SolanaKey,
    verified: VerifiedTransfer,
    onTransaction: SettleHooks['onTransaction'],
  ): Promise<string | null> {
    const { wire, signature } = key.sign(verified);
    await onTransaction(signature);
    // It may have arrived where no node answered: the chain will tell.
    const refusal = await this.#node.send(wire).then(() => null, reasonOf);
    if (refusal === null) await awaitFinality(this.#node, signature, this.pace, this.#closing.signal);
    return refusal;
  }

  async #settleRemotely(
    facilitator: Facilitator,
    { transfer }: VerifiedTransfer,
    onTransaction: SettleHooks['onTransaction'],
  ): Promise<string | null> {
    const accepted = this.#requirements(transfer.amountUnits, transfer.feePayer);
    const payload: PaymentPayload = { x402Version: 2, accepted, payload: { transaction: transfer.wire } };
    const said = await facilitator.settle(payload, accepted);
    if (isSignature(said.transaction)) {
      await onTransaction(said.transaction);
      await awaitFinality(this.#node, said.transaction, this.pace, this.#closing.signal);
    }
    return said.success
      ? null
      : [said.errorReason, said.errorMessage].filter(Boolean).join(': ').slice(0, 500) ||
          'The facilitator gave no reason.';
  }

  async look(payment: Payment): Promise<Finding> {
    const transfer = readSolanaTransfer(JSON.parse(payment.content));
    const receiver = receiverOf(payment) ?? this.terms.payTo;
    try {
      return await this.#look(payment, transfer, (signature) => this.#judge(signature, transfer, receiver));
    } catch (error) {
      throw unreachableUnless(error, ChainUnreachable);
    }
  }

  async #look(
    payment: Payment,
    transfer: SolanaTransfer,
    judge: (signature: string) => Promise<Judgement>,
  ): Promise<Finding> {
    const named = payment.transaction_id;
    if (named !== null && isSignature(named)) {
      const judgement = await judge(named);
      if (typeof judgement === 'object') return judgement;
      if (judgement === 'unknown' && (await this.#awaitsFinality(named))) return AWAITS_FINALITY;
    }
    // Before the search: what is not found although the chain is past the end by then was never executed.
    const { slot, height } = await this.#node.position('finalized');
    const isLate = height > (payment.expires_height ?? 0) + EXPIRY_MARGIN_BLOCKS;
    const wanted = {
      transfer,
      fromSlot: payment.from_height,
      slot,
      only: this.#onlySignature(payment, transfer),
      judge,
    };
    const blockhash = isLate ? await this.#node.blockhash(transfer.recentBlockhash, slot) : null;
    if (blockhash && !blockhash.isValid) {
      const found = await this.#search.walk({ ...wanted, slot: blockhash.slot });
      if (found === 'absent')
        return { outcome: 'impossible', reason: 'The transaction expired before it was executed. Nothing was taken.' };
      return found === null || found === 'more'
        ? { ...SEARCHING, ...(found && { lookAgainInMs: SEARCH_LOOK_MS }) }
        : found;
    }
    // What nobody was given to execute is not searched for; nor what has no other name than the one that is known.
    const isWorthProbing = payment.state !== 'verified' && wanted.only === null;
    return (isWorthProbing ? await this.#search.probe(wanted) : null) ?? { outcome: 'possible', note: null };
  }

  /** Whether a transaction is in a block that may still be dropped. */
  async #awaitsFinality(signature: string): Promise<boolean> {
    const status = await this.#node.status(signature);
    return status !== null && status.error === null && status.commitment !== 'finalized';
  }

  /** The one signature that the execution can have: where this process's key pays the fee, nobody else can sign. */
  #onlySignature({ transaction_id: named }: Payment, { feePayer, messageBytes }: SolanaTransfer): string | null {
    if (
      this.settlement.kind !== 'in-process' ||
      this.settlement.key.address !== feePayer ||
      named === null ||
      !isSignature(named)
    )
      return null;
    // What was named before the key was this process's may be a facilitator's lie.
    return isEd25519Signature(addressBytes(feePayer), messageBytes, base58.decode(named)) ? named : null;
  }

  /** What a finalized transaction did of a payment. */
  async #judge(signature: string, transfer: SolanaTransfer, receiver: string): Promise<Judgement> {
    const executed = await this.#node.transaction(signature);
    if (!executed?.meta) return 'unknown';
    const identity = identifyTransaction(executed.transaction[0]);
    if (identity?.signature !== signature) throw new Error('The node answered with another transaction.');
    if (identity.messageHash !== transfer.messageHash) return 'other';
    if (executed.meta.err !== null)
      return { outcome: 'impossible', reason: 'The transaction was executed and failed. Nothing was taken.' };
    const amountUnits = receivedUnits(executed.meta, transfer, receiver);
    if (amountUnits === null)
      return {
        outcome: 'possible',
        note: 'The node says that the transaction was executed, with balances that do not fit it.',
      };
    return { outcome: 'paid', transactionId: signature, amountUnits };
  }

  close(): void {
    this.#closing.abort();
    this.feePayers.close();
  }
}

/** Where a payment was to go when it was recorded; null for one that is not recorded. */
function receiverOf({ pay_to: receiver }: Partial<Payment>): string | null {
  return receiver ?? null;
}

function unreachableUnless(error: unknown, passed: typeof InvalidPayment | typeof ChainUnreachable): Error {
  if (error instanceof passed || error instanceof ChainUnreachable) return error;
  return new ChainUnreachable('Solana did not answer.', { cause: error });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'The transaction was not taken.';
}
