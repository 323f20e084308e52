import { type ApiError, apiError, ERRORS } from '@/lib/protocol/errors';
import { spokenUsd } from '@/lib/protocol/pricing';
import { SIGN_IN_EXTENSION, SIGN_IN_PAYLOAD_SCHEMA, type SignInChallenge } from '@/lib/protocol/sign-in/challenge';
import { SIGN_IN_HEADER, SIGN_IN_LEGACY_HEADER } from '@/lib/protocol/sign-in/payload';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-headers';
import {
  type PaymentRequired,
  paymentRequired,
  paymentRequiredV1,
  type Resource,
} from '@/lib/protocol/x402/payment-required';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Call } from '../http/call';
import { signInChallenge } from './sign-in-challenge';
import { askedOrigin, type GatewayRules } from './sign-in-rules';

/** The chain whose rail the top-up instructions describe (spec, "402 bodies"). */
const INSTRUCTED_RAIL = 'base';
const USDC_DECIMALS = 6;

const RESOURCE =
  'A call, paid by this payment, an API key or the prepaid balance of a wallet; what it does not use of a payment stays the balance of the wallet';
const PAY_HINT =
  'Sign one of "accepts" and send the request again with it in the PAYMENT-SIGNATURE header; or send "Authorization: Bearer <API_KEY>", or the sign-in of a wallet that has prepaid (SIGN-IN-WITH-X).';

/** What of a call its 402 depends on. */
export type AskedCall = Pick<Call, 'path' | 'header' | 'query'>;

/** What is sold at a path, in words for people and catalogues. */
export interface SoldResource extends Omit<Resource, 'url'> {
  /** The extension by which catalogues of x402 resources learn how it is called (x402, "bazaar"). */
  readonly bazaar: object;
}

/** Where prepaid money comes in, as those who are asked for it have to know it. */
export interface TopUpOffer {
  readonly minimumTopUpUsd: number;
  readonly suggestedTopUpUsd: number;
  readonly terms: readonly TopUpTerms[];
  /** The ways to pay this amount, or the least that tops up, as x402 lists them. */
  accepts(options?: { amountNanoUsd?: number }): PaymentRequirements[];
}

export interface TopUpTerms {
  /** CAIP-2. */
  network: Caip2;
  /** Short name of the chain. */
  name: string;
  /** Address of the token. */
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

export interface PaymentChallengeSettings {
  rules: GatewayRules;
  offer: TopUpOffer;
  /** The least that is paid with a call, in nano-USD; null where calls are paid for from a balance alone. */
  perCallMinimumNanoUsd: number | null;
  /** What is sold at a path; null for one where nothing is. */
  soldAt: (path: string) => SoldResource | null;
  now: () => number;
}

/** The 402 answers of endpoints that are paid for (spec, "402 bodies"). */
export class PaymentChallenge {
  constructor(private readonly settings: PaymentChallengeSettings) {}

  /**
   * For a caller without a credential: what may be presented, and what could be paid (shape A), in the body and as an
   * x402 v2 PaymentRequired object in the PAYMENT-REQUIRED header.
   * @param costNanoUsd the most that the call, or batch, can cost; null where that is not known.
   */
  discovery(call: AskedCall, costNanoUsd: number | null): ApiError {
    const { required } = this.#required(call, costNanoUsd);
    const origin = askedOrigin(call, this.settings.rules);
    const hint = this.#hint(call, origin);
    // Programs that know nothing of x402 show `error` alone.
    const fields = {
      ...this.#asAsked(required, call),
      error: `Payment required. ${hint}`,
      authOptions: authOptions(origin),
      hint,
    };
    return apiError('PAYMENT_REQUIRED', { fields, headers: paymentRequiredHeader(required) });
  }

  /** For a payment that came with a call and does not cover it: nothing of it was taken. The rest is as in `discovery`. */
  paymentTooSmall(call: AskedCall, paidNanoUsd: number, costNanoUsd: number): ApiError {
    const { required } = this.#required(call, costNanoUsd);
    const message = `The payment is over ${spokenUsd(paidNanoUsd)} USD, and this request can cost ${spokenUsd(costNanoUsd)} USD.`;
    const hint =
      'The payment was not taken. Sign one over the amount in "accepts"; what the request does not use stays the balance of the wallet.';
    const fields = {
      ...this.#asAsked({ ...required, error: message }, call),
      hint,
      reason: 'payment_too_small',
      authOptions: authOptions(askedOrigin(call, this.settings.rules)),
    };
    return apiError('PAYMENT_REQUIRED', {
      message,
      fields,
      headers: paymentRequiredHeader({ ...required, error: message }),
    });
  }

