import { type ApiError, apiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import type { RailTerms } from '../payments/rails';
import { paymentRequired, paymentRequiredHeader } from '../auth/payment-required';
import { signInChallenge } from '../auth/sign-in-challenge';
import { askedOrigin } from '../auth/sign-in-rules';

/** The chain whose rail the top-up instructions describe (spec, "402 bodies"). */
const INSTRUCTED_RAIL = 'base';
const USDC_DECIMALS = 6;

/**
 * 402 for a wallet that signed in and has too little prepaid (spec, "402 bodies", shape B), with what is there to pay
 * in the PAYMENT-REQUIRED header too.
 * @param spendableNanoUsd what the wallet can spend.
 * @param costNanoUsd the most that the call, or batch, can cost; null where that is not known.
 */
export function walletBalanceError(call: Call, gateway: Gateway, spendableNanoUsd: number, costNanoUsd: number | null): ApiError {
  const { rails } = gateway;
  const challenge = signInChallenge(call, gateway);
  const topUp = `${askedOrigin(call, gateway)}/api/v1/x402/top-up`;
  const cost = costNanoUsd === null ? '' : `; this request can cost ${formatUsd(costNanoUsd, 8)} USD`;
  return apiError('PAYMENT_REQUIRED', {
    fields: {
      hint: `Top up at least ${rails.minimumTopUpUsd} USD in USDC: POST ${topUp} tells how.`,
      reason: 'insufficient_balance',
      message: `The wallet has ${formatUsd(spendableNanoUsd, 8)} USD prepaid${cost}.`,
      currentBalanceUsd: spendableNanoUsd / 1e9,
      ...(costNanoUsd === null ? {} : { minimumBalanceUsd: costNanoUsd / 1e9 }),
      description: 'Calls of a wallet are charged to what it prepaid in USDC (x402).',
      suggestedTopUpUsd: rails.suggestedTopUpUsd,
      minimumTopUpUsd: rails.minimumTopUpUsd,
      supportedTokens: [...new Set(rails.terms.map(({ symbol }) => symbol))],
      supportedChains: rails.terms.map(({ name }) => name),
      topUpInstructions: instructions(topUp, rails.minimumTopUpUsd, rails.terms.find(({ name }) => name === INSTRUCTED_RAIL) ?? rails.terms[0]),
      siwxChallenge: challenge,
    },
    headers: paymentRequiredHeader(paymentRequired(challenge, gateway)),
  });
}

function instructions(topUp: string, minimumAmountUsd: number, rail: RailTerms | undefined): Record<string, string | number> {
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
