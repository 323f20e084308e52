import { type ApiError, apiError } from '@/lib/protocol/errors';
import { SIGN_IN_HEADER, SIGN_IN_LEGACY_HEADER } from '@/lib/protocol/sign-in/payload';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-headers';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import { paymentRequired, paymentRequiredHeader } from './payment-required';
import { signInChallenge } from './sign-in-challenge';
import { askedOrigin } from './sign-in-rules';

/**
 * 402 for a caller without a credential: what may be presented, and what could be paid (spec, "402 bodies",
 * shape A), in the body and as an x402 v2 PaymentRequired object in the PAYMENT-REQUIRED header.
 */
export function discoveryError(call: Call, gateway: Gateway): ApiError {
  const required = paymentRequired(signInChallenge(call, gateway), gateway);
  const origin = askedOrigin(call, gateway);
  const fields = { ...required, authOptions: authOptions(origin), ...misplacedPayment(call, origin) };
  return apiError('PAYMENT_REQUIRED', { fields, headers: paymentRequiredHeader(required) });
}

/** A client of x402 that pays where it is asked would otherwise be asked again without a word. */
function misplacedPayment(call: Call, origin: string): { hint?: string } {
  if (PAYMENT_HEADERS.every((name) => call.header(name) === null)) return {};
  return { hint: `The payment was not taken: payments are taken at POST ${origin}/api/v1/x402/top-up. Then send this request with the wallet's sign-in (${SIGN_IN_HEADER}).` };
}

function authOptions(origin: string): Record<string, Record<string, string>> {
  const docs = `${origin}/api/v1/openapi.json`;
  return {
    apiKey: { header: 'Authorization: Bearer <API_KEY>', getKey: `${origin}/api/v1/api_keys/generate_web3_key`, docs },
    x402Wallet: { header: SIGN_IN_HEADER, legacyHeader: SIGN_IN_LEGACY_HEADER, topUp: `${origin}/api/v1/x402/top-up`, docs },
  };
}
