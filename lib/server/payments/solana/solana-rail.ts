import type { PaymentPayload } from '@x402/core/types';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { NetworkRequest } from '../../chain/network-client';
import type { SolanaRailConfig } from '../../config/payments';
import type { Payment } from '../../store/payments';
import type { Facilitator } from '../facilitators/facilitator';
import { ChainUnreachable, type Finding, type Rail, type ReadPayment, type SettleHooks, type VerifiedAt } from '../rail';
import type { RailTerms } from '../rails';
import { verdictSentence } from '../verdict-sentence';
import type { FeePayers } from './fee-payers';
import { isConfirmed, type SolanaFacilitator, signatureStatus } from './solana-facilitator';
import type { SolanaKey } from './solana-key';
import { messageHashOf, readSolanaTransfer, type SolanaTransfer } from './solana-transfer';

/** A blockhash is good for that many blocks, counted from its own; the message does not say which was its own. */
const BLOCKHASH_BLOCKS = 150;
/** Blocks past its end until a transaction that no node knows of counts as lost. */
const EXPIRY_MARGIN_BLOCKS = 32;
/** Transactions of the payer's account that are looked through for one whose signature is not known. */
const SEARCHED_MAX = 100;

/** Payments in an SPL token on Solana (x402, scheme "exact"): the payer signs a transfer, the fee payer sends it. */
export class SolanaRail implements Rail {
  readonly terms: RailTerms;

  /**
   * @param key settles in this process, where given
   * @param remote settles instead
   */
  constructor(
    private readonly config: SolanaRailConfig,
    private readonly rpc: NetworkRequest,
    private readonly local: SolanaFacilitator,
    private readonly key: SolanaKey | null,
    private readonly remote: Facilitator | null,
    private readonly feePayers: FeePayers,
  ) {
    const { network, name, rpcNetwork, token, receiver } = config;
    this.terms = { network: network as Caip2, name, rpcNetwork, asset: token.address, symbol: token.symbol, decimals: token.decimals, payTo: receiver };
  }

  requirements(amountUnits: bigint): PaymentRequirements | null {
    const feePayer = this.feePayers.current();
    return feePayer === null ? null : this.#requirements(amountUnits, feePayer);
  }

  #requirements(amountUnits: bigint, feePayer: string): PaymentRequirements {
    const { network, asset, payTo } = this.terms;
    return { scheme: 'exact', network, asset, amount: amountUnits.toString(), payTo, maxTimeoutSeconds: this.config.maxTimeoutSeconds, extra: { feePayer } };
  }

  read({ content, accepted }: PresentedPayment): ReadPayment {
    const { mint, amountUnits, messageHash, authority, wire, feePayer } = readSolanaTransfer(content);
    if (mint !== this.terms.asset) throw new InvalidPayment('wrong_asset', `The transaction moves the token ${mint}, not ${this.terms.asset}.`);
    if (accepted && BigInt(accepted.amount) > amountUnits) throw new InvalidPayment('value_mismatch', `The transaction moves ${amountUnits} base units, less than the ${accepted.amount} that were accepted.`);
    if (!this.feePayers.isKnown(feePayer)) throw new InvalidPayment('wrong_fee_payer', `The fee payer of the transaction is ${feePayer}, not the one of the requirement.`);
    return { identity: `${this.terms.network}/${mint}/${messageHash}`, payer: authority, amountUnits, expiresAt: null, content: { transaction: wire } };
  }

  async verify({ content, amountUnits }: ReadPayment): Promise<VerifiedAt> {
    const heights = await this.searchFrom();
    const requirements = this.#requirements(amountUnits, readSolanaTransfer(content).feePayer);
    const verdict = await this.local.verify(payloadOf(requirements, content), requirements);
    if (!verdict.isValid) {
      const reason = verdict.invalidReason ?? 'invalid_payment';
      throw new InvalidPayment(reason, verdictSentence(reason));
    }
    return heights;
  }

  async searchFrom(): Promise<VerifiedAt> {
    const height = await this.#height('confirmed');
    return { fromHeight: height, expiresHeight: height + BLOCKHASH_BLOCKS };
  }

  async settle(payment: Payment, { onTransaction }: SettleHooks): Promise<string | null> {
    const content = JSON.parse(payment.content) as Record<string, unknown>;
    const requirements = this.#requirements(BigInt(payment.amount_units), readSolanaTransfer(content).feePayer);
    const payload = payloadOf(requirements, content);
    const said = await (this.remote ? this.remote.settle(payload, requirements) : this.local.settle(payload, requirements, onTransaction));
    if (this.remote && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(said.transaction)) await onTransaction(said.transaction);
    return said.success ? null : [said.errorReason, said.errorMessage].filter(Boolean).join(': ').slice(0, 500) || 'The facilitator gave no reason.';
  }

  async look(payment: Payment): Promise<Finding> {
    const transfer = readSolanaTransfer(JSON.parse(payment.content));
    try {
      // Before the search: what is not found although the chain is past the end by then was never executed.
      const height = await this.#height('finalized');
      const found = await this.#find(payment, transfer);
      if (found) return found;
      const isOver = height > (payment.expires_height ?? 0) + EXPIRY_MARGIN_BLOCKS;
      return isOver ? { outcome: 'impossible', reason: 'The transaction expired before it was executed. Nothing was taken.' } : { outcome: 'possible', note: null };
    } catch (cause) {
      throw new ChainUnreachable('Solana did not answer.', { cause });
    }
  }

  async #find(payment: Payment, transfer: SolanaTransfer): Promise<Finding | null> {
    // The fee payer's signature is the same whenever it signs: with our own key it is known before anything was sent.
    const own = this.key?.address === transfer.feePayer ? this.key.sign(transfer.wire).signature : null;
    for (const signature of new Set([own, payment.transaction_id])) {
      const finding = signature && (await this.#judge(signature, transfer));
      if (finding) return finding;
    }
    if (own) return null;
    const recent = (await this.rpc('getSignaturesForAddress', [transfer.source, { limit: SEARCHED_MAX, commitment: 'confirmed' }])) as { signature: string }[];
    for (const { signature } of recent) {
      const finding = await this.#judge(signature, transfer);
      if (finding) return finding;
    }
    return null;
  }

  /** @returns null where this signature is not known, not confirmed, or of another message */
  async #judge(signature: string, { messageHash, amountUnits }: SolanaTransfer): Promise<Finding | null> {
    const status = await signatureStatus(this.rpc, signature);
    if (!status || !isConfirmed(status)) return null;
    const executed = (await this.rpc('getTransaction', [signature, { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }])) as {
      transaction: [string, string];
      meta: { err: unknown } | null;
    } | null;
    if (!executed || messageHashOf(executed.transaction[0]) !== messageHash) return null;
    if (status.err !== null || executed.meta?.err) return { outcome: 'impossible', reason: 'The transaction was executed and failed. Nothing was taken.' };
    return { outcome: 'paid', transactionId: signature, amountUnits };
  }

  async #height(commitment: 'confirmed' | 'finalized'): Promise<number> {
    try {
      return Number(await this.rpc('getBlockHeight', [{ commitment }]));
    } catch (cause) {
      throw new ChainUnreachable('Solana did not answer.', { cause });
    }
  }

  close(): void {
    this.feePayers.close();
  }
}

function payloadOf(accepted: PaymentRequirements, payload: Record<string, unknown>): PaymentPayload {
  return { x402Version: 2, accepted, payload };
}
