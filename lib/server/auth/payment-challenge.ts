import { type ApiError, apiError, ERRORS } from '@/lib/protocol/errors';
import { spokenUsd } from '@/lib/protocol/pricing';
import { SIGN_IN_EXTENSION, SIGN_IN_PAYLOAD_SCHEMA, type SignInChallenge } from '@/lib/protocol/sign-in/challenge';
import { SIGN_IN_HEADER, SIGN_IN_LEGACY_HEADER } from '@/lib/protocol/sign-in/payload';
import { PAYMENT_IDENTIFIER, PAYMENT_IDENTIFIER_DECLARATION } from '@/lib/protocol/x402/presented-payment';
import {
  type Caip2,
  PAYMENT_HEADERS,
  type PaymentRequired,
  paymentRequired,
  paymentRequiredV1,
  type PaymentRequirements,
  type Resource,
} from '@/lib/protocol/x402/payment-required';
import type { Call } from '../http/call';
import { askedOrigin, type GatewayRules, signInChallenge } from './sign-in-rules';

/** Chain that the top-up instructions state (spec, "402 bodies"). */
const INSTRUCTED_RAIL = 'base';
const USDC_DECIMALS = 6;

const RESOURCE =
  'A call, paid by this payment, by an API key or from the prepaid balance of a wallet. The unused part of a payment is credited to the wallet';
const PAY_HINT =
  'Sign one of "accepts" and send the request again with the payment in the PAYMENT-SIGNATURE header. Or send "Authorization: Bearer <API_KEY>", or sign in with a prepaid wallet (SIGN-IN-WITH-X).';

const KEY_HINT =
  'Send "Authorization: Bearer <API_KEY>". This gateway accepts no payments: its operator gives out keys.';

export const FREE_HINT =
  'This endpoint is free and accepts no payment. Send "Authorization: Bearer <API_KEY>", or sign in with the wallet that paid (SIGN-IN-WITH-X).';

type AskedCall = Pick<Call, 'path' | 'header' | 'query'>;

export interface SoldResource extends Omit<Resource, 'url'> {
  /** Extension for catalogues (x402, "bazaar"). */
  readonly bazaar?: object;
  /** Why the path sells nothing now. */
  readonly warning?: string | undefined;
}

export interface TopUpOffer {
  readonly minimumTopUpUsd: number;
  readonly suggestedTopUpUsd: number;
  readonly terms: readonly TopUpTerms[];
  /** Returns x402 payment requirements for an amount, or for the minimum payment if none is given. */
  accepts(options?: { amountNanoUsd?: number }): PaymentRequirements[];
}

interface TopUpTerms {
  network: Caip2;
  name: string;
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

interface PaymentChallengeSettings {
  rules: GatewayRules;
  offer: TopUpOffer;
  /** Minimum payment that a call may carry, in nano-USD; null if calls accept no payment. */
  perCallMinimumNanoUsd: number | null;
  /** Returns the product that a path sells; null if it sells none. */
  soldAt: (path: string) => SoldResource | null;
  now: () => number;
}

/** Builds the 402 of paid endpoints (spec, "402 bodies"). */
export class PaymentChallenge {
  constructor(private readonly settings: PaymentChallengeSettings) {}

  /**
   * Builds the 402 for a caller without a credential (shape A). The body and the PAYMENT-REQUIRED header (x402 v2) list
   * the accepted credentials and payments.
   * @param costNanoUsd maximum cost of the call or batch; null if unknown
   */
  discovery(call: AskedCall, costNanoUsd: number | null, { isFree = false } = {}): ApiError {
    const { required } = this.#required(call, costNanoUsd);
    const origin = askedOrigin(call, this.settings.rules);
    const hint = isFree ? FREE_HINT : this.#hint(call, origin);
    // Programs that do not know x402 show only the field `error`.
    const fields = {
      ...this.#asAsked(required, call),
      error: isFree ? hint : `Payment required. ${hint}`,
      authOptions: authOptions(origin),
      hint,
    };
    // x402 clients read PAY_HINT in the body, so the reason phrase of the status line keeps the error's standard hint.
    const reason = hint === PAY_HINT ? {} : { hint };
    return apiError('PAYMENT_REQUIRED', { ...reason, fields, headers: paymentRequiredHeader(required) });
  }

  /** Builds the 402 for a payment that is lower than its call's cost. States that the payment was not settled. */
  paymentTooSmall(call: AskedCall, paidNanoUsd: number, costNanoUsd: number): ApiError {
    const { required } = this.#required(call, costNanoUsd);
    const message = `The payment is ${spokenUsd(paidNanoUsd)} USD, and this request can cost ${spokenUsd(costNanoUsd)} USD.`;
    const hint =
      'The payment was not taken. Sign one for the amount in "accepts". The unused part is credited to the wallet.';
    const fields = {
      ...this.#asAsked(required, call),
      error: `${message} ${hint}`,
      reason: 'payment_too_small',
      authOptions: authOptions(askedOrigin(call, this.settings.rules)),
    };
    return apiError('PAYMENT_REQUIRED', {
      message,
      hint,
      fields,
      headers: paymentRequiredHeader({ ...required, error: message }),
    });
  }

