import { type ApiError, apiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import { SIGN_IN_EXTENSION, SIGN_IN_PAYLOAD_SCHEMA, type SignInChallenge } from '@/lib/protocol/sign-in/challenge';
import { SIGN_IN_HEADER, SIGN_IN_LEGACY_HEADER } from '@/lib/protocol/sign-in/payload';
import { PAYMENT_HEADERS } from '@/lib/protocol/x402/payment-headers';
import { type PaymentRequired, paymentRequired } from '@/lib/protocol/x402/payment-required';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Call } from '../http/call';
import { signInChallenge } from './sign-in-challenge';
import { askedOrigin, type GatewayRules } from './sign-in-rules';

/** The chain whose rail the top-up instructions describe (spec, "402 bodies"). */
const INSTRUCTED_RAIL = 'base';
const USDC_DECIMALS = 6;

/** Where prepaid money comes in, as those who are asked for it have to know it. */
export interface TopUpOffer {
  readonly minimumTopUpUsd: number;
  readonly suggestedTopUpUsd: number;
  readonly terms: readonly TopUpTerms[];
  /** The ways to pay, as x402 lists them. */
  accepts(): PaymentRequirements[];
}

export interface TopUpTerms {
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
  now: () => number;
}

/** The 402 answers of endpoints that are paid for (spec, "402 bodies"). */
export class PaymentChallenge {
  constructor(private readonly settings: PaymentChallengeSettings) {}

  /**
   * For a caller without a credential: what may be presented, and what could be paid (shape A), in the body and as an
   * x402 v2 PaymentRequired object in the PAYMENT-REQUIRED header.
   */
  discovery(call: Pick<Call, 'path' | 'header'>): ApiError {
    const { required } = this.#required(call);
    const origin = askedOrigin(call, this.settings.rules);
    const fields = { ...required, authOptions: authOptions(origin), ...misplacedPayment(call, origin) };
    return apiError('PAYMENT_REQUIRED', { fields, headers: paymentRequiredHeader(required) });
  }

  /**
   * For a wallet that signed in and has too little prepaid (shape B), with what is there to pay in the PAYMENT-REQUIRED
   * header too.
   * @param spendableNanoUsd what the wallet can spend.
   * @param costNanoUsd the most that the call, or batch, can cost; null where that is not known.
   */
  insufficientBalance(call: Pick<Call, 'path' | 'header'>, spendableNanoUsd: number, costNanoUsd: number | null): ApiError {
    const { offer, rules } = this.settings;
    const { challenge, required } = this.#required(call);
    const topUp = `${askedOrigin(call, rules)}/api/v1/x402/top-up`;
    const cost = costNanoUsd === null ? '' : `; this request can cost ${formatUsd(costNanoUsd, 8)} USD`;
    return apiError('PAYMENT_REQUIRED', {
      fields: {
        hint: `Top up at least ${offer.minimumTopUpUsd} USD in USDC: POST ${topUp} tells how.`,
        reason: 'insufficient_balance',
        message: `The wallet has ${formatUsd(spendableNanoUsd, 8)} USD prepaid${cost}.`,
        currentBalanceUsd: spendableNanoUsd / 1e9,
        ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
        description: 'Calls of a wallet are charged to what it prepaid in USDC (x402).',
        suggestedTopUpUsd: offer.suggestedTopUpUsd,
        minimumTopUpUsd: offer.minimumTopUpUsd,
        supportedTokens: [...new Set(offer.terms.map(({ symbol }) => symbol))],
        supportedChains: offer.terms.map(({ name }) => name),
        topUpInstructions: instructions(topUp, offer.minimumTopUpUsd, offer.terms.find(({ name }) => name === INSTRUCTED_RAIL) ?? offer.terms[0]),
        siwxChallenge: challenge,
      },
      headers: paymentRequiredHeader(required),
    });
  }

  /** What could be paid for a call, and the challenge with it. Short enough for a header, whatever the path. */
  #required(call: Pick<Call, 'path' | 'header'>): { challenge: SignInChallenge; required: PaymentRequired & { extensions: Record<string, unknown> } } {
    const { rules, offer, now } = this.settings;
    const challenge = signInChallenge(call, rules, now());
    const resource = { url: challenge.info.uri, description: 'Prepaid call, charged to an API key or to a wallet balance', mimeType: 'application/json' };
    return { challenge, required: { ...paymentRequired(resource, offer.accepts()), extensions: { [SIGN_IN_EXTENSION]: { ...challenge, schema: SIGN_IN_PAYLOAD_SCHEMA } } } };
  }
}

/** What may be presented instead of a payment, for the body of a 402. */
export function authOptions(origin: string): Record<string, Record<string, string>> {
  const docs = `${origin}/api/v1/openapi.json`;
  return {
    apiKey: { header: 'Authorization: Bearer <API_KEY>', getKey: `${origin}/api/v1/api_keys/generate_web3_key`, docs },
    x402Wallet: { header: SIGN_IN_HEADER, legacyHeader: SIGN_IN_LEGACY_HEADER, topUp: `${origin}/api/v1/x402/top-up`, docs },
  };
}

/** The PAYMENT-REQUIRED header. */
export function paymentRequiredHeader(required: PaymentRequired): Record<string, string> {
  return { 'payment-required': Buffer.from(JSON.stringify(required)).toString('base64') };
}

/** A client of x402 that pays where it is asked would otherwise be asked again without a word. */
function misplacedPayment(call: Pick<Call, 'header'>, origin: string): { hint?: string } {
  if (PAYMENT_HEADERS.every((name) => call.header(name) === null)) return {};
  return { hint: `The payment was not taken: payments are taken at POST ${origin}/api/v1/x402/top-up. Then send this request with the wallet's sign-in (${SIGN_IN_HEADER}).` };
}

function instructions(topUp: string, minimumAmountUsd: number, rail: TopUpTerms | undefined): Record<string, string | number> {
  return {
    step1: `POST ${topUp} without a payment header, and choose one of the "accepts" entries of the 402 answer.`,
    step2: 'Sign exactly that payment with the wallet: an EIP-3009 authorization on EVM chains, a transaction on Solana.',
    step3: `POST ${topUp} again with the payment in the PAYMENT-SIGNATURE header, then repeat this request.`,
    receiverWallet: rail?.payTo ?? '',
    tokenAddress: rail?.asset ?? '',
    tokenDecimals: rail?.decimals ?? USDC_DECIMALS,
    network: rail?.name ?? INSTRUCTED_RAIL,
    minimumAmountUsd,
  };
}
