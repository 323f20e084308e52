import type { Credential } from '@/lib/browser/credential/credential';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { formatCount, formatUsdNumber, toMicroUsd } from '@/lib/browser/text/amounts';
import { type GatewayError, OversizedAnswerError, type UnreachableError } from '@/lib/client';

export type Remedy =
  | 'top-up'
  /** Switch the payment method to a wallet. */
  | 'wallet'
  /** Sign in again with the same wallet. */
  | 'sign-in'
  /** Switch to a stored or pasted API key. */
  | 'key'
  /** Send automatically after the wait. */
  | 'wait'
  | 'send'
  /** Send again with an Idempotency-Key, so that the call is charged once. */
  | 'send-once'
  | 'renew-key';

export interface FailureWords {
  title: string;
  lines: readonly string[];
  remedies: readonly Remedy[];
  /** Earliest time to send again, Unix milliseconds; null for immediately. */
  readyAtMs: number | null;
  /** `none` if the call was certainly not charged; `unknown` if it may have been. */
  charge: 'none' | 'unknown';
  /** True if the user stopped the call. That is not a failure. */
  isCalm?: boolean;
}

type Payer = Credential['kind'];

/**
 * Explains why a call failed and what helps. Never shows a library's error message.
 * @param payer credential that pays for the call
 * @param canSendOnce whether the page can send the call again under an Idempotency-Key
 * @param isWalletOfUse whether wallets can pay at this gateway
 */
export function wordsOn(error: Error, payer: Payer, canSendOnce = false, isWalletOfUse = true): FailureWords {
  const failure = classifyFailure(error);
  switch (failure.kind) {
    case 'refused': {
      const { keyLines, ...words } = refused(failure.error, payer);
      const all = { readyAtMs: null, charge: 'none', ...words } as const;
      if (isWalletOfUse) return all;
      return {
        ...all,
        lines: keyLines ?? all.lines,
        remedies: all.remedies.filter((remedy) => remedy !== 'wallet' && remedy !== 'top-up'),
      };
    }
    case 'intercepted':
      return intercepted(failure.error, canSendOnce);
    case 'unreachable':
      return unreachable(failure.error, canSendOnce);
    case 'broken':
      return {
        title: error instanceof OversizedAnswerError ? error.message : 'This page could not make the call.',
        lines: ['Send it again. If that fails too, reload the page: what you typed stays.'],
        remedies: ['send'],
        readyAtMs: null,
        charge: 'unknown',
      };
  }
}

type RefusedWords = Pick<FailureWords, 'title' | 'lines' | 'remedies'> &
  Partial<FailureWords> & {
    /** Replaces `lines` if the gateway accepts only API keys, not wallets. */
    keyLines?: readonly string[];
  };

const ASK_FOR_CREDIT = 'Ask the operator for credit, or use a key that has some.';

function refused(error: GatewayError, payer: Payer): RefusedWords {
  const { code } = error.detail;
  if (error.status === 402) return unpaid(error, payer);
  if (error.status === 401) return unknownPayer(code);
  if (error.status === 429) return tooMany(error);
  if (code === 'IDEMPOTENCY_KEY_REUSED' || code === 'IDEMPOTENT_ANSWER_NOT_KEPT')
    return { title: error.message, lines: saidBy(error), remedies: ['renew-key'] };
  if (code === 'API_KEY_NOT_ALLOWED')
    return {
      title: error.message,
      lines: ['Use another key, or have the owner of this one change its limits on the page Keys & staking.'],
      keyLines: ['Use another key, or ask the operator for one.'],
      remedies: ['key', 'wallet'],
    };
  if (error.status === 421) return { title: error.message, lines: saidBy(error), remedies: ['send'] };
  return error.status >= 500 ? away(error) : { title: error.message, lines: saidBy(error), remedies: [] };
}

