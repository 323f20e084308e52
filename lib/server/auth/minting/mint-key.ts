import type { Address } from 'viem';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { SignatureVerdict } from '../contract-checks';
import { type NewApiKey, newApiKeySecret } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { type KeysFull, LIVE_KEYS_MAX, MINTED_A_DAY_MAX, mintApiKey } from '../../db/mint-api-key';
import type { Database } from '../../db/schema';
import { evmAddressOf } from './evm-address';
import type { MintTokens } from './mint-tokens';

const RETRY_AFTER_S = 5;
const NO_CONTRACT_HINT =
  'This gateway has no staking contract, so wallets cannot mint keys here. Ask the operator for an API key, or pay in USDC.';

const OTHER_TERMS = 'JWT claims are invalid: the token was issued for different terms.';
const OTHER_TERMS_HINT =
  'Send the terms that the token was issued for. Or get a new token with termsSha256, the SHA-256 of these terms.';

const UNBOUND_PREPAID =
  'JWT claims are invalid: a key that spends prepaid money needs a token that is bound to the terms of the key.';
const UNBOUND_PREPAID_HINT = 'Get a token with termsSha256, the SHA-256 of the terms of the key, and sign that token.';

/** Signed token with which a wallet requests a key. */
export interface MintClaim {
  address: string;
  token: string;
  signature: string;
  /** Digest of the requested terms. A token that is bound to terms must have the same digest. */
  termsSha256?: string;
}

interface MintCaller {
  readonly clientIp: string;
}

export interface Mint {
  db: Database;
  tokens: Pick<MintTokens, 'check'>;
  /** Returns whether a wallet has staked. Rejects with ChainUnavailable if no chain answers. */
  stake: { holdsStake(address: Address): Promise<boolean> };
  stakeSymbol: string;
  /** True if a staking contract is configured. */
  canStake: boolean;
  /**
   * Checks a personal_sign signature of a wallet or contract wallet (EIP-191, EIP-1271, ERC-6492).
   * @param caller sender of the request; the sender's address counts toward a limit if a chain is asked
   */
  verifySignature(
    claim: { address: Address; message: string; signature: string },
    caller: MintCaller,
  ): Promise<SignatureVerdict>;
}

/**
 * Mints a key for a wallet (spec, "POST /api_keys/generate_web3_key"). Checks the signature after the token, because
 * the check may need a chain. Reads the stake right before storing the key. If the wallet unstakes later, the key stays
 * but gets no allocation.
 * @returns the key and its id; only the key's hash is stored
 * @throws ApiError 400 with one of the specification's eight texts, or API_KEY_LIMIT_REACHED; 503 STAKE_UNAVAILABLE or
 * STORE_UNAVAILABLE; 429 if a chain would have to check too many of this caller's signatures
 */
export async function mintKey(
  mint: Mint,
  claim: MintClaim,
  terms: Omit<NewApiKey, 'accountId'>,
  caller: MintCaller,
  now: number,
): Promise<{ apiKey: string; id: number; accountId: number }> {
  const address = evmAddressOf(claim.address);
  const { termsSha256 } = await mint.tokens.check(claim.token, now);
  if (termsSha256 !== null && termsSha256 !== claim.termsSha256)
    throw apiError('MINT_TOKEN_CLAIMS_INVALID', { message: OTHER_TERMS, hint: OTHER_TERMS_HINT });
  // If the token were not bound to terms, a thief of the signed token could mint a key that spends the wallet's money.
  if (termsSha256 === null && (terms.limitPrepaidNano ?? null) !== null)
    throw apiError('MINT_TOKEN_CLAIMS_INVALID', { message: UNBOUND_PREPAID, hint: UNBOUND_PREPAID_HINT });
  await requireSignature(mint, address, claim, caller);
  await requireStake(mint, address);
  const apiKey = newApiKeySecret();
  const stored = await askStore(() => mintApiKey(mint.db, address, apiKey, terms, now));
  if (typeof stored === 'string') throw keysFull(stored);
  return { apiKey, ...stored };
}

export function keysFull(limit: KeysFull): ApiError {
  return limit === 'live-keys'
    ? apiError('API_KEY_LIMIT_REACHED', { message: `The account has ${LIVE_KEYS_MAX} live API keys, the maximum.` })
    : apiError('API_KEY_LIMIT_REACHED', {
        message: `${MINTED_A_DAY_MAX} API keys, the maximum, were created for the account within 24 hours.`,
        hint: 'Use one of the keys, or mint another one later.',
      });
}

async function requireSignature(
  { verifySignature }: Mint,
  address: Address,
  { token, signature }: MintClaim,
  caller: MintCaller,
): Promise<void> {
  switch (await verifySignature({ address, message: token, signature }, caller)) {
    case 'valid':
      return;
    case 'invalid':
      throw apiError('WALLET_SIGNATURE_MISMATCH');
    case 'unavailable':
      throw apiError('WALLET_SIGNATURE_UNVERIFIED', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
    case 'busy':
      throw apiError('WALLET_SIGNATURE_UNVERIFIED', {
        message: 'Could not verify wallet signature: too many signatures of contract wallets are being checked now.',
        hint: 'Try again shortly, with increasing delays.',
        headers: { 'retry-after': String(RETRY_AFTER_S) },
      });
  }
}

async function requireStake({ stake, stakeSymbol, canStake }: Mint, address: Address): Promise<void> {
  let holds: boolean;
  try {
    holds = await stake.holdsStake(address);
  } catch (error) {
    // Compares the name, because each bundle has its own copy of the class.
    if ((error as { name?: unknown }).name !== 'ChainUnavailable') throw error;
    throw apiError('STAKE_UNAVAILABLE', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
  const message = `Wallet has no staked ${stakeSymbol} on Base.`;
  if (!holds) throw apiError('WALLET_HAS_NO_STAKE', canStake ? { message } : { message, hint: NO_CONTRACT_HINT });
}
