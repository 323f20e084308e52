import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import type { Wallet } from './account/wallet';
import { SharedWork } from './shared-work';
import { type EventListener, tell } from './turnpike-event';

/** A wallet in this process signs as often as it takes; a person is asked twice a day. */
const LIFETIME_MS = { silent: 600_000, asked: 12 * 3_600_000 };
/** A call has to arrive with it, and clocks differ. */
const RENEWED_BEFORE_MS = 60_000;

interface WalletSignInParts {
  wallet: Wallet;
  /** Of the gateway. */
  url: string;
  onEvent?: EventListener | undefined;
  now?: () => number;
}

/** The sign-in of a wallet: signed with the first call, renewed before it expires, shared by calls at the same time. */
export class WalletSignIn {
  readonly #signing = new SharedWork<string>();
  #present: { header: string; expiresAtMs: number } | null = null;

  constructor(private readonly parts: WalletSignInParts) {}

  /** The value of SIGN-IN-WITH-X. @throws {TurnpikeError} what the wallet refuses it for; the reason of `signal` */
  async header(signal?: AbortSignal | null): Promise<string> {
    const { now = Date.now } = this.parts;
    const present = this.#present;
    if (present !== null && present.expiresAtMs - now() > RENEWED_BEFORE_MS) return present.header;
    return this.#signing.join(() => this.#sign(), signal);
  }

  /** Forgets a sign-in that the gateway refused; one that was signed since stays. */
  refuse(header: string): void {
    if (this.#present?.header === header) this.#present = null;
  }

  async #sign(): Promise<string> {
    const { wallet, url, onEvent, now = Date.now } = this.parts;
    const address = await wallet.address();
    const unsigned = buildSignIn({
      address,
      uri: new URL(url).origin,
      lifetimeMs: wallet.asksPerson ? LIFETIME_MS.asked : LIFETIME_MS.silent,
      now: now(),
    });
    const header = unsigned.header(await wallet.signText(unsigned.text));
    this.#present = { header, expiresAtMs: unsigned.expiresAt };
    tell(onEvent, { type: 'signed-in', address, expiresAtMs: unsigned.expiresAt });
    return header;
  }
}
