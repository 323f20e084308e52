import { apiError } from '@/lib/protocol/errors';
import { MinuteLimiter, rateLimitHeaders } from '../http/rate-limit/minute-limiter';
import { addressBlock } from '../http/ip-address';
import { ExpiringMap } from './expiring-map';

/** Verdict on a signature. `busy` means that no chain was asked, because too many checks are running. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unavailable' | 'busy';

/** Signature that only a chain can check. */
interface ContractClaim {
  /** Wallet that the caller claims to be, in lower case. */
  wallet: string;
  digest: string;
  clientIp: string;
}

interface ContractChecksOptions {
  /** Maximum checks a minute, for each client address and for each claimed wallet. */
  perMinute: number;
  /** Returns whether a wallet has an account, which its first payment or key creates. */
  hasAccount: (wallet: string) => Promise<boolean>;
  now: () => number;
}

/**
 * Maximum concurrent checks: 16 for wallets without an account, 24 for these and wallets with an account, 32 in total.
 * The last 8 are for wallets with an account and an earlier valid signature from the same client address. A forger has
 * no such signature.
 */
const SLOTS = { stranger: 16, customer: 24, proven: 32 } as const;
type CallerPriority = keyof typeof SLOTS;

/** Maximum concurrent checks for each client address and for each claimed wallet. */
const PER_ADDRESS_AT_A_TIME = 4;
const PER_WALLET_AT_A_TIME = 4;
/** A failed check is remembered only briefly, because the wallet may be deployed soon. */
const FAILURE_MS = 30_000;
const FAILURES_MAX = 10_000;
const PROVEN_MS = 24 * 3_600_000;
const PROVEN_MAX = 20_000;

interface Admitted {
  /** Keys of the limits that this check counts toward: client address and wallet, or their pair. */
  names: readonly string[];
  isProven: boolean;
  hasAccount: boolean;
  limitStranger: () => void;
  giveBack: () => void;
}

/**
 * Limits how often chains are asked to check contract wallets' signatures (EIP-1271, ERC-6492). Each check costs the
 * operator a call, and anyone can claim to be any wallet. The limits by client address and by claimed wallet are
 * checked before a chain is asked. Sign-ins, minting and payments share the limit of concurrent checks.
 */
export class ContractChecks {
  readonly #byAddress: MinuteLimiter<string>;
  readonly #byWallet: MinuteLimiter<string>;
  readonly #byPair: MinuteLimiter<string>;
  readonly #failures: ExpiringMap<true>;
  readonly #proven: ExpiringMap<true>;
  readonly #running = new Map<string, Promise<SignatureVerdict>>();
  readonly #inUse: Record<CallerPriority, number> = { stranger: 0, customer: 0, proven: 0 };
  readonly #atATime = new Map<string, number>();

  constructor(private readonly options: ContractChecksOptions) {
    const { perMinute, now } = options;
    this.#byAddress = new MinuteLimiter(perMinute, 'one address with contract-wallet signatures');
    this.#byWallet = new MinuteLimiter(perMinute, 'all addresses together for one contract wallet');
    this.#byPair = new MinuteLimiter(perMinute, 'one contract wallet with new signatures');
    this.#failures = new ExpiringMap(FAILURES_MAX, FAILURE_MS, now);
    this.#proven = new ExpiringMap(PROVEN_MAX, PROVEN_MS, now);
  }

