import { z } from 'zod';
import { detailedErrorSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { mintRequestSchema } from '@/lib/protocol/api-keys/mint-request';
import { keyPageSchema, mintedKeySchema } from '@/lib/protocol/api-keys/terms';
import type { Operation } from '../../http/operation';
import { JSON_REFUSALS, RATE_LIMIT_HEADERS } from '../openapi/refusals';

const TOO_MANY = { description: 'Too many requests', schema: standardErrorSchema, headers: RATE_LIMIT_HEADERS };
const NO_STORE = { description: 'The gateway cannot reach its database; nothing was changed', schema: standardErrorSchema };

/** GET /api_keys/generate_web3_key in the API description. */
export const mintTokenDocs: Operation = {
  id: 'requestMintToken',
  summary: 'Ask for a token to mint an API key with',
  description: 'A signed JWT that holds for 15 minutes. The wallet signs its raw text with personal_sign. Public; limited by client address.',
  credentials: [],
  responses: {
    200: { description: 'The token', schema: z.object({ success: z.literal(true), data: z.object({ token: z.string() }) }) },
    429: TOO_MANY,
  },
};

/** POST /api_keys/generate_web3_key in the API description. */
export const mintKeyDocs: Operation = {
  id: 'mintKey',
  summary: 'Mint an API key for a wallet that holds stake',
  description:
    'The wallet must hold a non-zero balance in the staking contract. The token, signed by the wallet, stands for a credential. ' +
    'The key is in this answer and in none after it. Unknown fields are refused. Public; limited by client address.',
  credentials: [],
  body: {
    schema: mintRequestSchema,
    examples: {
      inference: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', signature: '0x…', token: 'eyJ…', apiKeyType: 'INFERENCE' },
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
    200: { description: 'The key', schema: z.object({ success: z.literal(true), data: mintedKeySchema }) },
    400: {
      description:
        'A body that is not as described (with details); Invalid wallet address; JWT has expired; JWT signature is invalid; JWT claims are invalid; JWT is malformed; ' +
        'Wallet signature does not match; Could not verify wallet signature (try again); Wallet has no staked token on Base; or the account has 100 live keys',
      schema: z.union([detailedErrorSchema, standardErrorSchema]),
    },
    ...JSON_REFUSALS,
    429: TOO_MANY,
    503: { description: 'The staked balance, or the database, could not be read; no key was made', schema: standardErrorSchema, headers: { 'Retry-After': 'Seconds to wait' } },
  },
};

const NOT_THEIRS = {
  401: { description: 'No credential, or one that does not hold', schema: standardErrorSchema },
  403: { description: 'An INFERENCE key, which may not do this', schema: standardErrorSchema },
};

/** GET /api_keys in the API description. */
export const listKeysDocs: Operation = {
  id: 'listKeys',
  summary: 'List the API keys of the account',
  description: 'Newest first, without the keys themselves. For an ADMIN key, or a wallet sign-in for its own account.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    { name: 'limit', in: 'query', required: false, description: 'Keys of a page, 1 to 100; 100 unless given', schema: z.int().min(1).max(100) },
    { name: 'offset', in: 'query', required: false, description: 'Keys to pass over; 0 unless given', schema: z.int().min(0).max(1_000_000) },
    { name: 'includeRevoked', in: 'query', required: false, description: 'true: also those that were revoked', schema: z.enum(['true', 'false']) },
  ],
  responses: {
    200: { description: 'A page of keys', schema: keyPageSchema },
    400: { description: 'A parameter is not valid', schema: detailedErrorSchema },
    ...NOT_THEIRS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

/** DELETE /api_keys in the API description. */
export const revokeKeyDocs: Operation = {
  id: 'revokeKey',
  summary: 'Revoke an API key',
  description:
    'For good, with its next request. For an ADMIN key, which may revoke itself, or a wallet sign-in, of the same account. A key that is revoked already stays so, and the answer is the same.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [{ name: 'id', in: 'query', required: true, description: 'The id that the list shows', schema: z.string() }],
  responses: {
    200: { description: 'The key is revoked', schema: z.object({ success: z.literal(true) }) },
    400: { description: 'No id', schema: detailedErrorSchema },
    ...NOT_THEIRS,
    404: { description: 'The account has no key with this id', schema: standardErrorSchema },
    429: TOO_MANY,
    503: NO_STORE,
  },
};
