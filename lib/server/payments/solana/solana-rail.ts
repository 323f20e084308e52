import { base58 } from '@scure/base';
import type { PaymentPayload } from '@x402/core/types';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { NetworkRequest } from '../../upstreams/nodes/network-client';
import type { SolanaRailConfig } from '../../config/payments';
import { isEd25519Signature } from '../../auth/solana-signature';
import type { Payment } from '../../db/payments';
import {
  ChainUnreachable,
  type Facilitator,
  type Finding,
  type Possible,
  type Rail,
  type ReadPayment,
  type SettleHooks,
  unreachable,
  type VerifiedAt,
} from '../rail';
import type { RailTerms } from '../rail-terms';
import { verdictSentence } from '../verdict-sentence';
import { awaitFinality, FINALITY_PACE, type FinalityPace, isSignature, SolanaNode } from './solana-node';
import { ExecutionSearch, type Judgement, lookForExecution, SEARCH_LOOK_MS } from './execution-search';
import type { FeePayers } from './fee-payers';
import { receivedUnits } from './received-units';
import { BLOCKHASH_BLOCKS, RecentBlockhash } from './recent-blockhash';
import { simulatePayment, type Simulated } from './solana-facilitator';
import type { SolanaKey } from './solana-key';
import { identifyTransaction, readSolanaTransfer, type SolanaTransfer } from './solana-transfer';
import { addressBytes } from './token-programs';
import { VerifiedTransfer } from './verified-transfer';

const NODE_LAG_SLOTS = 64;
/** Maximum slots for which a blockhash is valid. Assumes that at most a third of the slots have no block. */
const BLOCKHASH_SLOTS = 256;
/** Maximum slots (about an hour) between a payment's execution and its presentation. */
const LOOK_BACK_SLOTS = 9_000;

/** State of a transaction that was executed but is not final. Submitting it again would not help. */
const AWAITS_FINALITY: Possible = {
  outcome: 'possible',
  note: 'Solana has executed the transaction. The gateway credits it when the block is finalized, about 13 seconds later.',
  isSubmittable: false,
  lookAgainInMs: 2_000,
};

const SEARCHING: Possible = {
  outcome: 'possible',
  note: 'The transaction has expired. The gateway still checks whether it was executed before that.',
  isSubmittable: false,
};

type SolanaSettlement = { kind: 'in-process'; key: SolanaKey } | { kind: 'remote'; facilitator: Facilitator };

/**
 * Accepts payments in an SPL token on Solana (x402, scheme "exact"). The payer signs a transfer, and the fee payer
 * sends it. When the transfer is final, the gateway credits what the receiver's token account gained.
 */
