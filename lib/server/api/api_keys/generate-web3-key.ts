import { z } from 'zod';
import { TERMS_DIGEST_FORM, TERMS_DIGEST_NAME } from '@/lib/protocol/api-keys/mint-token';
import { termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { mintRequestSchema, mintTermsOf } from '@/lib/protocol/api-keys/mint-request';
import { mintedKeySchema } from '@/lib/protocol/api-keys/terms';
import { detailedErrorSchema, refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { showMintedKey } from '../../auth/minting/shown-key';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { readJson, readQuery } from '../../http/json-body';
import { fieldError } from '../../http/validation-error';
import { faultyField, JSON_REFUSALS } from '../openapi/refusals';
import { alertOf, checkAllowedNetworks, type Webhooks } from './key-terms';
import { TOO_MANY } from './docs';
import { type Mint, mintKey } from '../../auth/minting/mint-key';
import type { MintTokens } from '../../auth/minting/mint-tokens';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import { askedOrigin, type GatewayRules } from '../../auth/sign-in-rules';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';
import type { RpcNetworks } from '../../upstreams/nodes/networks';

const NO_DIGEST = 'Must be a SHA-256 in 64 lower-case hex digits';
const digestSchema = z.string().regex(TERMS_DIGEST_FORM, NO_DIGEST);
const mintTokenQuery = z.object({ [TERMS_DIGEST_NAME]: digestSchema.optional() });

const mintTokenSchema = z
  .object({ success: z.literal(true), data: z.object({ token: z.string() }) })
  .meta({ id: 'MintToken' });

export const mintedAnswerSchema = z
  .object({ success: z.literal(true), data: mintedKeySchema })
  .meta({ id: 'MintAnswer' });

export const MINTED_EXAMPLE = {
  apiKey: 'tpk_3q2J8vYw0mZ5t1sXc9bN4kLr7hQdFgPeUaTiRoVy6Wx',
  apiKeyType: 'INFERENCE',
  consumptionLimit: { usd: 10, diem: null },
  limitPeriod: 'MONTH',
  description: 'bot',
  expiresAt: '2027-01-31T23:59:59.999Z',
  id: '17',
};

const mintTokenDocs: Operation = {
  id: 'requestMintToken',
  tag: 'API keys',
  summary: 'Get a token for minting an API key',
  description:
    'A signed JWT that is valid for 15 minutes. Its claim "origin" is the origin of this request: do not sign a token with another origin. The wallet signs the raw token text with personal_sign. ' +
    'Public; limited by client address.',
  credentials: [],
  parameters: [
    {
      name: TERMS_DIGEST_NAME,
      in: 'query',
      required: false,
      description:
        'SHA-256, in lower-case hex, of the canonical JSON (RFC 8785) of the later POST body, without address, signature and token. The token then mints a key only on these terms',
      schema: digestSchema,
    },
  ],
  responses: {
    200: {
      description: 'The token',
      schema: mintTokenSchema,
      examples: {
        token: { success: true, data: { token: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTU2MDAwMDB9.c2lnbmF0dXJl' } },
      },
    },
    400: {
      description: 'An invalid digest',
      schema: detailedErrorSchema,
      examples: { digest: faultyField(TERMS_DIGEST_NAME, NO_DIGEST) },
    },
    429: TOO_MANY,
  },
};

const mintKeyDocs: Operation = {
  id: 'mintKey',
  tag: 'API keys',
  summary: 'Mint an API key for a wallet that holds stake',
  description:
    'The wallet must hold a non-zero balance in the staking contract. The token signed by the wallet is the credential. ' +
    'Only this answer shows the key. Unknown fields are refused. Public; limited by client address.',
  credentials: [],
  body: {
    schema: mintRequestSchema,
    examples: {
      inference: {
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        signature: '0x…',
        token: 'eyJ…',
        apiKeyType: 'INFERENCE',
      },
      limited: {
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        signature: '0x…',
        token: 'eyJ…',
        apiKeyType: 'INFERENCE',
        description: 'bot',
        expiresAt: '2027-01-31',
        consumptionLimit: { usd: 10, diem: null },
        limitPeriod: 'MONTH',
      },
    },
  },
  responses: {
    200: {
      description: 'The key',
      schema: mintedAnswerSchema,
      examples: { key: { success: true, data: MINTED_EXAMPLE } },
    },
    400: {
      description:
        'The body is not valid (with details); Invalid wallet address; JWT has expired; JWT signature is invalid; JWT claims are invalid; JWT is malformed; ' +
        'Wallet signature does not match; Could not verify wallet signature (try again); Wallet has no staked token on Base; or the account has 100 live keys',
      schema: refusedRequestSchema,
      codes: ['INVALID_WALLET_ADDRESS', 'MINT_TOKEN_EXPIRED', 'WALLET_SIGNATURE_MISMATCH', 'WALLET_HAS_NO_STAKE'],
    },
    ...JSON_REFUSALS,
    429: TOO_MANY,
    503: {
      description: 'The staked balance or the database could not be read; no key was made',
      schema: standardErrorSchema,
      codes: ['STAKE_UNAVAILABLE'],
      headers: { 'Retry-After': 'Seconds to wait' },
    },
  },
};

/** Leaves room for an ERC-6492 signature, which contains the code that deploys the wallet. */
const BODY_BYTES_MAX = 64 * 1024;

interface MintingParts {
  minting: Mint;
  tokens: Pick<MintTokens, 'issue'>;
  allocations: Pick<DailyAllocations, 'lookAgain'>;
  networks: Pick<RpcNetworks, 'described'>;
  webhooks: Webhooks;
  addressLimiter: AddressLimiter;
  rules: Pick<GatewayRules, 'origin' | 'originsByHost'>;
  now: () => number;
}

export const mintRoute: Route = {
  path: '/api/v1/api_keys/generate_web3_key',
  docs: { GET: mintTokenDocs, POST: mintKeyDocs },
};

/**
 * GET /api_keys/generate_web3_key returns a token for a wallet to sign. POST exchanges the signed token for an API key
 * (spec, "Web3 key minting"). Public, rate-limited by client address.
 */
export function generateWeb3Key({
  minting,
  tokens,
  allocations,
  networks,
  webhooks,
  addressLimiter,
  rules,
  now,
}: MintingParts): Endpoint {
  return {
    ...mintRoute,
    GET: async (call) => {
      addressLimiter.take(call.clientIp);
      const { termsSha256 } = readQuery(call, mintTokenQuery);
      const token = await tokens.issue(now(), {
        origin: askedOrigin(call, rules),
        ...(termsSha256 !== undefined && { termsSha256 }),
      });
      return json({ success: true, data: { token } });
    },
    POST: async (call) => {
      addressLimiter.take(call.clientIp);
      const request = await readJson(call, mintRequestSchema, BODY_BYTES_MAX);
      const at = now();
      const terms = mintTermsOf(request);
      if (terms.expiresAt !== null && terms.expiresAt <= at) throw fieldError('expiresAt', 'It is in the past');
      checkAllowedNetworks(terms.allow, networks.described());
      const budget = { allow: terms.allow, ...alertOf(terms.alert, webhooks.config) };
      const minted = await mintKey(
        minting,
        { ...request, termsSha256: termsDigest(request) },
        { ...terms, ...budget },
        call,
        at,
      );
      // Lets the next call read the stake again. An older stake would leave the new key without an allocation.
      allocations.lookAgain(minted.accountId);
      return {
        ...json({
          success: true,
          data: showMintedKey(minted, terms, budget.webhookUrl === null ? null : webhooks.sender.secretOf(minted.id)),
        }),
        isVerbatim: true,
      };
    },
  };
}
