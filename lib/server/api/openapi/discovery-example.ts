import { ERRORS } from '@/lib/protocol/errors';
import { authOptions } from '../../auth/payment-challenge';

const ORIGIN = 'https://gateway.example';

/** Example of the 402 for a caller without a credential. The call costs at most 0.01 USD. */
export const DISCOVERY_EXAMPLE = {
  x402Version: 2,
  error: 'Payment required. Sign one of "accepts" and send the request again with it in the PAYMENT-SIGNATURE header.',
  code: 'PAYMENT_REQUIRED',
  hint: ERRORS.PAYMENT_REQUIRED.hint,
  resource: {
    url: `${ORIGIN}/api/v1/crypto/rpc/ethereum-mainnet`,
    description: 'Forward a JSON-RPC 2.0 request, or a batch of up to 100',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '10000',
      payTo: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2', paymentFlow: 'upfront' },
    },
  ],
  authOptions: authOptions(ORIGIN),
};