function unpaid(error: GatewayError, payer: Payer): RefusedWords {
  const { code, bodyText } = error.detail;
  if (code === 'API_KEY_USD_SPEND_LIMIT_EXCEEDED' || code === 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED') {
    return {
      title: 'This key has reached the spending limit that was set for it.',
      lines: ['Its account is not affected. Use a key with a higher limit, or a wallet with its own balance.'],
      keyLines: ['Its account is not affected. Use a key with a higher limit.'],
      remedies: ['key', 'wallet'],
    };
  }
  if (code === 'API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED') {
    return {
      title: 'This key has reached its limit for the wallet’s prepaid balance.',
      lines: ['Pay with the wallet itself, or raise the limit on the page Keys & staking.'],
      remedies: ['wallet', 'key'],
    };
  }
  const need = readPaymentNeed(bodyText);
  if (need === null) return payer === 'signed-out' ? SIGN_IN_ENDED : NOBODY_PAYS;
  const has = need.currentUsd === null ? null : formatHeldUsd(need.currentUsd);
  const cost =
    need.costUsd === null
      ? []
      : [
          `This call can cost up to ${formatMostUsd(need.costUsd)}, which is held while it runs. You pay only the actual cost.`,
        ];
  if (code === 'INSUFFICIENT_BALANCE' || payer === 'own' || payer === 'demo') {
    return {
      title:
        has === null
          ? 'The account of this key has too little for this call.'
          : `The account of this key has ${has} left, too little for this call.`,
      lines: [
        ...cost,
        'A key spends its account’s daily allocation, which is renewed at 00:00 UTC, and its credits. It cannot spend what a wallet has topped up, unless its “Limits” on Keys & staking allow that: pay with the wallet itself.',
      ],
      keyLines: [...cost, ASK_FOR_CREDIT],
      remedies: ['wallet', 'key'],
    };
  }
  return {
    title:
      has === null
        ? 'The wallet’s balance is too low for this call.'
        : `The wallet’s balance is ${has}, too low for this call.`,
    lines: [...cost, 'Top up, and the call goes on by itself.'],
    keyLines: [...cost, ASK_FOR_CREDIT],
    remedies: ['top-up', 'key'],
  };
}

const SIGN_IN_ENDED: RefusedWords = {
  title: 'The wallet’s sign-in has ended.',
  lines: ['Sign in again: one signature, which moves no money. The call then goes on by itself.'],
  remedies: ['sign-in', 'key'],
};

const NOBODY_PAYS: RefusedWords = {
  title: 'No payment method is chosen for this call.',
  lines: ['Pay with a wallet, without an account, or with an API key. The call then goes on by itself.'],
  keyLines: ['Enter an API key; the operator gives them out. The call then goes on by itself.'],
  remedies: ['wallet', 'key'],
  isCalm: true,
};

function unknownPayer(code: string | null): RefusedWords {
  switch (code) {
    case 'INVALID_API_KEY':
    case 'INVALID_AUTHORIZATION':
      return {
        title: 'This gateway does not know the key.',
        lines: ['A character may be missing, or it is a key of another gateway.'],
        remedies: ['key', 'wallet'],
      };
    case 'API_KEY_REVOKED':
      return {
        title: 'The key was revoked.',
        lines: ['Use another one, or a wallet.'],
        keyLines: ['Use another one, or ask the operator for one.'],
        remedies: ['key', 'wallet'],
      };
    case 'API_KEY_EXPIRED':
      return {
        title: 'The key has expired.',
        lines: ['Use another one, or a wallet.'],
        keyLines: ['Use another one, or ask the operator for one.'],
        remedies: ['key', 'wallet'],
      };
    case 'SIGN_IN_EXPIRED':
      return SIGN_IN_ENDED;
    case 'SIGN_IN_NOT_YET_VALID':
      return {
        title: 'The clock of this device is ahead of the gateway’s.',
        lines: ['Correct the clock, then sign in again.'],
        remedies: ['sign-in', 'key'],
      };
  }
  if (code?.startsWith('SIGN_IN_'))
    return {
      title: 'The gateway does not accept this sign-in.',
      lines: ['Sign in again: one signature, which moves no money. The call then goes on by itself.'],
      remedies: ['sign-in', 'key'],
    };
  return NOBODY_PAYS;
}

