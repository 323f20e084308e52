import type { PaymentPayload } from '@x402/core/types';
import { type Hex, isAddressEqual, isErc6492Signature, type PublicClient } from 'viem';
import { InvalidPayment, type PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { EvmRailConfig } from '../../config/payments';
import type { Payment } from '../../db/payments';
import {
  type Facilitator,
  type Finding,
  type Possible,
  type Rail,
  type ReadPayment,
  type SettleHooks,
  type SoughtPayment,
  unreachable,
  type VerifiedAt,
} from '../rail';
import type { RailTerms } from '../rail-terms';
import { verdictSentence } from '../verdict-sentence';
import { type Authorization, readAuthorization, type TokenDomain } from './authorization';
import { awaitedLookMs, awaitedSentence, blockBefore, isOver, type SettledBlock, settledBlock } from './settled-block';
import type { EvmFacilitator } from './evm-facilitator';
import {
  type AuthorizationKey,
  type Execution,
  executionIn,
  findExecution,
  isAuthorizationSpent,
  isKnown,
} from './find-execution';
import { isRefusal } from './evm-sender';
import { receiverGain, tokenBalance } from './token-balance';

/** Maximum time until an authorization expires. Until then, the gateway has to search the chain for the payment. */
const VALID_AHEAD_MS_MAX = 24 * 3_600_000;
const NODE_LAG_BLOCKS = 20n;
/**
 * Matches refusals that an earlier execution of the payment may explain. Except for undeployed wallets, the scheme
 * reports them only after its signature check.
 */
const MAY_BE_EXECUTED = /nonce_already_used|valid_before|simulation_failed/;

const NOT_SIGNED = 'invalid_exact_evm_signature';
const BALANCE_TOO_SMALL = 'invalid_exact_evm_insufficient_balance';
/**
 * Remaining validity below which `#requireBalance` is skipped. The scheme then reports the expiry, which it checks
 * before the balance.
 */
const NEARLY_OVER_MS = 10_000;

const SEARCHED_BACK_MS_MAX = 2 * VALID_AHEAD_MS_MAX;
const SEARCH_LOOK_MS = 2_000;
const LOGS_LATE_MS_MAX = 3_600_000;
/** Time to wait for a pending transaction before another transaction is sent for the same payment. */
const PENDING_MS = 60_000;

/** Accepts payments in an EIP-3009 token on an EVM chain (x402, scheme "exact"). */
export class EvmRail implements Rail {
  readonly terms: RailTerms;
  readonly #token: `0x${string}`;
  readonly #receiver: `0x${string}`;
  readonly #domain: TokenDomain;
  readonly #title: string;

  /** @param remote facilitator that settles instead of this process; null if this process settles */
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
    const chainId = Number(network.slice('eip155:'.length));
    this.#domain = { name: token.name, version: token.version, chainId, verifyingContract: this.#token };
    this.#title = name.charAt(0).toUpperCase() + name.slice(1);
    this.terms = {
      network: network as Caip2,
      name,
      rpcNetwork,
      asset: token.address,
      symbol: token.symbol,
      decimals: token.decimals,
      payTo: receiver,
    };
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
    const { isProven, ...signed } = readAuthorization(content, this.#domain);
    const { from, to, value, validBefore, nonce } = signed.authorization;
    if (!isAddressEqual(to, this.#receiver))
      throw new InvalidPayment('wrong_receiver', `The authorisation pays ${to}, not ${this.#receiver}.`);
    if (accepted && BigInt(accepted.amount) > BigInt(value))
      throw new InvalidPayment(
        'value_mismatch',
        `The authorisation is for ${value} base units, less than the ${accepted.amount} of the accepted terms.`,
      );
    const identity = `${this.terms.network}/${this.#token.toLowerCase()}/${from.toLowerCase()}/${nonce}`;
    return {
      identity,
      payer: from.toLowerCase(),
      amountUnits: BigInt(value),
      expiresAt: Number(BigInt(validBefore)) * 1_000,
      content: { ...signed },
      isProven,
    };
  }

  async verify({ content, amountUnits, expiresAt, isProven = false }: ReadPayment): Promise<VerifiedAt> {
    if ((expiresAt ?? 0) > this.now() + VALID_AHEAD_MS_MAX)
      throw new InvalidPayment(
        'valid_too_long',
        'The authorisation is valid for more than 24 hours. Sign one with a validBefore within 24 hours.',
      );
    const { signature, authorization } = content as unknown as Authorization;
    if (!isProven && !(await this.#mayBeOfContract(authorization.from, signature))) throw refused(NOT_SIGNED);
    // This check comes first, because it catches most refused payments.
    if (isProven) await this.#requireBalance(authorization);
    const block = await this.#height();
    const requirements = this.requirements(amountUnits);
    const payload = payloadOf(requirements, content);
    const verdict = await this.local.verify(payload, requirements, isProven ? authorization.from : null);
    if (!verdict.isValid) throw refused(verdict.invalidReason ?? 'invalid_payment');
    if (!this.remote) await this.local.requireAffordable(content as unknown as Authorization, this.#token);
    return { fromHeight: Number(block > NODE_LAG_BLOCKS ? block - NODE_LAG_BLOCKS : 0n), expiresHeight: null };
  }

  async searchFrom({ content, isProven }: ReadPayment, { reason }: InvalidPayment): Promise<VerifiedAt | null> {
    if (!MAY_BE_EXECUTED.test(reason)) return null;
    const { authorization } = content as unknown as Authorization;
    try {
      // A wallet that is not deployed (ERC-6492) has paid nothing, and the scheme did not check its signature.
      if (!isProven && !(await this.client.getCode({ address: authorization.from }))) return null;
      if (!(await isAuthorizationSpent(this.client, this.#keyOf(authorization)))) return null;
      const earliest = Math.max(
        Number(BigInt(authorization.validAfter)),
        Math.floor((this.now() - SEARCHED_BACK_MS_MAX) / 1_000),
      );
      const fromHeight = Number(await blockBefore(this.client, earliest, BigInt(this.config.logBlocksMax)));
      // If the nonce was used before this authorization became valid, a different authorization used it.
      return (await this.#wasSpentAt(fromHeight, this.#keyOf(authorization)))
        ? null
        : { fromHeight, expiresHeight: null };
    } catch (cause) {
      throw unreachable('The chain', cause);
    }
  }

  async settle(payment: Payment, { onTransaction }: SettleHooks): Promise<string | null> {
    const content = JSON.parse(payment.content) as Authorization;
    // Uses the receiver that applied when the payment was read, because the configuration may have changed.
    const requirements = { ...this.requirements(BigInt(payment.amount_units)), payTo: content.authorization.to };
    const payload = payloadOf(requirements, { ...content });
    const said = await (this.remote
      ? this.remote.settle(payload, requirements)
      : this.local.settle(payload, requirements, onTransaction));
    if (this.remote && /^0x[0-9a-fA-F]{64}$/.test(said.transaction)) await onTransaction(said.transaction);
    return said.success
      ? null
      : [said.errorReason, said.errorMessage].filter(Boolean).join(': ').slice(0, 500) ||
          'The facilitator returned no reason.';
  }

  async look(payment: SoughtPayment): Promise<Finding> {
    const { authorization } = JSON.parse(payment.content) as Authorization;
    const key = this.#keyOf(authorization);
    try {
      const latest = await this.client.getBlock({ blockTag: 'latest' });
      if (await isAuthorizationSpent(this.client, key)) return await this.#found(payment, authorization, latest.number);
      return await this.#unspent(payment, key, latest);
    } catch (cause) {
      throw unreachable('The chain', cause);
    }
  }

  async #unspent(payment: SoughtPayment, key: AuthorizationKey, latest: SettledBlock): Promise<Finding> {
    if (this.now() > (payment.expires_at ?? 0)) {
      const settled = await settledBlock(this.client, latest, this.config.confirmations);
      if (
        settled &&
        isOver(settled, payment.expires_at ?? 0, this.now(), this.config.confirmations) &&
        !(await isAuthorizationSpent(this.client, key, settled.number))
      ) {
        return { outcome: 'impossible', reason: 'The authorisation expired before it was used. Nothing was taken.' };
      }
      return {
        outcome: 'possible',
        note: 'The authorisation has expired. The gateway waits until the last blocks are confirmed, to be sure that none of them used it.',
        isSubmittable: false,
        lookAgainInMs: awaitedLookMs(this.config.confirmations),
      };
    }
    const hash = payment.transaction_id as Hex | null;
    if (hash === null) return { outcome: 'possible', note: null };
    if ((await executionIn(this.client, hash, key)) === 'reverted') {
      return waiting(
        'The chain reverted the transaction of this payment, so the gateway does not send it again. Nothing was taken. If another sender executes the payment before it expires, it is credited.',
      );
    }
    const isPending = this.now() - (payment.tried_at ?? 0) < PENDING_MS && (await isKnown(this.client, hash));
    return { outcome: 'possible', note: null, isSubmittable: !isPending };
  }

  async #found(
    payment: SoughtPayment,
    authorization: Authorization['authorization'],
    latest: bigint,
  ): Promise<Finding> {
    const key = this.#keyOf(authorization);
    const settled = await settledBlock(this.client, { number: latest, timestamp: 0n }, this.config.confirmations);
    if (!settled)
      return waiting(
        `This payment waits for a ${this.config.confirmations} block of ${this.#title}, but the node does not report one.`,
      );
    const named = payment.transaction_id ? await executionIn(this.client, payment.transaction_id as Hex, key) : null;
    if (named && named !== 'reverted') return this.#judge(named, authorization.to, settled.number, latest);
    const from = BigInt(Math.max(payment.from_height, (payment.searched_to ?? -1) + 1));
    const { execution, searchedTo } = await findExecution(
      this.client,
      key,
      from,
      latest,
      BigInt(this.config.logBlocksMax),
    );
    if (execution) return this.#judge(execution, authorization.to, settled.number, latest);
    if (searchedTo >= latest) return this.#unnamed(payment, key);
    const certain = searchedTo < settled.number ? searchedTo : settled.number;
    return {
      ...waiting(
        `The authorisation is used. The gateway searches for the transaction that used it: block ${searchedTo} of ${latest}.`,
      ),
      searchedTo: Number(certain),
      lookAgainInMs: SEARCH_LOOK_MS,
    };
  }

  /** Returns the finding for a payment whose nonce is used although no log since `from_height` shows that use. */
  async #unnamed(
    { from_height: fromHeight, attempts, created_at: createdAt }: SoughtPayment,
    key: AuthorizationKey,
  ): Promise<Finding> {
    const wasSpent = await this.#wasSpentAt(fromHeight, key);
    // `wasSpent` is null if no node has the state at `from_height`. In that case, the use counts as earlier if the
    // gateway submitted nothing and even late logs would have arrived by now.
    const isBefore = wasSpent ?? (attempts === 0 && this.now() - createdAt > LOGS_LATE_MS_MAX);
    if (isBefore)
      return {
        outcome: 'impossible',
        reason:
          'The nonce of the authorisation was used before this payment could be executed. Sign a new authorisation.',
      };
    return {
      ...waiting('The authorisation is used, but no node has reported the transaction yet.'),
      searchedTo: null,
    };
  }

  /** Returns whether the nonce was used at a block; null if no node has that block's state. */
  #wasSpentAt(height: number, key: AuthorizationKey): Promise<boolean | null> {
    return isAuthorizationSpent(this.client, key, BigInt(height)).catch((error: unknown) => {
      if (isRefusal(error)) return null;
      throw error;
    });
  }

  /** @param receiver receiver in the authorization. It was also this rail's receiver when the payment was read */
  async #judge(execution: Execution, receiver: `0x${string}`, settledTo: bigint, latest: bigint): Promise<Finding> {
    const { transactionId, to, value, block } = execution;
    if (block > settledTo)
      return {
        ...waiting(awaitedSentence(this.#title, this.config.confirmations, { block, latest })),
        lookAgainInMs: awaitedLookMs(this.config.confirmations),
      };
    if (to === null)
      return { outcome: 'impossible', reason: 'The payer cancelled the authorisation. Nothing was taken.' };
    if (!isAddressEqual(to, receiver))
      return {
        outcome: 'impossible',
        reason: 'The payer used the nonce of the authorisation for another transfer. This gateway received nothing.',
      };
    const amountUnits = await receiverGain(this.client, { token: this.#token, receiver, block, value });
    if (amountUnits === 0n)
      return { outcome: 'impossible', reason: 'The token reported a transfer, but the receiver got nothing.' };
    return { outcome: 'paid', transactionId, amountUnits };
  }

  #keyOf({ from, nonce }: Pick<Authorization['authorization'], 'from' | 'nonce'>): AuthorizationKey {
    return { token: this.#token, from, nonce };
  }

  async #mayBeOfContract(address: `0x${string}`, signature: Hex): Promise<boolean> {
    if (isErc6492Signature(signature)) return true;
    try {
      return (await this.client.getCode({ address })) !== undefined;
    } catch (cause) {
      throw unreachable('The chain', cause);
    }
  }

  /**
   * Refuses a payer whose balance is too low. Reading the balance takes fewer calls than a simulation, and anyone can
   * sign payments from empty wallets. The scheme checks for all other faults.
   */
  async #requireBalance({
    from,
    nonce,
    value,
    validAfter,
    validBefore,
  }: Authorization['authorization']): Promise<void> {
    const nowMs = this.now();
    if (Number(validAfter) * 1_000 > nowMs || Number(validBefore) * 1_000 < nowMs + NEARLY_OVER_MS) return;
    try {
      const balance = await tokenBalance(this.client, this.#token, from);
      if (balance >= BigInt(value) || (await isAuthorizationSpent(this.client, this.#keyOf({ from, nonce })))) return;
    } catch (cause) {
      if (isRefusal(cause)) return;
      throw unreachable('The chain', cause);
    }
    throw refused(BALANCE_TOO_SMALL);
  }

  async #height(): Promise<bigint> {
    try {
      return await this.client.getBlockNumber();
    } catch (cause) {
      throw unreachable('The chain', cause);
    }
  }
}

function refused(reason: string): InvalidPayment {
  return new InvalidPayment(reason, verdictSentence(reason));
}

function waiting(note: string): Possible {
  return { outcome: 'possible', note, isSubmittable: false };
}

function payloadOf(accepted: PaymentRequirements, payload: Record<string, unknown>): PaymentPayload {
  return { x402Version: 2, accepted, payload };
}