  /**
   * Builds the 402 for a signed-in wallet whose balance is too low (shape B). The PAYMENT-REQUIRED header lists
   * accepted payments.
   */
  insufficientBalance(call: AskedCall, spendableNanoUsd: number, costNanoUsd: number | null): ApiError {
    const { offer, rules } = this.settings;
    const { challenge, required } = this.#required(call, costNanoUsd);
    const topUp = `${askedOrigin(call, rules)}/api/v1/x402/top-up`;
    const cost = costNanoUsd === null ? '' : `; this request can cost ${spokenUsd(costNanoUsd)} USD`;
    return apiError('PAYMENT_REQUIRED', {
      hint: `Top up at least ${offer.minimumTopUpUsd} USD in USDC: POST ${topUp} returns the instructions.`,
      fields: {
        ...(isV1(call) ? paymentRequiredV1(required, offer.terms) : {}),
        error: ERRORS.PAYMENT_REQUIRED.error,
        reason: 'insufficient_balance',
        message: `The wallet has ${spokenUsd(spendableNanoUsd)} USD prepaid${cost}.`,
        currentBalanceUsd: spendableNanoUsd / 1e9,
        ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
        description: 'Calls with a wallet sign-in are charged to the USDC that the wallet has prepaid (x402).',
        suggestedTopUpUsd: offer.suggestedTopUpUsd,
        minimumTopUpUsd: offer.minimumTopUpUsd,
        supportedTokens: [...new Set(offer.terms.map(({ symbol }) => symbol))],
        supportedChains: offer.terms.map(({ name }) => name),
        topUpInstructions: instructions(
          topUp,
          offer.minimumTopUpUsd,
          offer.terms.find(({ name }) => name === INSTRUCTED_RAIL) ?? offer.terms[0],
        ),
        siwxChallenge: challenge,
      },
      headers: paymentRequiredHeader(required),
    });
  }

  #asAsked(required: PaymentRequired, call: AskedCall): object {
    return isV1(call) ? paymentRequiredV1(required, this.settings.offer.terms) : required;
  }

  #hint(call: AskedCall, origin: string): string {
    const { warning } = this.settings.soldAt(call.path) ?? {};
    if (warning !== undefined) return warning;
    if (this.settings.offer.terms.length === 0) return KEY_HINT;
    if (this.settings.perCallMinimumNanoUsd !== null) return PAY_HINT;
    const isMisplaced = PAYMENT_HEADERS.some((name) => call.header(name) !== null);
    // Without this hint, an x402 client that pays with the call would receive the same 402 again.
    return isMisplaced
      ? `The payment was not taken. Send it to POST ${origin}/api/v1/x402/top-up, then send this request with a wallet sign-in (${SIGN_IN_HEADER}).`
      : ERRORS.PAYMENT_REQUIRED.hint;
  }

  #required(
    call: AskedCall,
    costNanoUsd: number | null,
  ): { challenge: SignInChallenge; required: PaymentRequired & { extensions: Record<string, unknown> } } {
    const { rules, offer, perCallMinimumNanoUsd, soldAt, now } = this.settings;
    const challenge = signInChallenge(call, rules, now());
    const isForTopUp = perCallMinimumNanoUsd === null && offer.terms.length > 0;
    const {
      bazaar = null,
      warning: _,
      ...sold
    } = (isForTopUp ? null : soldAt(call.path)) ?? {
      description: RESOURCE,
      mimeType: 'application/json',
    };
    const resource = isForTopUp ? topUpResource(askedOrigin(call, rules)) : { url: challenge.info.uri, ...sold };
    const accepts =
      perCallMinimumNanoUsd === null
        ? offer.accepts()
        : offer.accepts({ amountNanoUsd: Math.max(costNanoUsd ?? 0, perCallMinimumNanoUsd) }).map(settledUpfront);
    return {
      challenge,
      required: {
        ...paymentRequired(resource, accepts),
        extensions: {
          [SIGN_IN_EXTENSION]: { ...challenge, schema: SIGN_IN_PAYLOAD_SCHEMA },
          ...(accepts.length === 0 ? {} : { [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_DECLARATION }),
          ...(bazaar === null ? {} : { bazaar }),
        },
      },
    };
  }
}

export function authOptions(origin: string): Record<string, Record<string, string>> {
  const docs = `${origin}/api/v1/openapi.json`;
  return {
    apiKey: { header: 'Authorization: Bearer <API_KEY>', getKey: `${origin}/api/v1/api_keys/generate_web3_key`, docs },
    x402Wallet: {
      header: SIGN_IN_HEADER,
      legacyHeader: SIGN_IN_LEGACY_HEADER,
      topUp: `${origin}/api/v1/x402/top-up`,
      docs,
    },
  };
}

export function paymentRequiredHeader(required: PaymentRequired): Record<string, string> {
  return { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') };
}

/**
 * Tells clients that a payment is settled before the work (x402 2.27, `extra.paymentFlow`). Otherwise they assume that
 * a failed call costs nothing.
 */
function settledUpfront(requirements: PaymentRequirements): PaymentRequirements {
  return { ...requirements, extra: { ...requirements.extra, paymentFlow: 'upfront' } };
}

function isV1({ query }: AskedCall): boolean {
  return query.get('x402Version') === '1';
}

function topUpResource(origin: string) {
  return {
    url: `${origin}/api/v1/x402/top-up`,
    description: 'Prepaid balance of a wallet, which its calls spend',
    mimeType: 'application/json',
  };
}

function instructions(
  topUp: string,
  minimumAmountUsd: number,
  rail: TopUpTerms | undefined,
): Record<string, string | number> {
  return {
    step1: `POST ${topUp} without a payment header, and choose one of the "accepts" entries of the 402 answer.`,
    step2:
      'Sign exactly that payment with the wallet: an EIP-3009 authorization on EVM chains, a transaction on Solana.',
    step3: `POST ${topUp} again with the payment in the PAYMENT-SIGNATURE header, then repeat this request.`,
    receiverWallet: rail?.payTo ?? '',
    tokenAddress: rail?.asset ?? '',
    tokenDecimals: rail?.decimals ?? USDC_DECIMALS,
    network: rail?.name ?? INSTRUCTED_RAIL,
    minimumAmountUsd,
  };
}
