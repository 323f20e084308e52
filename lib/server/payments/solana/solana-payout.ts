import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import type { NetworkRequest } from '../../upstreams/nodes/network-client';
import type { SolanaRailConfig } from '../../config/payments';
import type { Withdrawal } from '../../db/withdrawals';
import { type Possible, type SettleHooks, unreachable } from '../rail';
import type { RailTerms } from '../rail-terms';
import type { Payout, PayoutFinding, SignedPayout } from '../withdrawals/payout';
import { InvalidWithdrawal } from '../withdrawals/refusals';
import { ExecutionSearch, type Judgement, lookForExecution, SEARCH_LOOK_MS } from './execution-search';
import { isPayoutOf, payoutMemo, type PayoutTransaction, signPayout } from './payout-transaction';
import { BLOCKHASH_BLOCKS } from './recent-blockhash';
import { seedOf } from './solana-key';
import { SolanaNode, type TokenAccount } from './solana-node';
import { identifyTransaction } from './solana-transfer';
import { associatedTokenAccount, TOKEN_PROGRAMS } from './token-programs';

/** Time during which the gateway replaces an expired transaction. After this time, it credits the withdrawal back. */
const VALID_MS = 3_600_000;
const NODE_LAG_SLOTS = 64;
/** Minimum lamports of the paying key's account: its rent exemption, and the fees for a few open withdrawals. */
const LAMPORTS_MIN = 2_000_000;
const FINALITY_LOOK_MS = 2_000;

export interface SolanaPayoutParts {
  config: Pick<SolanaRailConfig, 'token' | 'feeLamportsMax'>;
  terms: RailTerms;
  rpc: NetworkRequest;
  /** The paying key in base58. Its account owns the tokens and pays the fees. */
  secret: string;
  now: () => number;
}

/**
 * Pays out an SPL token. The chain executes a transaction at most once, and never after its blockhash has expired.
 */
export class SolanaPayout implements Payout {
  readonly terms: RailTerms;
  readonly #node: SolanaNode;
  readonly #search: ExecutionSearch;
  #signer: Promise<KeyPairSigner> | null = null;
  #tokenProgram: string | null = null;
  #firstHeight = Infinity;

  constructor(private readonly parts: SolanaPayoutParts) {
    this.terms = parts.terms;
    this.#node = new SolanaNode(parts.rpc);
    this.#search = new ExecutionSearch(this.#node, parts.now);
  }

