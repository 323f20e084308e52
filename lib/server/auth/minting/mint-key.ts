import type { Address } from 'viem';
import { apiError } from '@/lib/protocol/errors';
import type { SignatureVerdict } from '../contract-checks';
import { type NewApiKey, newApiKeySecret } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { LIVE_KEYS_MAX, MINTED_A_DAY_MAX, mintApiKey } from '../../db/mint-api-key';
import type { Database } from '../../db/schema';
import { evmAddressOf } from './evm-address';
import type { MintTokens } from './mint-tokens';

const RETRY_AFTER_S = 5;
const NO_CONTRACT_HINT =
  'This gateway has no staking contract, so no wallet can mint a key here: ask its operator for one, or pay in USDC.';

const OTHER_TERMS = 'JWT claims are invalid: the token was issued for other terms than these.';
const OTHER_TERMS_HINT =
  'Send the terms whose SHA-256 the token was asked for with, or ask for a token with that of these terms.';

/** What a wallet presents to obtain a key: the raw token, signed. */
export interface MintClaim {
  address: string;
  token: string;
  signature: string;
  /** Digest of the terms that are asked for; a token that is bound to terms mints no others. */
  termsSha256?: string;
}

/** Who asks for a key. */
export interface MintCaller {
  readonly clientIp: string;
}

/** What minting works with. */
export interface Mint {
  db: Database;
  tokens: Pick<MintTokens, 'check'>;
  /** Whether a wallet has staked the stake token; rejects with an error named ChainUnavailable where no chain can say so. */
  stake: { holdsStake(address: Address): Promise<boolean> };
  /** Symbol of the stake token, for people. */
  stakeSymbol: string;
  /** Whether there is a contract to stake in at all. */
  canStake: boolean;
  /**
   * Whether a wallet, of a person or a contract, made this personal_sign signature (EIP-191, EIP-1271, ERC-6492).
   * @param caller who asks: signatures that only a chain can check are limited by its address.
   */
  verifySignature(
    claim: { address: Address; message: string; signature: string },
    caller: MintCaller,
  ): Promise<SignatureVerdict>;
}

/**
 * Mints a key for the wallet of a claim (spec, "POST /api_keys/generate_web3_key"): the address, the token with its terms, and the
 * signature are checked in this order, which costs the caller most before it costs a chain anything, and the stake
 * last, right before the key is stored. What is unstaked after that read leaves a key that can spend nothing of an
 * allocation; nothing that fails leaves a key.
 * @returns the key, which is kept nowhere, and its id.
 * @throws ApiError with the eight texts of the specification (400), STAKE_UNAVAILABLE or STORE_UNAVAILABLE (503),
 *   API_KEY_LIMIT_REACHED, or 429 where a chain would have to check too many signatures for this caller.
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
  await requireSignature(mint, address, claim, caller);
  await requireStake(mint, address);
  const apiKey = newApiKeySecret();
  const stored = await askStore(() => mintApiKey(mint.db, address, apiKey, terms, now));
  if (stored === 'live-keys')
    throw apiError('API_KEY_LIMIT_REACHED', {
      message: `The account has ${LIVE_KEYS_MAX} live API keys, which is the most.`,
    });
  if (stored === 'keys-a-day')
    throw apiError('API_KEY_LIMIT_REACHED', {
      message: `The account has minted ${MINTED_A_DAY_MAX} API keys within 24 hours, which is the most: use one of them, or wait.`,
    });
  return { apiKey, ...stored };
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
        headers: { 'retry-after': String(RETRY_AFTER_S) },
      });
  }
}

async function requireStake({ stake, stakeSymbol, canStake }: Mint, address: Address): Promise<void> {
  let holds: boolean;
  try {
    holds = await stake.holdsStake(address);
  } catch (error) {
    // By its name: bundles of one process have classes of their own.
    if ((error as { name?: unknown }).name !== 'ChainUnavailable') throw error;
    throw apiError('STAKE_UNAVAILABLE', { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  }
  const message = `Wallet has no staked ${stakeSymbol} on Base.`;
  if (!holds) throw apiError('WALLET_HAS_NO_STAKE', canStake ? { message } : { message, hint: NO_CONTRACT_HINT });
}
