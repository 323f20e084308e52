import { apiError } from '@/lib/protocol/errors';
import { MinuteLimiter } from '../http/rate-limit/minute-limiter';
import { rateLimitHeaders } from '../http/rate-limit/rate-limit-headers';
import { addressBlock } from '../http/ip-address';
import { ExpiringMap } from './expiring-map';

/** What a chain, or whoever keeps it from being asked, says of a signature. `busy`: too many are being checked. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unavailable' | 'busy';

/** A signature that only a chain can judge. */
export interface ContractClaim {
  /** The wallet that is said to have signed, in lower case: whoever asks has only claimed it so far. */
  wallet: string;
  /** Hash over wallet, message and signature. */
  digest: string;
  /** As `Call.clientIp` gives it. */
  clientIp: string;
}

export interface ContractChecksOptions {
  /** Checks a minute for one client address, and in the name of one wallet. */
  perMinute: number;
  /** Whether a wallet has an account here, which it has once money came in or a key was minted. */
  hasAccount: (wallet: string) => Promise<boolean>;
  now: () => number;
}

/**
 * How many checks may run at a time: 16 of strangers, 24 of them and of wallets that have an account, 32 of all. So 8 are
 * left to wallets with an account, and 8 to those that were found to be who they say at the address that asks: into
 * these nobody can claim his way.
 */
const SLOTS = { stranger: 16, customer: 24, proven: 32 } as const;
type Standing = keyof typeof SLOTS;

/** Checks that run at a time for one address, and in the name of one wallet, whatever slots are free. */
const PER_ADDRESS_AT_A_TIME = 4;
const PER_WALLET_AT_A_TIME = 4;
/** Short enough for a wallet that was deployed meanwhile. */
const FAILURE_MS = 30_000;
const FAILURES_MAX = 10_000;
const PROVEN_MS = 24 * 3_600_000;
const PROVEN_MAX = 20_000;

/** A check that the limits let pass. */
interface Admitted {
  /** What it counts under while it runs. */
  names: readonly string[];
  isProven: boolean;
  hasAccount: boolean;
  /** Refuses it where the wallet's limit was passed on behalf of an account that the wallet turns out not to have. */
  limitStranger: () => void;
  /** Takes it out of the limits again. */
  giveBack: () => void;
}

/**
 * Stands between strangers and the chains that judge signatures of contract wallets (EIP-1271, ERC-6492): such a check
 * costs the operator a call, and whoever asks only says whose wallet it is. Checks are limited by client address and by
 * claimed wallet before a chain is asked; failures are remembered for 30 seconds; the same signature several times at
 * once is checked once; and the slots for checks are shared so that forgers cannot take them all: sign-ins, keys and
 * payments have the same ones. What a key signed itself never comes here.
 */
export class ContractChecks {
  readonly #byAddress: MinuteLimiter<string>;
  readonly #byWallet: MinuteLimiter<string>;
  readonly #byPair: MinuteLimiter<string>;
  readonly #failures: ExpiringMap<true>;
  readonly #proven: ExpiringMap<true>;
  readonly #running = new Map<string, Promise<SignatureVerdict>>();
  readonly #inUse: Record<Standing, number> = { stranger: 0, customer: 0, proven: 0 };
  readonly #atATime = new Map<string, number>();

  constructor(private readonly options: ContractChecksOptions) {
    const { perMinute, now } = options;
    this.#byAddress = new MinuteLimiter(perMinute, 'one address with signatures that only a chain can check');
    this.#byWallet = new MinuteLimiter(perMinute, 'all addresses together in the name of one contract wallet');
    this.#byPair = new MinuteLimiter(perMinute, 'one contract wallet with new signatures');
    this.#failures = new ExpiringMap(FAILURES_MAX, FAILURE_MS, now);
    this.#proven = new ExpiringMap(PROVEN_MAX, PROVEN_MS, now);
  }

  /** Counts up to another limit from now on. */
  takeLimit(perMinute: number): void {
    for (const limiter of [this.#byAddress, this.#byWallet, this.#byPair]) limiter.limit = perMinute;
  }

  /** Whether a chain said no to this within half a minute. */
  isKnownFailure(digest: string): boolean {
    return this.#failures.get(digest) !== undefined;
  }

  /**
   * The verdict on a claim, asked of the chain where it is not known.
   * @param ask asks the chain; called once at most.
   * @throws ApiError 429 beyond a limit, with its headers: MINUTE_CAP, or CONCURRENT_CALL for too many at a time.
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
        // Strangers prove nothing by being right: wallets that were never deployed cost nothing to make (ERC-6492).
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
   * Lets something else ask a chain in a contract wallet's name, within the same limits and slots: the verification of
   * its payment. That proves nothing of who is at an address, and nothing of it is remembered.
   * @returns null where too many are being checked; `ask` was not called then.
   * @throws ApiError 429 beyond a limit, as `check` does; and what `ask` threw.
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

  /** A wallet that was proven at this address has a limit of its own: that of strangers does not hold it up. */
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
    // An address without a vain attempt passes the limits of a wallet that has an account: whoever claims it from
    // everywhere must not lock its owner out.
    const isClean = this.#byAddress.count(block, now) === 0;
    if (!isClean) this.#limitAtATime(wallet, PER_WALLET_AT_A_TIME, 'in the name of one wallet', now);
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
    const customMessage = `At most ${limit} signatures that only a chain can check are looked at ${ofWhom} at a time; try again in a second.`;
    throw apiError('CONCURRENT_CALL', {
      fields: { customMessage },
      headers: rateLimitHeaders({ limit, remaining: 0, resetAt: now + 1_000 }, now),
    });
  }

  #leave(name: string): void {
    const left = (this.#atATime.get(name) ?? 1) - 1;
    if (left === 0) this.#atATime.delete(name);
    else this.#atATime.set(name, left);
  }

  async #standing(wallet: string, admitted: Admitted): Promise<Standing> {
    if (admitted.isProven) return 'proven';
    // A store that is away must not decide about a signature.
    admitted.hasAccount = await Promise.resolve(this.options.hasAccount(wallet)).catch(() => false);
    return admitted.hasAccount ? 'customer' : 'stranger';
  }

  /** @returns null where no slot is free. */
  async #ask<Answer>(
    wallet: string,
    admitted: Admitted,
    ask: () => Promise<Answer>,
  ): Promise<{ answer: Answer } | null> {
    const standing = await this.#standing(wallet, admitted);
    if (standing === 'stranger') admitted.limitStranger();
    if (!this.#isFree(standing)) return null;
    this.#inUse[standing]++;
    try {
      return { answer: await ask() };
    } finally {
      this.#inUse[standing]--;
    }
  }

  #isFree(standing: Standing): boolean {
    const { stranger, customer, proven } = this.#inUse;
    if (stranger + customer + proven >= SLOTS.proven) return false;
    if (standing === 'proven') return true;
    return stranger + customer < SLOTS.customer && (standing === 'customer' || stranger < SLOTS.stranger);
  }
}
