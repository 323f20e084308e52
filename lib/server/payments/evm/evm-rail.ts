import type { PaymentPayload } from '@x402/core/types';
import { type Hex, isAddressEqual, type PublicClient } from 'viem';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { EvmRailConfig } from '../../config/payments';
import type { Payment } from '../../store/payments';
import type { Facilitator } from '../facilitators/facilitator';
import { ChainUnreachable, type Finding, type Rail, type ReadPayment, type SettleHooks, type VerifiedAt } from '../rail';
import type { RailTerms } from '../rails';
import { verdictSentence } from '../verdict-sentence';
import { type Authorization, readAuthorization } from './authorization';
import type { EvmFacilitator } from './evm-facilitator';
import { type AuthorizationKey, type Execution, executionIn, findExecution, isAuthorizationSpent } from './find-execution';

/** A payment may be signed for no longer than that ahead: until then it has to be watched. */
const VALID_AHEAD_MS_MAX = 24 * 3_600_000;
/** Nodes differ in what is their newest block. */
const NODE_LAG_BLOCKS = 20n;
/** How many of the longest searches an execution may lie back that came before the payment was presented. */
const LOOK_BACK_SEARCHES = 5n;
/** Past its end by that much, an authorization that is unused stays so. */
const EXPIRY_MARGIN_MS = 60_000;
/** The same by our own clock, for a chain that makes no blocks while nobody sends anything. */
const IDLE_CHAIN_MARGIN_MS = 600_000;

/** Payments in an EIP-3009 token on an EVM chain (x402, scheme "exact"). */
export class EvmRail implements Rail {
  readonly terms: RailTerms;
  readonly #token: `0x${string}`;
  readonly #receiver: `0x${string}`;

  /** @param remote settles instead of this process, where given */
  constructor(
    private readonly config: EvmRailConfig,
    private readonly client: PublicClient,
    private readonly local: EvmFacilitator,
    private readonly remote: Facilitator | null,
    private readonly now: () => number,
  ) {
    const { network, name, rpcNetwork, token, receiver } = config;
    this.#token = token.address as `0x${string}`;
    this.#receiver = receiver as `0x${string}`;
    this.terms = { network: network as Caip2, name, rpcNetwork, asset: token.address, symbol: token.symbol, decimals: token.decimals, payTo: receiver };
  }

  requirements(amountUnits: bigint): PaymentRequirements {
    const { network, maxTimeoutSeconds, token } = this.config;
    return {
      scheme: 'exact',
      network: network as Caip2,
      asset: this.#token,
      amount: amountUnits.toString(),
      payTo: this.#receiver,
      maxTimeoutSeconds,
      extra: { name: token.name, version: token.version },
    };
  }

