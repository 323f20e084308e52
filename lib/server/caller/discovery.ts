import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';

const X402_VERSION = 2;

/**
 * 402 for a caller without a credential: what may be presented, and what could be paid (spec, "402 bodies",
 * shape A), in the body and as an x402 v2 PaymentRequired object in the PAYMENT-REQUIRED header.
 */
export function discoveryError(call: Call, { origin }: Gateway): ApiError {
  const required = {
    x402Version: X402_VERSION,
    error: 'Payment required',
    resource: {
      url: origin + call.path,
      description: 'Prepaid call, charged to an API key or to a wallet balance',
      mimeType: 'application/json',
    },
    accepts: [],
  };
  const authOptions = {
    apiKey: {
      header: 'Authorization: Bearer <API_KEY>',
      getKey: `${origin}/api/v1/api_keys/generate_web3_key`,
      docs: `${origin}/api/v1/openapi.json`,
    },
    x402Wallet: {
      header: 'SIGN-IN-WITH-X',
      legacyHeader: 'X-Sign-In-With-X',
      topUp: `${origin}/api/v1/x402/top-up`,
      docs: `${origin}/api/v1/openapi.json`,
    },
  };
  return apiError('PAYMENT_REQUIRED', {
    fields: { ...required, authOptions },
    headers: { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') },
  });
}
