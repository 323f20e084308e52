/** Names under which a payment may come, in lower case; the first is today's, the others are legacy (spec, "POST /x402/top-up"). */
export const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'x-402-payment'] as const;
