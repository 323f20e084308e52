/** Marks a wallet signature, which catalogues of paid endpoints otherwise mistake for a key that must be bought. */
const BY_WALLET = { 'x-agentcash-auth-kind': 'siwx' } as const;

/**
 * Credentials, of which one is sufficient. The scheme of API keys is not named `apiKey`, because some readers then
 * assume that a paid endpoint needs both a key and a payment.
 */
export const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An API key, which is an opaque string.',
  },
  signInWithX: {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    description:
      'Base64 of JSON that holds a signed sign-in message (EIP-4361; CAIP-122 for Solana): {address, message, signature, timestamp, chainId, type?}, or the fields of the x402 extension sign-in-with-x. The header can be sent again until the message expires. Its legacy name is X-Sign-In-With-X.',
    ...BY_WALLET,
  },
  payment: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description:
      'Base64 of an x402 payment for one of the "accepts" in the 402 of the same request. It pays for this request once, and the unused part is credited to the wallet that signed it. X-PAYMENT is the x402 v1 name.',
    ...BY_WALLET,
  },
} as const;

/** Names of the operations' credentials in the API description. */
export const SCHEME_OF = { apiKey: 'bearerKey', signInWithX: 'signInWithX' } as const;
