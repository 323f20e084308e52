import { TERMS_DIGEST_NAME } from '@/lib/protocol/api-keys/mint-token';
import type { ErrorCode } from '@/lib/protocol/errors';
import type { MintRequest } from '@/lib/protocol/api-keys/mint-request';
import { checked, object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { GatewayError } from './gateway-error';

export type { MintRequest };

/** Where keys are minted: GET for a token to sign, POST for the key. */
export const MINT_PATH = '/api/v1/api_keys/generate_web3_key';

/** What a header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]{1,1024}$/;
const headerText = checked(
  'a text of a header',
  (value): value is string => typeof value === 'string' && HEADER_TEXT.test(value),
);

const tokenAnswer = object({ data: object({ token: text }) });

const mintedAnswer = object({ data: object({ apiKey: headerText, id: headerText }) });

/** A key that was just made; beside these members, what the gateway says of it. */
export type MintedKey = ReturnType<typeof mintedAnswer>['data'];

/**
 * Asks for a validation token, which holds for 15 minutes. Whoever has it signed checks it first, as `mintByWallet`
 * does. Public; limited by IP.
 * @param callOptions with the digest of the only terms that it is to be good for, where there is one
 */
export async function requestMintToken(
  options: TurnpikeClientOptions,
  { termsSha256, ...callOptions }: CallOptions & { termsSha256?: string } = {},
): Promise<string> {
  const path = termsSha256 === undefined ? MINT_PATH : `${MINT_PATH}?${TERMS_DIGEST_NAME}=${termsSha256}`;
  return (await fitting(tokenAnswer, await exchanger(options)('GET', path, callOptions))).data.token;
}

/**
 * Mints a key for a wallet that holds stake. Public; limited by IP. The key is in this answer and in none after it.
 * @throws GatewayError, of which `mintRefusalOf` says what to do next.
 */
export async function mintKey(
  options: TurnpikeClientOptions,
  request: MintRequest,
  callOptions?: CallOptions,
): Promise<MintedKey> {
  return (
    await fitting(
      mintedAnswer,
      await exchanger(options)('POST', MINT_PATH, { ...callOptions, requestText: JSON.stringify(request) }),
    )
  ).data;
}

/** Why no key was made (spec, "Key minting"). */
export type MintRefusalReason =
  | 'invalid-address'
  | 'token-expired'
  | 'token-not-ours'
  | 'token-of-another-purpose'
  | 'token-malformed'
  | 'signature-mismatch'
  | 'signature-unverified'
  | 'no-stake'
  | 'stake-unreadable'
  | 'too-many-keys'
  | 'invalid-request'
  | 'too-many-requests';

/** What helps: a new token signed anew, signing again by the right wallet, waiting, staking, or changing the request. */
export type MintRemedy = 'new-token' | 'sign-again' | 'wait' | 'stake' | 'revoke-a-key' | 'change-request';

export interface MintRefusal {
  reason: MintRefusalReason;
  remedy: MintRemedy;
}

/** By code, and by the text that the specification demands, for services that have no codes. */
const REFUSALS: readonly { code: ErrorCode; text: RegExp | null; refusal: MintRefusal }[] = [
  {
    code: 'INVALID_WALLET_ADDRESS',
    text: /Invalid wallet address/,
    refusal: { reason: 'invalid-address', remedy: 'change-request' },
  },
  { code: 'MINT_TOKEN_EXPIRED', text: /JWT has expired/, refusal: { reason: 'token-expired', remedy: 'new-token' } },
  {
    code: 'MINT_TOKEN_SIGNATURE_INVALID',
    text: /JWT signature is invalid/,
    refusal: { reason: 'token-not-ours', remedy: 'new-token' },
  },
  {
    code: 'MINT_TOKEN_CLAIMS_INVALID',
    text: /JWT claims are invalid/,
    refusal: { reason: 'token-of-another-purpose', remedy: 'new-token' },
  },
  {
    code: 'MINT_TOKEN_MALFORMED',
    text: /JWT is malformed/,
    refusal: { reason: 'token-malformed', remedy: 'new-token' },
  },
  {
    code: 'WALLET_SIGNATURE_MISMATCH',
    text: /Wallet signature does not match/,
    refusal: { reason: 'signature-mismatch', remedy: 'sign-again' },
  },
  {
    code: 'WALLET_SIGNATURE_UNVERIFIED',
    text: /Could not verify wallet signature/,
    refusal: { reason: 'signature-unverified', remedy: 'wait' },
  },
  {
    code: 'WALLET_HAS_NO_STAKE',
    text: /Wallet has no staked .+ on Base/,
    refusal: { reason: 'no-stake', remedy: 'stake' },
  },
  { code: 'STAKE_UNAVAILABLE', text: null, refusal: { reason: 'stake-unreadable', remedy: 'wait' } },
  { code: 'API_KEY_LIMIT_REACHED', text: null, refusal: { reason: 'too-many-keys', remedy: 'revoke-a-key' } },
  { code: 'INVALID_REQUEST', text: null, refusal: { reason: 'invalid-request', remedy: 'change-request' } },
  { code: 'MINUTE_CAP', text: null, refusal: { reason: 'too-many-requests', remedy: 'wait' } },
  { code: 'CONCURRENT_CALL', text: null, refusal: { reason: 'too-many-requests', remedy: 'wait' } },
];

/** Why a gateway refused to mint, and what helps; null for what is no refusal of minting, as a gateway that is down. */
export function mintRefusalOf(error: unknown): MintRefusal | null {
  if (!(error instanceof GatewayError)) return null;
  const byCode = REFUSALS.find(({ code }) => code === error.detail.code);
  const byText = error.status === 400 ? REFUSALS.find(({ text }) => text?.test(error.message) === true) : undefined;
  return (byCode ?? byText)?.refusal ?? null;
}
