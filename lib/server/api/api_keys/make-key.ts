import { makeKeyRequestSchema, mintTermsOf } from '@/lib/protocol/api-keys/mint-request';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { apiError } from '@/lib/protocol/errors';
import { type KeyHolder, keyHolderOf, requireKeyHolder, requireMayMake } from '../../auth/key-authority';
import { keysFull } from '../../auth/minting/mint-key';
import { showMintedKey } from '../../auth/minting/shown-key';
import { newApiKeySecret } from '../../db/api-keys';
import { askStore } from '../../db/ask-store';
import { makeApiKey } from '../../db/mint-api-key';
import { type Call, json, type Reply } from '../../http/call';
import type { Operation } from '../../http/operation';
import { readJson } from '../../http/json-body';
import { fieldError } from '../../http/validation-error';
import { JSON_REFUSALS } from '../openapi/refusals';
import { alertOf, checkAllowedNetworks, type Webhooks } from './key-terms';
import { KEY_REFUSALS, NO_STORE, TOO_MANY } from './docs';
import { MINTED_EXAMPLE, mintedAnswerSchema } from './generate-web3-key';
import type { Auth } from '../../auth/auth';
import type { Database } from '../../db/schema';
import type { RpcNetworks } from '../../upstreams/nodes/networks';

export const makeKeyDocs: Operation = {
  id: 'makeKey',
  tag: 'API keys',
  summary: 'Make an INFERENCE key',
  description:
    'For an ADMIN key. The new key has at most the scope, limits and expiry of the ADMIN key, and cannot spend what the wallet prepaid. Together, the limits of all keys that one ADMIN key made cannot exceed its own limit. ' +
    'Only this answer shows the key.',
  credentials: ['apiKey'],
  body: {
    schema: makeKeyRequestSchema,
    examples: {
      limited: {
        description: 'customer 42',
        consumptionLimit: { usd: 10 },
        limitPeriod: 'MONTH',
        allow: { endpoints: ['chat'] },
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
      description: 'A field is not valid (with details), or the account has 100 live keys',
      schema: refusedRequestSchema,
      codes: ['API_KEY_LIMIT_REACHED'],
    },
    ...KEY_REFUSALS,
    403: {
      description: 'An INFERENCE key, a wallet, or a key beyond the bounds of the ADMIN key',
      schema: standardErrorSchema,
      codes: ['FORBIDDEN'],
    },
    ...JSON_REFUSALS,
    429: TOO_MANY,
    503: NO_STORE,
  },
};

const BODY_BYTES_MAX = 64 * 1024;

interface KeyMaking {
  auth: Auth;
  db: Database;
  networks: Pick<RpcNetworks, 'described'>;
  webhooks: Webhooks;
  now: () => number;
}

/** POST /api_keys: an ADMIN key makes an INFERENCE key. The new key's limits must not exceed those of the ADMIN key. */
export async function makeKey(call: Call, { networks, webhooks, ...holders }: KeyMaking): Promise<Reply> {
  const { db, now } = holders;
  const { accountId, apiKeyId } = requireAdminKey(await keyHolderOf(call, holders));
  const terms = mintTermsOf({
    ...(await readJson(call, makeKeyRequestSchema, BODY_BYTES_MAX)),
    apiKeyType: 'INFERENCE',
  });
  const at = now();
  if (terms.expiresAt !== null && terms.expiresAt <= at) throw fieldError('expiresAt', 'It is in the past');
  checkAllowedNetworks(terms.allow, networks.described());
  const key = { ...terms, ...alertOf(terms.alert, webhooks.config) };
  const apiKey = newApiKeySecret();
  const made = await askStore(() =>
    makeApiKey(
      db,
      { accountId, by: apiKeyId },
      apiKey,
      (by, together) => {
        requireKeyHolder(by, now());
        requireMayMake(by, key, together);
        return key;
      },
      at,
    ),
  );
  if (typeof made === 'string') throw keysFull(made);
  const webhookSecret = key.webhookUrl === null ? null : webhooks.sender.secretOf(made.id);
  return {
    ...json({ success: true, data: showMintedKey({ apiKey, ...made }, terms, webhookSecret) }),
    isVerbatim: true,
  };
}

/** @throws ApiError 403 for a wallet sign-in, because wallets create their keys at another endpoint */
function requireAdminKey({ accountId, apiKeyId }: KeyHolder): { accountId: number; apiKeyId: number } {
  if (accountId !== null && apiKeyId !== null) return { accountId, apiKeyId };
  throw apiError('FORBIDDEN', {
    message: 'A wallet sign-in cannot create a key at this endpoint.',
    hint: 'Mint a key with the stake of the wallet (POST /api/v1/api_keys/generate_web3_key), or use an ADMIN key.',
  });
}
