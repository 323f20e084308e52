import type { PaymentOutcome } from '@/lib/client/top-up';

/** What a client does beside the call that it was asked for. */
export type TurnpikeEvent =
  /** A wallet signed in; the sign-in is used until shortly before it expires. Unix milliseconds. */
  | { type: 'signed-in'; address: string; expiresAtMs: number }
  /**
   * Before anything is signed. A listener that throws, or whose promise rejects, keeps the money where it is.
   * `refusedTodayUsd` was signed within 24 hours and refused by the gateway, which could have taken it all the same.
   */
  | {
      type: 'top-up-begins';
      amountUsd: number;
      network: string;
      asset: string;
      payTo: string;
      from: string;
      spentTodayUsd: number;
      refusedTodayUsd: number;
    }
  /** Each answer of the gateway about a payment that was signed. */
  | { type: 'top-up-progress'; outcome: PaymentOutcome }
  | {
      type: 'top-up-credited';
      paymentId: string;
      amountUsd: number;
      newBalanceUsd: number;
      network: string;
      transaction: string;
    }
  /** The same call is sent again, under the same Idempotency-Key where it has one. */
  | { type: 'repeats'; url: string; attempt: number; because: string };

/** Hears of events. What it returns is waited for before money moves, and at no other time. */
export type EventListener = (event: TurnpikeEvent) => void | Promise<void>;

/** Tells a listener of what is no question: what it throws changes nothing. */
export function tell<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    void Promise.resolve(listener?.(event)).catch(() => undefined);
  } catch {
    // A listener's fault is not the call's.
  }
}
