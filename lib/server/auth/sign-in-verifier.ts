import { hash } from 'node:crypto';
import type { Address } from 'viem';
import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { checkSignIn } from '@/lib/protocol/sign-in/check-sign-in';
import { MalformedSignIn } from '@/lib/protocol/sign-in/malformed';
import { readSignInHeader, type SignIn } from '@/lib/protocol/sign-in/payload';
import type { Awaitable } from './caller';
import { ExpiringMap } from './expiring-map';
import type { GatewayRules } from './sign-in-rules';
import { isSolanaSignature } from './solana-signature';
import type { PersonalSignatures } from './verify-signature';

/** Headers that are remembered, each in about 200 bytes. */
const REMEMBERED_MAX = 50_000;
/** A contract may change its mind about a signature: it is asked again after this. */
const CONTRACT_VERDICT_MS = 60_000;
/** Of 64 bytes in hexadecimal, with 0x. */
const HEX_LENGTH = 130;
const RETRY_AFTER = { 'retry-after': '2' };

interface Verified {
  wallet: string;
  /** Unix milliseconds. */
  until: number;
}

/**
 * Says which wallet a sign-in header is of. A header that held is remembered until it expires, under its hash, so
 * that sending it again costs microseconds and neither time nor memory tells anything of it; of failures nothing
 * is kept here. The same header several times at once is verified once.
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
   * The wallet, as the store names it.
   * @param caller who presents it; its address is looked at only where a chain has to be asked.
   * @throws ApiError 401 saying which check failed; where the signature is of a contract, 429 beyond the limits of
   *   `ContractChecks`, and 503 where its chain is silent or too many are being checked.
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
                  message:
                    'The signature of the sign-in is in hexadecimal, and that of a Solana wallet is base58 or Base64.',
                }
              : {},
          );
        return { wallet: address, until };
    }
  }

  /** @returns whether a contract vouched for it. */
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
