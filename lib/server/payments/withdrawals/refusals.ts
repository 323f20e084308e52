import { apiError } from '@/lib/protocol/errors';
import { formatUsd } from '@/lib/protocol/pricing';
import { WithdrawalRefused } from '../../db/withdrawals';
import { ChainUnreachable } from '../rail';

/** Error for an invalid field of a withdrawal. Nothing was debited. */
export class InvalidWithdrawal extends Error {
  override readonly name = 'InvalidWithdrawal';

  constructor(
    readonly field: 'network' | 'asset' | 'gateway' | 'amount' | 'fee' | 'nonce' | 'validBefore' | 'signature',
    message: string,
  ) {
    super(message);
  }
}

/** Error if the gateway currently cannot pay out, or cannot check a signature. Nothing was debited. */
export class PayoutsPaused extends Error {
  override readonly name = 'PayoutsPaused';

  constructor(readonly lacking: 'funds' | 'signature') {
    super('Withdrawals are paused.');
  }
}

const DAY_MS = 86_400_000;
const SOON = { 'retry-after': '60' };

/** Converts the refusal of a withdrawal into the API's error. Returns other errors unchanged. */
export function withdrawalRefusal(error: unknown, now: number): unknown {
  if (error instanceof InvalidWithdrawal)
    return apiError('INVALID_REQUEST', {
      message: `The withdrawal is not valid: ${error.field}. ${error.message}`,
      details: { _errors: [], [error.field]: { _errors: [error.message] } },
    });
  if (error instanceof WithdrawalRefused && error.reason === 'balance')
    return apiError('WITHDRAWAL_TOO_LARGE', {
      message: `This wallet can currently withdraw at most ${formatUsd(error.possible, 6)} USD in this token on this network.`,
    });
  if (error instanceof WithdrawalRefused)
    return apiError('WITHDRAWALS_PAUSED', {
      message: `Withdrawals by all wallets have nearly reached the maximum for this UTC day: ${formatUsd(error.possible, 6)} USD are left.`,
      hint: 'Nothing was debited. Withdraw less, or sign a new statement after the time in Retry-After.',
      headers: { 'retry-after': String(Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000)) },
    });
  if (error instanceof PayoutsPaused)
    return apiError(error.lacking === 'funds' ? 'WITHDRAWALS_PAUSED' : 'SIGN_IN_UNVERIFIABLE', { headers: SOON });
  if (error instanceof ChainUnreachable)
    return apiError('X402_UNAVAILABLE', {
      message: 'The chain gave no usable answer. Nothing was withdrawn.',
      hint: 'Send the same request again shortly.',
      headers: SOON,
    });
  return error;
}
