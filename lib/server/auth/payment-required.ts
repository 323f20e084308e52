import { SIGN_IN_EXTENSION, SIGN_IN_PAYLOAD_SCHEMA, type SignInChallenge } from '@/lib/protocol/sign-in/challenge';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Gateway } from '../gateway';

const X402_VERSION = 2;

/** What x402 v2 says of a payment that is missing. */
export interface PaymentRequired {
  x402Version: number;
  error: string;
  resource: { url: string; description: string; mimeType: string };
  accepts: PaymentRequirements[];
  extensions: Record<string, unknown>;
}

/** What could be paid for the call that a challenge is for; the challenge with it. Short enough for a header, whatever the path. */
export function paymentRequired(challenge: SignInChallenge, { rails }: Pick<Gateway, 'rails'>): PaymentRequired {
  return {
    x402Version: X402_VERSION,
    error: 'Payment required',
    resource: {
      url: challenge.info.uri,
      description: 'Prepaid call, charged to an API key or to a wallet balance',
      mimeType: 'application/json',
    },
    accepts: rails.accepts(),
    extensions: { [SIGN_IN_EXTENSION]: { ...challenge, schema: SIGN_IN_PAYLOAD_SCHEMA } },
  };
}

/** The PAYMENT-REQUIRED header. */
export function paymentRequiredHeader(required: PaymentRequired): Record<string, string> {
  return { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') };
}