  /** Returns the units that can be paid out; 0 if the paying key's account cannot pay fees. */
  funds(): Promise<bigint> {
    return reachable(async () => {
      const { address } = await this.#payer();
      if ((await this.#node.lamports(address)) < LAMPORTS_MIN) return 0n;
      return (await this.#tokenAccount(address)).found?.units ?? 0n;
    });
  }

  /**
   * @throws InvalidWithdrawal if the wallet has no token account. The gateway does not create accounts, because a
   * wallet could close its account after each withdrawal and keep the rent
   */
  sign(to: string, units: bigint, identity: string): Promise<SignedPayout> {
    const { config, now } = this.parts;
    return reachable(async () => {
      const payer = await this.#payer();
      const destination = await this.#tokenAccount(to);
      if (!destination.found)
        throw new InvalidWithdrawal(
          'asset',
          `The wallet has no usable token account for this token (${destination.address}). Create it, for example by receiving a little of the token, and send the same request again.`,
        );
      const [source, slot] = [await this.#tokenAccount(payer.address), await this.#slot()];
      const transaction = await signPayout(
        payer,
        {
          source: source.address,
          destination: destination.address,
          mint: config.token.address,
          decimals: config.token.decimals,
          tokenProgram: source.program,
          units,
          memo: payoutMemo(identity),
        },
        await this.#node.latestBlockhash(),
        config.feeLamportsMax,
      );
      return {
        content: JSON.stringify(transaction),
        fromHeight: Math.max(0, slot - NODE_LAG_SLOTS),
        expiresAt: now() + VALID_MS,
      };
    });
  }

  async submit({ content }: Withdrawal, { onTransaction }: SettleHooks): Promise<void> {
    const { wire, signature } = JSON.parse(content) as PayoutTransaction;
    await onTransaction(signature);
    await this.#node.send(wire);
  }

  look({ identity, content, from_height: fromSlot, payout_units: units }: Withdrawal): Promise<PayoutFinding> {
    const transaction = JSON.parse(content) as PayoutTransaction;
    const { signature, blockhash, lastValidBlockHeight, source, destination } = transaction;
    const messageHash = identifyTransaction(transaction.wire)?.messageHash ?? '';
    const memo = payoutMemo(identity);
    const wanted = { signature, wire: transaction.wire, messageHash, memo, units: BigInt(units) };
    return reachable(async () => {
      await this.#slot();
      const seen = await lookForExecution(this.#node, this.#search, {
        transfer: { source, destination, memo: `[${memo.length}] ${memo}`, messageHash, recentBlockhash: blockhash },
        fromSlot,
        // A database restored from a backup may lack this withdrawal's latest transaction. That transaction must also
        // have expired before another may replace it.
        expiresHeight: Math.max(lastValidBlockHeight, this.#firstHeight + BLOCKHASH_BLOCKS),
        named: signature,
        only: null,
        isSubmitted: false,
        judge: (found) => this.#judge(found, wanted),
      });
      switch (seen) {
        case 'unfinal':
          return waiting(
            'Solana has executed the transfer. The gateway waits until the block is finalized.',
            FINALITY_LOOK_MS,
          );
        case 'absent':
          return { outcome: 'lapsed', reason: 'The transfer was not executed before it expired.' };
        case 'searching':
          return waiting(SEARCHING);
        case 'more':
          return waiting(SEARCHING, SEARCH_LOOK_MS);
        case 'open':
          return { outcome: 'possible', note: null };
        default:
          return seen;
      }
    });
  }

  async #judge(
    signature: string,
    wanted: { signature: string; wire: string; messageHash: string; memo: string; units: bigint },
  ): Promise<Judgement> {
    const executed = await this.#node.transaction(signature);
    if (!executed?.meta) return 'unknown';
    const [wire] = executed.transaction;
    const identity = identifyTransaction(wire);
    const isKnown = signature === wanted.signature;
    if (identity?.signature !== signature || (isKnown && identity.messageHash !== wanted.messageHash))
      throw new Error('The node returned another transaction.');
    if (!isKnown && (executed.meta.err !== null || !isPayoutOf(wire, wanted.wire, wanted.memo))) return 'other';
    return executed.meta.err === null
      ? { outcome: 'paid', transactionId: signature, amountUnits: wanted.units }
      : { outcome: 'impossible', reason: 'The transfer was executed and failed.' };
  }

  /**
   * Returns an owner's associated token account. `found` is null if the account is missing or cannot receive for this
   * owner.
   */
  async #tokenAccount(owner: string): Promise<{ address: string; program: string; found: TokenAccount | null }> {
    const mint = this.parts.config.token.address;
    const program = await this.#program(mint);
    const address = associatedTokenAccount(owner, mint, program);
    const token = (await this.#node.account(address))?.token ?? null;
    const isUsable = token?.program === program && token.mint === mint && token.owner === owner && !token.isFrozen;
    return { address, program, found: isUsable ? token : null };
  }

  async #program(mint: string): Promise<string> {
    if (this.#tokenProgram !== null) return this.#tokenProgram;
    const program = (await this.#node.account(mint))?.program;
    if (program === undefined || !TOKEN_PROGRAMS.includes(program)) throw new Error('There is no mint at the address.');
    return (this.#tokenProgram = program);
  }

  async #slot(): Promise<number> {
    const { slot, height } = await this.#node.position('confirmed');
    // The lowest: one answer that is too high must not delay replacements until the next start.
    this.#firstHeight = Math.min(this.#firstHeight, height);
    return slot;
  }

  #payer(): Promise<KeyPairSigner> {
    return (this.#signer ??= createKeyPairSignerFromPrivateKeyBytes(seedOf(this.parts.secret)));
  }
}

const SEARCHING = 'The transfer has expired. The gateway still checks whether it was executed before that.';

function waiting(note: string, lookAgainInMs?: number): Possible {
  return { outcome: 'possible', note, isSubmittable: false, ...(lookAgainInMs !== undefined && { lookAgainInMs }) };
}

async function reachable<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof InvalidWithdrawal) throw cause;
    throw unreachable('Solana', cause);
  }
}
