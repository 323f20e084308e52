import { hash } from 'node:crypto';
import type { Address } from 'viem';
import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { checkSignIn } from '@/lib/protocol/sign-in/check-sign-in';
import { MalformedSignIn } from '@/lib/protocol/sign-in/message-fields';
import { readSignInHeader, type SignIn } from '@/lib/protocol/sign-in/payload';
import type { Awaitable } from './caller';
import { ExpiringMap } from './expiring-map';
import type { GatewayRules } from './sign-in-rules';
import { isSolanaSignature } from './solana-signature';
import type { PersonalSignatures } from './verify-signature';

/** Maximum number of remembered headers, about 200 bytes each. */
const REMEMBERED_MAX = 50_000;
/** Time to remember a contract's verdict. It is short, because the verdict may change. */
const CONTRACT_VERDICT_MS = 60_000;
const HEX_LENGTH = 130;
const RETRY_AFTER = { 'retry-after': '2' };

interface Verified {
  wallet: string;
  until: number;
}

/**
 * Identifies the wallet of a sign-in header. Remembers valid headers until they expire, for contracts at most a minute.
 * Remembers only hashes, so that neither timing nor memory reveals a header. Concurrent calls with the same header
 * share one verification.
 */
export class SignInVerifier {
  readonly #remembered: ExpiringMap<string>;
  readonly #running = new Map<string, Promise<string>>();

  constructor(
    private readonly rules: GatewayRules,
    private readonly signatures: PersonalSignatures,
    private readonly now: () => number = Date.now,
  ) {
    this.#remembered = new ExpiringMap(REMEMBERED_MAX, CONTRACT_VERDICT_MS, now);
  }

  /**
   * Returns the wallet as `walletKey` formats it.
   * @param caller sender of the request; the sender's address counts toward a limit if a chain is asked
   * @throws ApiError 401 that names the failed check; for contracts also 429 above the limits of `ContractChecks`, and
   * 503 if the chain does not answer or too many checks run
   */
  verify(header: string, caller: { readonly clientIp: string }): Awaitable<string> {
    const key = hash('sha256', header, 'base64');
    return this.#remembered.get(key) ?? this.#running.get(key) ?? this.#start(key, header, caller);
  }

  #start(key: string, header: string, caller: { readonly clientIp: string }): Promise<string> {
    const verification = this.#verify(header, caller)
      .then(({ wallet, until }) => {
        this.#remembered.set(key, wallet, until - this.now());
        return wallet;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, verification);
    return verification;
  }

  async #verify(header: string, caller: { readonly clientIp: string }): Promise<Verified> {
    const signIn = read(header);
    const now = this.now();
    const until = checkSignIn(signIn, this.rules, now);
    const { family, address } = signIn.message;
    switch (family) {
      case 'evm': {
        const isContract = await this.#verifyEvm(signIn, caller);
        return {
          wallet: address.toLowerCase(),
          until: isContract ? Math.min(until, now + CONTRACT_VERDICT_MS) : until,
        };
      }
      case 'solana':
        if (!isSolanaSignature(address, signIn.text, signIn.signature))
          throw apiError(
            'SIGN_IN_BAD_SIGNATURE',
            canonicalHex(signIn.signature)?.length === HEX_LENGTH
              ? {
                  message: 'The sign-in signature is hexadecimal. A Solana wallet needs base58 or Base64.',
                }
              : {},
          );
        return { wallet: address, until };
    }
  }

  /** @returns whether a contract verified the signature */
  async #verifyEvm(
    { message, text, signature, chainId }: SignIn,
    caller: { readonly clientIp: string },
  ): Promise<boolean> {
    const signed = {
      address: message.address as Address,
      message: text,
      signature,
      chainIds: [Number(chainId.slice('eip155:'.length))],
    };
    const { verdict, by } = await this.signatures.judge(signed, caller);
    switch (verdict) {
      case 'valid':
        return by === 'contract';
      case 'invalid':
        throw apiError('SIGN_IN_BAD_SIGNATURE');
      case 'unavailable':
        throw apiError('SIGN_IN_UNVERIFIABLE', { headers: RETRY_AFTER });
      case 'busy':
        throw apiError('SIGN_IN_BUSY', { headers: RETRY_AFTER });
    }
  }
}

function read(header: string): SignIn {
  try {
    return readSignInHeader(header);
  } catch (error) {
    throw error instanceof MalformedSignIn ? malformed(error) : error;
  }
}

function malformed({ message }: MalformedSignIn): ApiError {
  return apiError('SIGN_IN_MALFORMED', { message });
}
