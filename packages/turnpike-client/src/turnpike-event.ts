import type { PaymentOutcome } from '@/lib/client/top-up';

/** Actions that a client takes in addition to the requested call. */
export type TurnpikeEvent =
  /** A wallet signed in. The client renews the sign-in shortly before `expiresAtMs` (Unix milliseconds). */
  | { type: 'signed-in'; address: string; expiresAtMs: number }
  /**
   * Sent before the wallet signs. A listener that throws or rejects prevents the payment. `refusedTodayUsd`: sum of
   * payments signed in the last 24 hours that the gateway refused but could still collect.
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
  /** Sent with each answer about a signed payment. */
  | { type: 'top-up-progress'; outcome: PaymentOutcome }
  | {
      type: 'top-up-credited';
      paymentId: string;
      amountUsd: number;
      newBalanceUsd: number;
      network: string;
      transaction: string;
    }
  /** Sent before a retry, which reuses the call's Idempotency-Key if the call has one. */
  | { type: 'repeats'; url: string; attempt: number; because: string };

/** Listener for events. The client awaits its result only before money moves. */
export type EventListener = (event: TurnpikeEvent) => void | Promise<void>;

/** Notifies a listener and ignores its errors. */
export function tell<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    void Promise.resolve(listener?.(event)).catch(() => undefined);
  } catch {
    // A listener's error must not fail the call.
  }
}
