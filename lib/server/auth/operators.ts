import { createHash, timingSafeEqual } from 'node:crypto';
import { isApiError } from '@/lib/protocol/errors';
import type { OperatorsConfig } from '../config/operators';
import type { Call } from '../http/call';
import { bearerSecret } from './bearer';
import type { SignInVerifier } from './sign-in-verifier';

/**
 * Identifies operators by the operator's key or a listed wallet's sign-in. API keys never qualify, because customers
 * share API keys with programs and other people.
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
   * Returns whether an operator sent the call; false if the chain that must check the signature is unreachable. Takes
   * the same time whether or not an operator key is configured.
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

/** Stands for a missing operator key. No known text has this digest. */
const NO_KEY = Buffer.alloc(32);

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