  takeLimit(perMinute: number): void {
    for (const limiter of [this.#byAddress, this.#byWallet, this.#byPair]) limiter.limit = perMinute;
  }

  /** Returns whether a chain refused this signature in the last 30 seconds. */
  isKnownFailure(digest: string): boolean {
    return this.#failures.get(digest) !== undefined;
  }

  /**
   * Returns the verdict on a claim.
   * @param ask asks the chain; called only if the verdict is unknown
   * @throws ApiError 429 above a limit: MINUTE_CAP, or CONCURRENT_CALL
   */
  check(claim: ContractClaim, ask: () => Promise<SignatureVerdict>): Promise<SignatureVerdict> {
    const { digest, wallet } = claim;
    if (this.isKnownFailure(digest)) return Promise.resolve('invalid');
    const running = this.#running.get(digest);
    if (running) return running;
    const { admitted, pair, leave } = this.#enter(claim);
    const checking = this.#ask(wallet, admitted, ask)
      .then((asked) => {
        const verdict = asked?.answer ?? 'busy';
        if (verdict === 'invalid') this.#failures.set(digest, true);
        // Without an account, a valid signature proves nothing, because anyone can sign for new undeployed wallets
        // (ERC-6492).
        if (verdict === 'valid' && admitted.hasAccount) this.#proven.set(pair, true);
        if (verdict === 'busy' || (verdict === 'valid' && admitted.hasAccount)) admitted.giveBack();
        return verdict;
      })
      .finally(() => {
        this.#running.delete(digest);
        leave();
      });
    this.#running.set(digest, checking);
    return checking;
  }

  /**
   * Runs a chain request, such as a payment's verification, for a wallet that the caller says is a contract.
   * @returns null if too many requests are running; `ask` is then not called
   * @throws ApiError 429 above a limit (see `check`), or the error of `ask`
   */
  async share<Answer>(
    { wallet, clientIp }: Omit<ContractClaim, 'digest'>,
    ask: () => Promise<Answer>,
  ): Promise<{ answer: Answer } | null> {
    const { admitted, leave } = this.#enter({ wallet, clientIp });
    try {
      const asked = await this.#ask(wallet, admitted, ask);
      if (!asked || admitted.hasAccount) admitted.giveBack();
      return asked;
    } finally {
      leave();
    }
  }

  #enter({ wallet, clientIp }: Omit<ContractClaim, 'digest'>): { admitted: Admitted; pair: string; leave: () => void } {
    const block = addressBlock(clientIp);
    const pair = `${wallet} ${block}`;
    const admitted = this.#admitProven(pair) ?? this.#admitOther(wallet, block);
    for (const name of admitted.names) this.#atATime.set(name, (this.#atATime.get(name) ?? 0) + 1);
    const leave = (): void => {
      for (const name of admitted.names) this.#leave(name);
    };
    return { admitted, pair, leave };
  }

  /**
   * Each proven pair of wallet and client address has its own limit, which forgers at other addresses cannot use up.
   */
  #admitProven(pair: string): Admitted | null {
    const now = this.options.now();
    if (!this.#proven.get(pair) || this.#byPair.count(pair, now) >= this.#byPair.limit) return null;
    this.#limitAtATime(pair, PER_WALLET_AT_A_TIME, 'for one wallet', now);
    this.#byPair.take(pair, now);
    return {
      names: [pair],
      isProven: true,
      hasAccount: true,
      limitStranger: () => undefined,
      giveBack: () => undefined,
    };
  }

  #admitOther(wallet: string, block: string): Admitted {
    const now = this.options.now();
    this.#limitAtATime(block, PER_ADDRESS_AT_A_TIME, 'for one address', now);
    // Limits by wallet do not apply to a client address without counted checks. Otherwise forgers could lock out the
    // wallet's owner.
    const isClean = this.#byAddress.count(block, now) === 0;
    if (!isClean) this.#limitAtATime(wallet, PER_WALLET_AT_A_TIME, 'for one contract wallet', now);
    this.#byAddress.take(block, now);
    const counts = !isClean || this.#byWallet.count(wallet, now) < this.#byWallet.limit;
    if (counts) this.#byWallet.take(wallet, now);
    const giveBack = (): void => {
      this.#byAddress.giveBack(block, now);
      if (counts) this.#byWallet.giveBack(wallet, now);
    };
    const limitStranger = (): void => {
      if (counts) return;
      this.#byAddress.giveBack(block, now);
      this.#byWallet.take(wallet, now);
    };
    return { names: [block, wallet], isProven: false, hasAccount: false, limitStranger, giveBack };
  }

  #limitAtATime(name: string, limit: number, ofWhom: string, now: number): void {
    if ((this.#atATime.get(name) ?? 0) < limit) return;
    const customMessage = `At most ${limit} contract-wallet signatures are checked ${ofWhom} at a time; try again in a second.`;
    throw apiError('CONCURRENT_CALL', {
      message: 'Too many signatures of contract wallets are being checked.',
      hint: 'Try again in a second.',
      fields: { customMessage },
      headers: rateLimitHeaders({ limit, remaining: 0, resetAt: now + 1_000 }, now),
    });
  }

  #leave(name: string): void {
    const left = (this.#atATime.get(name) ?? 1) - 1;
    if (left === 0) this.#atATime.delete(name);
    else this.#atATime.set(name, left);
  }

  async #priority(wallet: string, admitted: Admitted): Promise<CallerPriority> {
    if (admitted.isProven) return 'proven';
    // While the database is unavailable, every wallet counts as one without an account.
    admitted.hasAccount = await Promise.resolve(this.options.hasAccount(wallet)).catch(() => false);
    return admitted.hasAccount ? 'customer' : 'stranger';
  }

  /** @returns null if no slot is free. */
  async #ask<Answer>(
    wallet: string,
    admitted: Admitted,
    ask: () => Promise<Answer>,
  ): Promise<{ answer: Answer } | null> {
    const priority = await this.#priority(wallet, admitted);
    if (priority === 'stranger') admitted.limitStranger();
    if (!this.#isFree(priority)) return null;
    this.#inUse[priority]++;
    try {
      return { answer: await ask() };
    } finally {
      this.#inUse[priority]--;
    }
  }

  #isFree(priority: CallerPriority): boolean {
    const { stranger, customer, proven } = this.#inUse;
    if (stranger + customer + proven >= SLOTS.proven) return false;
    if (priority === 'proven') return true;
    return stranger + customer < SLOTS.customer && (priority === 'customer' || stranger < SLOTS.stranger);
  }
}