  read({ content, accepted }: PresentedPayment): ReadPayment {
    const signed = readAuthorization(content);
    const { from, to, value, validBefore, nonce } = signed.authorization;
    if (!isAddressEqual(to, this.#receiver)) throw new InvalidPayment('wrong_receiver', `The authorisation pays ${to}, not ${this.#receiver}.`);
    if (accepted && BigInt(accepted.amount) > BigInt(value)) throw new InvalidPayment('value_mismatch', `The authorisation is over ${value} base units, less than the ${accepted.amount} that were accepted.`);
    const expiresAt = Number(BigInt(validBefore)) * 1_000;
    if (expiresAt > this.now() + VALID_AHEAD_MS_MAX) throw new InvalidPayment('valid_too_long', 'The authorisation is valid for more than 24 hours: sign one with a validBefore within that.');
    const identity = `${this.terms.network}/${this.#token.toLowerCase()}/${from.toLowerCase()}/${nonce}`;
    return { identity, payer: from.toLowerCase(), amountUnits: BigInt(value), expiresAt, content: { ...signed } };
  }

  async verify({ content, amountUnits }: ReadPayment): Promise<VerifiedAt> {
    const block = await this.#height();
    const requirements = this.requirements(amountUnits);
    const verdict = await this.local.verify(payloadOf(requirements, content), requirements);
    if (!verdict.isValid) {
      const reason = verdict.invalidReason ?? 'invalid_payment';
      throw new InvalidPayment(reason, verdictSentence(reason));
    }
    return { fromHeight: Number(block > NODE_LAG_BLOCKS ? block - NODE_LAG_BLOCKS : 0n), expiresHeight: null };
  }

  async searchFrom(): Promise<VerifiedAt> {
    const block = await this.#height();
    const lookBack = BigInt(this.config.logBlocksMax) * LOOK_BACK_SEARCHES;
    return { fromHeight: Number(block > lookBack ? block - lookBack : 0n), expiresHeight: null };
  }

  async settle(payment: Payment, { onTransaction }: SettleHooks): Promise<string | null> {
    const requirements = this.requirements(BigInt(payment.amount_units));
    const payload = payloadOf(requirements, JSON.parse(payment.content) as Record<string, unknown>);
    const said = await (this.remote ? this.remote.settle(payload, requirements) : this.local.settle(payload, requirements, onTransaction));
    if (this.remote && /^0x[0-9a-fA-F]{64}$/.test(said.transaction)) await onTransaction(said.transaction);
    return said.success ? null : [said.errorReason, said.errorMessage].filter(Boolean).join(': ').slice(0, 500) || 'The facilitator gave no reason.';
  }

  async look(payment: Payment): Promise<Finding> {
    const { authorization } = JSON.parse(payment.content) as Authorization;
    const key: AuthorizationKey = { token: this.#token, from: authorization.from, nonce: authorization.nonce };
    try {
      const block = await this.client.getBlock({ blockTag: 'latest' });
      if (await isAuthorizationSpent(this.client, key)) return await this.#found(payment, key, block.number);
      const isOver = Math.max(Number(block.timestamp) * 1_000, this.now() - IDLE_CHAIN_MARGIN_MS) > (payment.expires_at ?? 0) + EXPIRY_MARGIN_MS;
      return isOver ? { outcome: 'impossible', reason: 'The authorisation expired before it was used. Nothing was taken.' } : { outcome: 'possible', note: null };
    } catch (cause) {
      throw new ChainUnreachable('The chain did not answer.', { cause });
    }
  }

  async #found(payment: Payment, key: AuthorizationKey, latest: bigint): Promise<Finding> {
    const settledTo = latest - BigInt(this.config.confirmations - 1);
    const known = payment.transaction_id ? await executionIn(this.client, payment.transaction_id as Hex, key) : null;
    const execution = known ?? (await findExecution(this.client, key, BigInt(payment.from_height), latest, BigInt(this.config.logBlocksMax)));
    if (execution === null) return { outcome: 'possible', note: 'The authorisation is spent, but the transaction that did so is not found yet.' };
    if (execution !== 'cancelled' && execution.block > settledTo) return { outcome: 'possible', note: 'The payment waits for its confirmations.' };
    return this.#judge(execution);
  }

  #judge(execution: Execution): Finding {
    if (execution === 'cancelled') return { outcome: 'impossible', reason: 'The payer cancelled the authorisation. Nothing was taken.' };
    const { transactionId, to, value } = execution;
    if (isAddressEqual(to, this.#receiver)) return { outcome: 'paid', transactionId, amountUnits: value };
    return { outcome: 'impossible', reason: 'The payer used the nonce of the authorisation for something else. Nothing came in.' };
  }

  async #height(): Promise<bigint> {
    try {
      return await this.client.getBlockNumber();
    } catch (cause) {
      throw new ChainUnreachable('The chain did not answer.', { cause });
    }
  }
}

function payloadOf(accepted: PaymentRequirements, payload: Record<string, unknown>): PaymentPayload {
  return { x402Version: 2, accepted, payload };
}