  /**
   * For a wallet that signed in and has too little prepaid (shape B), with what is there to pay in the PAYMENT-REQUIRED
   * header too.
   * @param spendableNanoUsd what the wallet can spend.
   * @param costNanoUsd the most that the call, or batch, can cost; null where that is not known.
   */
  insufficientBalance(call: AskedCall, spendableNanoUsd: number, costNanoUsd: number | null): ApiError {
    const { offer, rules } = this.settings;
    const { challenge, required } = this.#required(call, costNanoUsd);
    const topUp = `${askedOrigin(call, rules)}/api/v1/x402/top-up`;
    const cost = costNanoUsd === null ? '' : `; this request can cost ${spokenUsd(costNanoUsd)} USD`;
    return apiError('PAYMENT_REQUIRED', {
      fields: {
        ...(isV1(call) ? paymentRequiredV1(required, offer.terms) : {}),
        error: ERRORS.PAYMENT_REQUIRED.error,
        hint: `Top up at least ${offer.minimumTopUpUsd} USD in USDC: POST ${topUp} tells how.`,
        reason: 'insufficient_balance',
        message: `The wallet has ${spokenUsd(spendableNanoUsd)} USD prepaid${cost}.`,
        currentBalanceUsd: spendableNanoUsd / 1e9,
        ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
        description: 'Calls of a wallet are charged to what it prepaid in USDC (x402).',
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

  /** In the form of x402 that the query asks for. */
  #asAsked(required: PaymentRequired, call: AskedCall): object {
    return isV1(call) ? paymentRequiredV1(required, this.settings.offer.terms) : required;
  }

  #hint(call: AskedCall, origin: string): string {
    if (this.settings.perCallMinimumNanoUsd !== null) return PAY_HINT;
    const isMisplaced = PAYMENT_HEADERS.some((name) => call.header(name) !== null);
    // A client of x402 that pays where it is asked would otherwise be asked again without a word.
    return isMisplaced
      ? `The payment was not taken: payments are taken at POST ${origin}/api/v1/x402/top-up. Then send this request with the wallet's sign-in (${SIGN_IN_HEADER}).`
      : ERRORS.PAYMENT_REQUIRED.hint;
  }

  /** What could be paid for a call, and the challenge with it. Short enough for a header, whatever the path. */
  #required(
    call: AskedCall,
    costNanoUsd: number | null,
  ): { challenge: SignInChallenge; required: PaymentRequired & { extensions: Record<string, unknown> } } {
    const { rules, offer, perCallMinimumNanoUsd, soldAt, now } = this.settings;
    const challenge = signInChallenge(call, rules, now());
    // Where nothing can be paid at all, the call is still what a sign-in is for.
    const isForTopUp = perCallMinimumNanoUsd === null && offer.terms.length > 0;
    const { bazaar = null, ...sold } = (isForTopUp ? null : soldAt(call.path)) ?? {
      description: RESOURCE,
      mimeType: 'application/json',
    };
    const resource = isForTopUp ? topUpResource(askedOrigin(call, rules)) : { url: challenge.info.uri, ...sold };
    const accepts =
      perCallMinimumNanoUsd === null
        ? offer.accepts()
        : offer.accepts({ amountNanoUsd: Math.max(costNanoUsd ?? 0, perCallMinimumNanoUsd) });
    return {
      challenge,
      required: {
        ...paymentRequired(resource, accepts),
        extensions: {
          [SIGN_IN_EXTENSION]: { ...challenge, schema: SIGN_IN_PAYLOAD_SCHEMA },
          ...(bazaar === null ? {} : { bazaar }),
        },
      },
    };
  }
}

/** What may be presented instead of a payment, for the body of a 402. */
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

/** The PAYMENT-REQUIRED header. */
export function paymentRequiredHeader(required: PaymentRequired): Record<string, string> {
  return { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') };
}

/** Clients of x402 v1 ask for its form in the query. */
function isV1({ query }: AskedCall): boolean {
  return query.get('x402Version') === '1';
}

function topUpResource(origin: string) {
  return {
    url: `${origin}/api/v1/x402/top-up`,
    description: 'Prepaid balance of a wallet, spent by the call',
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
