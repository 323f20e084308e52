import { hash } from 'node:crypto';
import type { Address } from 'viem';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { checkSignIn, type SignInRules } from '@/lib/protocol/sign-in/check-sign-in';
import { MalformedSignIn } from '@/lib/protocol/sign-in/malformed';
import { readSignInHeader, type SignIn } from '@/lib/protocol/sign-in/payload';
import type { Awaitable } from '../metering/meter';
import type { RpcNetworks } from '../rpc/networks';
import { isSolanaSignature } from './solana-signature';
import { verifyByContract, verifyByKey } from './verify-signature';

/** Headers that are remembered, each in about 200 bytes. */
const REMEMBERED_MAX = 50_000;
/** A contract may change its mind about a signature: it is asked again after this. */
const CONTRACT_VERDICT_MS = 60_000;
const RETRY_AFTER_S = 2;

interface Verified {
  wallet: string;
  /** Unix milliseconds. */
  until: number;
}

/**
 * Says which wallet a sign-in header is of. A header that held is remembered until it expires, under its hash, so
 * that sending it again costs microseconds and neither time nor memory tells anything of it; of failures nothing is
 * kept. The same header several times at once is verified once.
 */
export class SignInVerifier {
  readonly #remembered = new Map<string, Verified>();
  readonly #running = new Map<string, Promise<Verified>>();

  constructor(
    readonly rules: SignInRules,
    private readonly rpc: RpcNetworks,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The wallet, as the store names it.
   * @throws ApiError 401 saying which check failed; 503 where the signature is of a contract and its chain is silent.
   */
  verify(header: string): Awaitable<string> {
    const key = hash('sha256', header, 'base64');
    const known = this.#remembered.get(key);
    if (known && this.now() < known.until) return known.wallet;
    return this.#verifyOnce(key, header);
  }

  async #verifyOnce(key: string, header: string): Promise<string> {
    const running = this.#running.get(key) ?? this.#start(key, header);
    return (await running).wallet;
  }

  #start(key: string, header: string): Promise<Verified> {
    const verification = this.#verify(header)
      .then((verified) => {
        this.#remember(key, verified);
        return verified;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, verification);
    return verification;
  }

  async #verify(header: string): Promise<Verified> {
    const signIn = read(header);
    const now = this.now();
    const until = checkSignIn(signIn, this.rules, now);
    const { family, address } = signIn.message;
    if (family === 'solana') {
      if (!isSolanaSignature(address, signIn.text, signIn.signature)) throw apiError('SIGN_IN_BAD_SIGNATURE');
      return { wallet: address, until };
    }
    const wallet = address.toLowerCase();
    const isContract = await this.#verifyEvm(signIn);
    return { wallet, until: isContract ? Math.min(until, now + CONTRACT_VERDICT_MS) : until };
  }

  /** @returns whether a contract vouched for it. */
  async #verifyEvm({ message, text, signature, chainId }: SignIn): Promise<boolean> {
    const signed = { address: message.address as Address, message: text, signature, chainIds: [Number(chainId.slice('eip155:'.length))] };
    const byKey = await verifyByKey(signed);
    if (byKey === 'valid') return false;
    const byContract = byKey === 'invalid' ? 'invalid' : await verifyByContract(signed, this.rpc);
    if (byContract === 'unavailable') throw apiError('SIGN_IN_UNVERIFIABLE', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
    if (byContract === 'invalid') throw apiError('SIGN_IN_BAD_SIGNATURE');
    return true;
  }

  #remember(key: string, verified: Verified): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, verified);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    for (const [oldest] of this.#remembered) {
      this.#remembered.delete(oldest);
      break;
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
