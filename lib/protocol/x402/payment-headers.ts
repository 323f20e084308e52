/** Payment headers in lower case: the current header, then legacy headers (spec, "POST /x402/top-up"). */
export const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'x-402-payment'] as const;
