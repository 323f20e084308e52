import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import type { Wallet } from './account/wallet';
import { SharedWork, unlessAborted } from './shared-work';
import { type EventListener, tell } from './turnpike-event';

/**
 * Lifetimes of a sign-in: `silent` if the wallet signs by itself, `asked` if a person confirms.
 */
const LIFETIME_MS = { silent: 600_000, asked: 12 * 3_600_000 };
/** Renewal before expiry. Covers network latency and clock differences. */
const RENEWED_BEFORE_MS = 60_000;

interface WalletSignInParts {
  wallet: Wallet;
  url: string;
  statement?: string | undefined;
  onEvent?: EventListener | undefined;
  now?: () => number;
}

/** Sign-in of a wallet's present account. Renewed before expiry, shared by concurrent calls. */
export class WalletSignIn {
  readonly #signing = new SharedWork<string>();
  #present: { address: string; header: string; expiresAtMs: number } | null = null;

  constructor(private readonly parts: WalletSignInParts) {}

  get address(): string | null {
    return this.#present?.address ?? null;
  }

  /**
   * Returns the value of the SIGN-IN-WITH-X header.
   * @throws {TurnpikeError} the wallet's error; the reason of `signal`
   */
  async header(signal?: AbortSignal | null): Promise<string> {
    const { wallet, now = Date.now } = this.parts;
    const present = this.#present;
    if (
      present !== null &&
      present.expiresAtMs - now() > RENEWED_BEFORE_MS &&
      present.address === (await unlessAborted(wallet.address(), signal))
    )
      return present.header;
    return this.#signing.join(() => this.#sign(), signal);
  }

  /** Drops a refused sign-in, unless a newer sign-in has replaced it. */
  refuse(header: string): void {
    if (this.#present?.header === header) this.#present = null;
  }

  async #sign(): Promise<string> {
    const { wallet, url, statement, onEvent, now = Date.now } = this.parts;
    const address = await wallet.address();
    const unsigned = buildSignIn({
      address,
      uri: new URL(url).origin,
      ...(statement !== undefined && { statement }),
      lifetimeMs: wallet.asksPerson ? LIFETIME_MS.asked : LIFETIME_MS.silent,
      now: now(),
    });
    const header = unsigned.header(await wallet.signText(unsigned.text));
    this.#present = { address, header, expiresAtMs: unsigned.expiresAt };
    tell(onEvent, { type: 'signed-in', address, expiresAtMs: unsigned.expiresAt });
    return header;
  }
}
