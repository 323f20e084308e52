import { createHash, timingSafeEqual } from 'node:crypto';
import { isApiError } from '@/lib/protocol/errors';
import type { OperatorsConfig } from '../config/operators';
import type { Call } from '../http/call';
import { bearerSecret } from './bearer';
import type { SignInVerifier } from './sign-in-verifier';

/**
 * Knows the operators of this gateway: by the operator's key, or by the sign-in of a wallet on the list. Neither has
 * anything to do with accounts: no API key is one, also of such a wallet, since keys are given to programs and to others.
 */
export class Operators {
  readonly #wallets: ReadonlySet<string>;
  readonly #keyDigest: Buffer | null;

  constructor(
    { wallets, key }: OperatorsConfig,
    private readonly signIn: Pick<SignInVerifier, 'verify'>,
  ) {
    this.#wallets = wallets;
    this.#keyDigest = key && digestOf(key.reveal());
  }

  /**
   * Whether an operator calls. A key goes before a sign-in. It takes as long whether there are operators or not, and
   * says nothing of why somebody is none; a chain that cannot be asked about a contract wallet is no yes.
   */
  async isOperator(call: Call): Promise<boolean> {
    const authorization = call.header('authorization');
    if (authorization !== null) return this.#isKey(bearerSecret(authorization));
    const signIn = call.header('sign-in-with-x') ?? call.header('x-sign-in-with-x');
    const wallet = signIn === null ? null : await this.#walletOf(signIn, call);
    return wallet !== null && this.#wallets.has(wallet);
  }

  #isKey(secret: string | undefined): boolean {
    const given = digestOf(secret ?? '');
    const isEqual = timingSafeEqual(given, this.#keyDigest ?? NO_KEY);
    return isEqual && this.#keyDigest !== null;
  }

  async #walletOf(signIn: string, call: Call): Promise<string | null> {
    try {
      return await this.signIn.verify(signIn, call);
    } catch (error) {
      if (isApiError(error)) return null;
      throw error;
    }
  }
}

/** No text has this digest that anybody knows. */
const NO_KEY = Buffer.alloc(32);

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
