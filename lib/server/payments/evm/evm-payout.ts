import { randomBytes } from 'node:crypto';
import { type Hex, type LocalAccount, type PublicClient, toHex } from 'viem';
import { TRANSFER_AUTHORIZATION_TYPES } from '@/lib/protocol/x402/transfer-authorization';
import type { EvmRailConfig } from '../../config/payments';
import type { Withdrawal } from '../../db/withdrawals';
import { type Finding, type Possible, type SettleHooks, unreachable } from '../rail';
import type { RailTerms } from '../rail-terms';
import type { Payout, SignedPayout } from '../withdrawals/payout';
import type { Authorization } from './authorization';
import { transferCall } from './evm-facilitator';
import type { EvmSender } from './evm-sender';
import {
  type AuthorizationKey,
  type Execution,
  executionIn,
  findExecution,
  isAuthorizationSpent,
  isKnown,
} from './find-execution';
import { awaitedLookMs, isOver, settledBlock } from './settled-block';
import { tokenBalance } from './token-balance';

/** Time for which a transfer is valid. A transfer that expires without execution is credited back. */
const VALID_MS = 3_600_000;
const NODE_LAG_BLOCKS = 20n;
const SEARCH_LOOK_MS = 2_000;
/** Time to wait for a pending transaction before another transaction is sent for the same transfer. */
const PENDING_MS = 60_000;
const NONCE_BYTES = 32;

interface EvmPayoutParts {
  config: Pick<EvmRailConfig, 'network' | 'token' | 'confirmations' | 'gasMax' | 'logBlocksMax'>;
  terms: RailTerms;
  client: PublicClient;
  /** The paying key's account. It owns the tokens and pays the gas. */
  account: LocalAccount;
  sender: EvmSender;
  now: () => number;
}

/**
 * Pays out an EIP-3009 token. Signs an authorization with the paying key before anything is recorded. The authorization
 * is sent later. The token contract executes an authorization at most once, and never after its expiry.
 */
export class EvmPayout implements Payout {
  readonly terms: RailTerms;
  readonly #token: `0x${string}`;

  constructor(private readonly parts: EvmPayoutParts) {
    this.terms = parts.terms;
    this.#token = parts.config.token.address as `0x${string}`;
  }

  funds(): Promise<bigint> {
    return reachable(() => tokenBalance(this.parts.client, this.#token, this.parts.account.address));
  }

  async sign(to: string, units: bigint): Promise<SignedPayout> {
    const { client, account, config, now } = this.parts;
    const block = await reachable(() => client.getBlockNumber());
    const expiresAt = Math.floor((now() + VALID_MS) / 1_000) * 1_000;
    const message = {
      from: account.address,
      to: to as `0x${string}`,
      value: units,
      validAfter: 0n,
      validBefore: BigInt(expiresAt / 1_000),
      nonce: toHex(randomBytes(NONCE_BYTES)),
    };
    const { name, version } = config.token;
    const signature = await account.signTypedData({
      domain: {
        name,
        version,
        chainId: Number(config.network.slice('eip155:'.length)),
        verifyingContract: this.#token,
      },
      types: TRANSFER_AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message,
    });
    const { value, validAfter, validBefore, ...same } = message;
    const content: Authorization = {
      signature,
      authorization: {
        ...same,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
      },
    };
    return {
      content: JSON.stringify(content),
      fromHeight: Number(block > NODE_LAG_BLOCKS ? block - NODE_LAG_BLOCKS : 0n),
      expiresAt,
    };
  }

  async submit({ content }: Withdrawal, { onTransaction }: SettleHooks): Promise<void> {
    const { authorization, signature } = JSON.parse(content) as Authorization;
    const data = transferCall(authorization, signature);
    await this.parts.sender.send({ to: this.#token, data }, this.parts.config.gasMax, onTransaction);
  }

  look(withdrawal: Withdrawal): Promise<Finding> {
    const { authorization } = JSON.parse(withdrawal.content) as Authorization;
    const key = { token: this.#token, from: authorization.from, nonce: authorization.nonce };
    return reachable(async () =>
      (await isAuthorizationSpent(this.parts.client, key))
        ? this.#found(withdrawal, key)
        : this.#unspent(withdrawal, key),
    );
  }

  async #unspent(withdrawal: Withdrawal, key: AuthorizationKey): Promise<Finding> {
    const { client, config, now } = this.parts;
    const { expires_at: expiresAt, transaction_id: hash, tried_at: triedAt } = withdrawal;
    if (now() > expiresAt) {
      const settled = await settledBlock(client, await client.getBlock({ blockTag: 'latest' }), config.confirmations);
      if (
        settled &&
        isOver(settled, expiresAt, now(), config.confirmations) &&
        !(await isAuthorizationSpent(client, key, settled.number))
      )
        return { outcome: 'impossible', reason: 'The transfer was not executed before it expired.' };
      return this.#waiting('The transfer has expired. The gateway waits until the last blocks are confirmed.');
    }
    const isPending = hash !== null && now() - (triedAt ?? 0) < PENDING_MS && (await isKnown(client, hash as Hex));
    return { outcome: 'possible', note: null, isSubmittable: !isPending };
  }

  async #found(
    { transaction_id: hash, from_height: fromHeight, searched_to: searchedBefore }: Withdrawal,
    key: AuthorizationKey,
  ): Promise<Finding> {
    const { client, config } = this.parts;
    const latest = await client.getBlock({ blockTag: 'latest' });
    const settled = await settledBlock(client, latest, config.confirmations);
    if (!settled) return this.#waiting(`The node does not report a ${config.confirmations} block.`);
    const judge = (execution: Execution): Finding => {
      if (execution.block > settled.number)
        return this.#waiting('The transfer is executed. The gateway waits for its confirmation.');
      // Only the paying key can use the nonce, so any use except a cancellation is this transfer. The receiver's
      // balance proves nothing, because the wallet may have spent the money in the same block.
      return execution.to === null
        ? { outcome: 'impossible', reason: 'The operator cancelled the transfer.' }
        : { outcome: 'paid', transactionId: execution.transactionId, amountUnits: execution.value };
    };
    const named = hash === null ? null : await executionIn(client, hash as Hex, key);
    if (named && named !== 'reverted') return judge(named);
    const from = BigInt(Math.max(fromHeight, (searchedBefore ?? -1) + 1));
    const { execution, searchedTo } = await findExecution(
      client,
      key,
      from,
      latest.number,
      BigInt(config.logBlocksMax),
    );
    if (execution) return judge(execution);
    const certain = searchedTo < settled.number ? searchedTo : settled.number;
    return {
      ...this.#waiting('The transfer is executed. The gateway searches for its transaction.'),
      // Logs may arrive late, so a search that found nothing is started again.
      searchedTo: searchedTo >= latest.number ? null : Number(certain),
      lookAgainInMs: SEARCH_LOOK_MS,
    };
  }

  #waiting(note: string): Possible {
    return {
      outcome: 'possible',
      note,
      isSubmittable: false,
      lookAgainInMs: awaitedLookMs(this.parts.config.confirmations),
    };
  }
}

async function reachable<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw unreachable('The chain', cause);
  }
}
