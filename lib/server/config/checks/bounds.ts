import type { Findings } from '../faults';
import { fieldPath, itemsAt, valueAt } from '../field-path';
import type { SettingsView } from './view';

type Steps = readonly PropertyKey[];

/** Each may be no more than the next: what lies within it would never be reached. */
const NESTED: readonly (readonly string[])[] = [
  ['rpc.connectTimeoutMs', 'rpc.attemptTimeoutMs', 'rpc.timeoutMs'],
  ['rpc.hedging.maxDelayMs', 'rpc.attemptTimeoutMs'],
  ['inference.connectTimeoutMs', 'inference.firstByteTimeoutMs'],
  ['speech.connectTimeoutMs', 'speech.firstByteTimeoutMs'],
  ['video.connectTimeoutMs', 'video.answerTimeoutMs', 'video.requestTimeoutMs'],
  ['video.pollIntervalMs', 'video.requestTimeoutMs'],
  ['idempotency.answerBytesMax', 'idempotency.callerBytesMax', 'idempotency.totalBytesMax'],
];

/** The same, where it is only odd. */
const ORDERED: readonly (readonly string[])[] = [
  // An upstream that is silent is waited for all the same, and no other is asked after it.
  ['inference.firstByteTimeoutMs', 'inference.failoverTimeoutMs'],
  ['speech.firstByteTimeoutMs', 'speech.failoverTimeoutMs'],
  ['payments.openMax.perPayer', 'payments.openMax.perAddress', 'payments.openMax.total'],
  ['video.openRequestsPerCaller', 'video.openRequestsMax'],
  ['limits.rpcRequestsPerMinute.standard', 'limits.rpcRequestsPerMinute.paid', 'limits.rpcRequestsPerMinute.staff'],
];

/**
 * Notes bounds that lie within others and could never be reached. Only what is given counts: a default that is more
 * than what it lies within is bounded by it all the same.
 */
export function checkBounds(view: SettingsView, { faults, warnings }: Findings): void {
  for (const chain of NESTED) {
    eachAbove(view, chain, (inner, outer, value) =>
      faults.set(
        fieldPath(inner),
        `is ${numberAt(view, inner)}, more than ${fieldPath(outer)}, within which it lies and which is ${value}: it could never be reached. Expected at most ${value}, or more there`,
      ),
    );
  }
  for (const chain of ORDERED) {
    eachAbove(view, chain, (inner, outer, value) =>
      warnings.set(fieldPath(inner), `is ${numberAt(view, inner)}, more than ${fieldPath(outer)}, which is ${value}`),
    );
  }
  const waitMs = numberAt(view, ['payments', 'answerWithinMs']);
  itemsAt(view.settings, 'payments', 'rails').forEach((rail, index) => {
    const timeoutMs = valueAt(rail, ['facilitator', 'timeoutMs']);
    if (typeof timeoutMs === 'number' && waitMs !== undefined && timeoutMs > waitMs)
      warnings.set(
        `payments.rails[${index}].facilitator.timeoutMs`,
        `is ${timeoutMs}, more than payments.answerWithinMs, which is ${waitMs}: whoever pays is told "pending" before the facilitator is given up`,
      );
  });
}

/** Tells of each given member of a chain that is more than a later one; the nearest later one is named. */
function eachAbove(
  view: SettingsView,
  chain: readonly string[],
  tell: (inner: Steps, outer: Steps, outerValue: number) => void,
): void {
  chain.forEach((path, index) => {
    const inner = path.split('.');
    const value = valueAt(view.settings, inner);
    if (typeof value !== 'number') return;
    for (const later of chain.slice(index + 1)) {
      const outer = later.split('.');
      const bound = numberAt(view, outer);
      if (bound !== undefined && value > bound) return tell(inner, outer, bound);
    }
  });
}

function numberAt({ settings, defaults }: SettingsView, steps: Steps): number | undefined {
  const value = valueAt(settings, steps) ?? valueAt(defaults, steps);
  return typeof value === 'number' ? value : undefined;
}
