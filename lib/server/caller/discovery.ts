import { type ApiError, apiError } from '@/lib/protocol/errors';
import { SIGN_IN_HEADER, SIGN_IN_LEGACY_HEADER } from '@/lib/protocol/sign-in/payload';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import { paymentRequired, paymentRequiredHeader } from './payment-required';
import { signInChallenge } from './sign-in-challenge';

/**
 * 402 for a caller without a credential: what may be presented, and what could be paid (spec, "402 bodies",
 * shape A), in the body and as an x402 v2 PaymentRequired object in the PAYMENT-REQUIRED header.
 */
export function discoveryError(call: Call, gateway: Gateway): ApiError {
  const required = paymentRequired(signInChallenge(call.path, gateway), gateway);
  return apiError('PAYMENT_REQUIRED', { fields: { ...required, authOptions: authOptions(gateway.origin) }, headers: paymentRequiredHeader(required) });
}

function authOptions(origin: string): Record<string, Record<string, string>> {
  const docs = `${origin}/api/v1/openapi.json`;
  return {
    apiKey: { header: 'Authorization: Bearer <API_KEY>', getKey: `${origin}/api/v1/api_keys/generate_web3_key`, docs },
    x402Wallet: { header: SIGN_IN_HEADER, legacyHeader: SIGN_IN_LEGACY_HEADER, topUp: `${origin}/api/v1/x402/top-up`, docs },
  };
}