export class SolanaRail implements Rail {
  readonly terms: RailTerms;
  readonly #node: SolanaNode;
  readonly #search: ExecutionSearch;
  readonly #blockhash: RecentBlockhash;
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
    this.#blockhash = new RecentBlockhash(this.#node, now);
  }

  requirements(amountUnits: bigint): PaymentRequirements | null {
    const feePayer = this.feePayers.current();
    if (feePayer === null) return null;
    const requirements = this.#requirements(amountUnits, feePayer);
    return { ...requirements, extra: { ...requirements.extra, ...this.#blockhash.hints() } };
  }

  #requirements(amountUnits: bigint, feePayer: string, payTo = this.terms.payTo): PaymentRequirements {
    const { network, asset } = this.terms;
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

  read({ content, accepted }: PresentedPayment): ReadPayment {
    const { transfer } = this.#verified(content);
    const { mint, amountUnits, messageHash, authority, wire, feePayer } = transfer;
    if (accepted && BigInt(accepted.amount) > amountUnits)
      throw new InvalidPayment(
        'value_mismatch',
        `The transaction moves ${amountUnits} base units, less than the ${accepted.amount} of the accepted terms.`,
      );
    if (!this.feePayers.isKnown(feePayer)) {
      // After a restart, the fee payer of an earlier payment is unknown until the facilitator answers.
      if (this.feePayers.current() === null)
        throw new ChainUnreachable('The facilitator has not named its fee payer yet.');
      throw new InvalidPayment(
        'wrong_fee_payer',
        `The fee payer of the transaction is ${feePayer}, not the one in the payment terms.`,
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
      // Reads the height after the simulation, so that the blockhash cannot be newer than this height.
      const { height } = await this.#node.position('confirmed');
      // If the newest block no longer accepts the blockhash, the payment can no longer be executed.
      const blocksLeft = simulated.error === 'BlockhashNotFound' ? 0 : BLOCKHASH_BLOCKS;
      const sinceSlots = isExecutable ? NODE_LAG_SLOTS : BLOCKHASH_SLOTS + NODE_LAG_SLOTS;
      return { fromHeight: Math.max(0, simulated.slot - sinceSlots), expiresHeight: height + blocksLeft };
    } catch (error) {
      throw unreachableUnless(error, InvalidPayment);
    }
  }

  /**
   * Returns whether a refused payment may have been executed, but too recently to be final. The gateway then keeps
   * looking it up.
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
    const receiver = receiverOf(payment) ?? this.terms.payTo;
    const verified = this.#verified(JSON.parse(payment.content), receiver);
    return this.settlement.kind === 'remote'
      ? this.#settleRemotely(this.settlement.facilitator, { verified, receiver }, onTransaction)
      : this.#settleHere(this.settlement.key, verified, onTransaction);
  }

  async #settleHere(
    key: SolanaKey,
    verified: VerifiedTransfer,
    onTransaction: SettleHooks['onTransaction'],
  ): Promise<string | null> {
    const { wire, signature } = key.sign(verified);
    await onTransaction(signature);
    // A node that did not answer may still have received the transaction. A later lookup shows whether it did.
    const refusal = await this.#node.send(wire).then(() => null, reasonOf);
    if (refusal === null) await awaitFinality(this.#node, signature, this.pace, this.#closing.signal);
    return refusal;
  }

  async #settleRemotely(
    facilitator: Facilitator,
    { verified: { transfer }, receiver }: { verified: VerifiedTransfer; receiver: string },
    onTransaction: SettleHooks['onTransaction'],
  ): Promise<string | null> {
    const accepted = this.#requirements(transfer.amountUnits, transfer.feePayer, receiver);
    const payload: PaymentPayload = { x402Version: 2, accepted, payload: { transaction: transfer.wire } };
    const said = await facilitator.settle(payload, accepted);
    if (isSignature(said.transaction)) {
      await onTransaction(said.transaction);
      await awaitFinality(this.#node, said.transaction, this.pace, this.#closing.signal);
    }
    return said.success
      ? null
      : [said.errorReason, said.errorMessage].filter(Boolean).join(': ').slice(0, 500) ||
          'The facilitator returned no reason.';
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
    const seen = await lookForExecution(this.#node, this.#search, {
      transfer,
      fromSlot: payment.from_height,
      expiresHeight: payment.expires_height ?? 0,
      named: payment.transaction_id,
      only: this.#onlySignature(payment, transfer),
      isSubmitted: payment.state !== 'verified',
      judge,
    });
    switch (seen) {
      case 'unfinal':
        return AWAITS_FINALITY;
      case 'absent':
        return { outcome: 'impossible', reason: 'The transaction expired before it was executed. Nothing was taken.' };
      case 'searching':
        return SEARCHING;
      case 'more':
        return { ...SEARCHING, lookAgainInMs: SEARCH_LOOK_MS };
      case 'open':
        return { outcome: 'possible', note: null };
      default:
        return seen;
    }
  }

  /**
   * Returns the only signature that can have executed the payment; null if unknown. If this process's key pays the fee,
   * nobody else can make that signature.
   */
  #onlySignature({ transaction_id: named }: Payment, { feePayer, messageBytes }: SolanaTransfer): string | null {
    if (
      this.settlement.kind !== 'in-process' ||
      this.settlement.key.address !== feePayer ||
      named === null ||
      !isSignature(named)
    )
      return null;
    // Verifies the reported signature, because a facilitator that used this key earlier may have reported a false one.
    return isEd25519Signature(addressBytes(feePayer), messageBytes, base58.decode(named)) ? named : null;
  }

  async #judge(signature: string, transfer: SolanaTransfer, receiver: string): Promise<Judgement> {
    const executed = await this.#node.transaction(signature);
    if (!executed?.meta) return 'unknown';
    const identity = identifyTransaction(executed.transaction[0]);
    if (identity?.signature !== signature) throw new Error('The node returned another transaction.');
    if (identity.messageHash !== transfer.messageHash) return 'other';
    if (executed.meta.err !== null)
      return { outcome: 'impossible', reason: 'The transaction was executed and failed. Nothing was taken.' };
    const amountUnits = receivedUnits(executed.meta, transfer, receiver);
    if (amountUnits === null)
      return {
        outcome: 'possible',
        note: 'The node reports that the transaction was executed, but with balances that do not match it.',
      };
    return { outcome: 'paid', transactionId: signature, amountUnits };
  }

  close(): void {
    this.#closing.abort();
    this.#blockhash.close();
    this.feePayers.close();
  }
}

function receiverOf({ pay_to: receiver }: Partial<Payment>): string | null {
  return receiver ?? null;
}

function unreachableUnless(error: unknown, passed: typeof InvalidPayment | typeof ChainUnreachable): Error {
  if (error instanceof passed || error instanceof ChainUnreachable) return error;
  return unreachable('Solana', error);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'The transaction was not accepted.';
}
