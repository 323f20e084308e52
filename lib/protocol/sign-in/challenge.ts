import { z } from 'zod';

/** Chain on which a wallet can sign in, and the signature type of its wallets. */
const signInChainSchema = z.object({
  chainId: z.string().describe('CAIP-2'),
  type: z.enum(['eip191', 'eip1271', 'ed25519']),
});

/** Sign-in message that the wallet signs after adding its address (spec, "402 bodies", `siwxChallenge`). */
export const signInChallengeSchema = z
  .object({
    info: z.object({
      domain: z.string(),
      uri: z.string(),
      version: z.string(),
      nonce: z.string(),
      issuedAt: z.string(),
      expirationTime: z.string(),
      statement: z.string(),
    }),
    supportedChains: z.array(signInChainSchema),
  })
  .meta({ id: 'SignInChallenge' });

export type SignInChain = z.output<typeof signInChainSchema>;
export type SignInChallenge = z.output<typeof signInChallengeSchema>;

/** Name of x402's sign-in extension in `extensions`. */
export const SIGN_IN_EXTENSION = 'sign-in-with-x';

const text = { type: 'string' } as const;
const uri = { type: 'string', format: 'uri' } as const;
const dateTime = { type: 'string', format: 'date-time' } as const;

/** JSON Schema of the payload that answers a challenge. x402 extensions include such a schema. */
export const SIGN_IN_PAYLOAD_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri,
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: dateTime,
    expirationTime: dateTime,
    notBefore: dateTime,
    requestId: text,
    resources: { type: 'array', items: uri },
    signature: text,
  },
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
} as const;
