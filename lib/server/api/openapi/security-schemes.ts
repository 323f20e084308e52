/** The mark by which catalogues of paid endpoints tell a wallet's signature from a key that has to be bought first. */
const BY_WALLET = { 'x-agentcash-auth-kind': 'siwx' } as const;

/**
 * The credentials of the API description, each enough by itself. The key is not named `apiKey`: readers that look for
 * that name take every paid endpoint for one that wants a key beside the payment.
 */
export const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An API key. Keys are opaque: nothing parses them.',
  },
  signInWithX: {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    description:
      'Base64 of JSON that holds a signed sign-in message (EIP-4361; CAIP-122 for Solana): {address, message, signature, timestamp, chainId, type?}, or the fields of the x402 extension sign-in-with-x. May be sent again until the message expires. X-Sign-In-With-X is its legacy name.',
    ...BY_WALLET,
  },
  payment: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description:
      'Base64 of an x402 payment over one of the "accepts" of the 402 that the same request got without it. It pays for this request once; what the request does not use stays the balance of the wallet that signed it. X-PAYMENT is its name of x402 v1.',
    ...BY_WALLET,
  },
} as const;

/** Names in the description of what operations call by their own. */
export const SCHEME_OF = { apiKey: 'bearerKey', signInWithX: 'signInWithX' } as const;