function tooMany(error: GatewayError): RefusedWords {
  const { code, customMessage, rateLimit, retryAtMs } = error.detail;
  const readyAtMs = rateLimit?.resetAtMs ?? retryAtMs;
  const remedies: readonly Remedy[] = code === 'CREDIT_CAP' ? ['wait', 'key', 'wallet'] : ['wait'];
  return { title: error.message, lines: customMessage === null ? [] : [customMessage], remedies, readyAtMs };
}

function away(error: GatewayError): RefusedWords {
  const { retryAtMs } = error.detail;
  // The page shows the time, so the text must not refer to the Retry-After header.
  const lines = saidBy(error).map((line) =>
    line.replace(/\bTry again after the time in Retry-After\b/i, 'Try again in a moment'),
  );
  return { title: error.message, lines, remedies: [retryAtMs === null ? 'send' : 'wait'], readyAtMs: retryAtMs };
}

function saidBy(error: GatewayError): readonly string[] {
  const { customMessage, hint } = error.detail;
  return [customMessage, hint].filter((line): line is string => line !== null && line !== error.message);
}

function intercepted(error: GatewayError, canSendOnce: boolean): FailureWords {
  return {
    title: error.message,
    lines: [
      'Something between this browser and the gateway, such as a proxy or a sign-in page, answered in its place. Whether the call reached the gateway is not known.',
      canSendOnce
        ? 'Send it again with an Idempotency-Key. Repeated attempts with that key are charged only once.'
        : 'Check the connection, then send it again. With the same Idempotency-Key, a call is charged only once.',
    ],
    remedies: [canSendOnce ? 'send-once' : 'send'],
    readyAtMs: null,
    charge: 'unknown',
  };
}

function unreachable(error: UnreachableError, canSendOnce: boolean): FailureWords {
  const rest = { readyAtMs: null, charge: 'unknown' } as const;
  if (error.aborted)
    return {
      ...rest,
      title: error.message,
      lines: ['It may have been charged.'],
      remedies: ['send'],
      isCalm: true,
    };
  if (!error.hasBegun)
    return {
      ...rest,
      title: error.message,
      lines: [
        'Check that the gateway is running and that this machine is online, then try again. If the call reached the gateway, it may have been charged.',
      ],
      remedies: ['send'],
    };
  const once = canSendOnce ? ' With an Idempotency-Key, a call is charged only once, even if you send it again.' : '';
  return {
    ...rest,
    title: error.message,
    lines: [`The call may have been charged.${once}`],
    remedies: [canSendOnce ? 'send-once' : 'send'],
  };
}

/** Amounts in USD; null if absent. */
export interface PaymentNeed {
  currentUsd: number | null;
  costUsd: number | null;
}

/**
 * Parses the body of a 402 about a low balance: shape B of "402 bodies" in the API specification, or the body for API
 * keys. Returns null for any other body.
 */
export function readPaymentNeed(bodyText: string): PaymentNeed | null {
  const body = parse(bodyText);
  if (typeof body !== 'object' || body === null) return null;
  const { reason, code, currentBalanceUsd, minimumBalanceUsd } = body as Record<string, unknown>;
  if (reason !== 'insufficient_balance' && code !== 'INSUFFICIENT_BALANCE') return null;
  return { currentUsd: usd(currentBalanceUsd), costUsd: usd(minimumBalanceUsd) };
}

function usd(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const MICRO_USD_PER_CENT = 10_000;

/**
 * Formats a balance for a sentence: `0.00 USD`, `1,250.50 USD`. Truncates, so that the text never exceeds the balance.
 */
export function formatHeldUsd(usd: number): string {
  return usd > 0 && usd < 0.01 ? 'less than 0.01 USD' : centsAsMoney(Math.floor(toMicroUsd(usd) / MICRO_USD_PER_CENT));
}

/** Formats a maximum cost with all digits: `0.000014 USD`. */
export function formatMostUsd(usd: number): string {
  return `${formatUsdNumber(usd).slice(1)} USD`;
}

function centsAsMoney(cents: number): string {
  return `${formatCount(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')} USD`;
}
