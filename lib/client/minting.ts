import { TERMS_DIGEST_NAME } from '@/lib/protocol/api-keys/mint-token';
import type { ErrorCode } from '@/lib/protocol/errors';
import type { MintRequest } from '@/lib/protocol/api-keys/mint-request';
import { checked, number, object, optional, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';
import { GatewayError } from './gateway-error';

export type { MintRequest };

/** GET returns a mint token to sign; POST mints the API key. */
export const MINT_PATH = '/api/v1/api_keys/generate_web3_key';

const HEADER_TEXT = /^[\x21-\x7e]{1,1024}$/;
const headerText = checked(
  'a text that a header can contain',
  (value): value is string => typeof value === 'string' && HEADER_TEXT.test(value),
);

const tokenAnswer = object({ data: object({ token: text }) });

const mintedAnswer = object({
  data: object({ apiKey: headerText, id: headerText, prepaidLimitUsd: optional(number) }),
});

export type MintedKey = ReturnType<typeof mintedAnswer>['data'];

/**
 * Requests a mint token, valid for 15 minutes. Callers must validate the token before signing (`mintByWallet` does).
 * Public; rate-limited by client address.
 *
 * @param callOptions `termsSha256`: digest of the key's terms. The token is then valid only for these terms
 */
export async function requestMintToken(
  options: TurnpikeClientOptions,
  { termsSha256, ...callOptions }: CallOptions & { termsSha256?: string } = {},
): Promise<string> {
  const path = termsSha256 === undefined ? MINT_PATH : `${MINT_PATH}?${TERMS_DIGEST_NAME}=${termsSha256}`;
  return (await fitting(tokenAnswer, await exchanger(options)('GET', path, callOptions))).data.token;
}

/**
 * Mints an API key for a wallet that has stake. Public; rate-limited by client address. The gateway never shows the key
 * again.
 *
 * @throws {GatewayError}, for which `mintRefusalOf` returns the remedy
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

/** Why the gateway minted no API key (spec, "Key minting"). */
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

export type MintRemedy = 'new-token' | 'sign-again' | 'wait' | 'stake' | 'revoke-a-key' | 'change-request';

export interface MintRefusal {
  reason: MintRefusalReason;
  remedy: MintRemedy;
}

/** Refusals by error code. An answer without a code is recognized by the specification's text. */
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

/** Returns why a gateway refused to mint, with the remedy. Null for other errors, such as an outage. */
export function mintRefusalOf(error: unknown): MintRefusal | null {
  if (!(error instanceof GatewayError)) return null;
  const byCode = REFUSALS.find(({ code }) => code === error.detail.code);
  const byText = error.status === 400 ? REFUSALS.find(({ text }) => text?.test(error.message) === true) : undefined;
  return (byCode ?? byText)?.refusal ?? null;
}
