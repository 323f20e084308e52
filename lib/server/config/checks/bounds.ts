import type { Findings } from '../faults';
import { fieldPath, itemsAt, valueAt } from '../field-path';
import type { SettingsView } from './view';

type Steps = readonly PropertyKey[];

/** Chains of limits in ascending order. A limit that exceeds a later limit of its chain never takes effect. */
const NESTED: readonly (readonly string[])[] = [
  ['rpc.connectTimeoutMs', 'rpc.attemptTimeoutMs', 'rpc.timeoutMs'],
  ['rpc.hedging.maxDelayMs', 'rpc.attemptTimeoutMs'],
  ['inference.connectTimeoutMs', 'inference.firstByteTimeoutMs'],
  ['speech.connectTimeoutMs', 'speech.firstByteTimeoutMs'],
  ['embeddings.connectTimeoutMs', 'embeddings.firstByteTimeoutMs'],
  ['images.connectTimeoutMs', 'images.firstByteTimeoutMs'],
  ['transcriptions.connectTimeoutMs', 'transcriptions.firstByteTimeoutMs'],
  ['video.connectTimeoutMs', 'video.answerTimeoutMs', 'video.requestTimeoutMs'],
  ['video.pollIntervalMs', 'video.requestTimeoutMs'],
  ['idempotency.answerBytesMax', 'idempotency.callerBytesMax', 'idempotency.totalBytesMax'],
];

/** Chains of limits whose wrong order causes only a warning. */
const ORDERED: readonly (readonly string[])[] = [
  // A longer wait for the first byte would leave no time for failover.
  ['inference.firstByteTimeoutMs', 'inference.failoverTimeoutMs'],
  ['speech.firstByteTimeoutMs', 'speech.failoverTimeoutMs'],
  ['embeddings.firstByteTimeoutMs', 'embeddings.failoverTimeoutMs'],
  ['images.firstByteTimeoutMs', 'images.failoverTimeoutMs'],
  ['transcriptions.firstByteTimeoutMs', 'transcriptions.failoverTimeoutMs'],
  ['payments.openMax.perPayer', 'payments.openMax.perAddress', 'payments.openMax.total'],
  ['video.openRequestsPerCaller', 'video.openRequestsMax'],
  ['limits.rpcRequestsPerMinute.standard', 'limits.rpcRequestsPerMinute.paid', 'limits.rpcRequestsPerMinute.staff'],
];

/** Reports limits that the operator has set but that never take effect. */
export function checkBounds(view: SettingsView, { faults, warnings }: Findings): void {
  for (const chain of NESTED) {
    eachAbove(view, chain, (inner, outer, value) =>
      faults.set(
        fieldPath(inner),
        `is ${numberAt(view, inner)}, but ${fieldPath(outer)} is only ${value} and includes this time: lower this value to at most ${value}, or raise ${fieldPath(outer)}`,
      ),
    );
  }
  for (const chain of ORDERED) {
    eachAbove(view, chain, (inner, outer, value) =>
      warnings.set(fieldPath(inner), `is ${numberAt(view, inner)}, more than ${fieldPath(outer)} (${value})`),
    );
  }
  const waitMs = numberAt(view, ['payments', 'answerWithinMs']);
  itemsAt(view.settings, 'payments', 'rails').forEach((rail, index) => {
    const timeoutMs = valueAt(rail, ['facilitator', 'timeoutMs']);
    if (typeof timeoutMs === 'number' && waitMs !== undefined && timeoutMs > waitMs)
      warnings.set(
        `payments.rails[${index}].facilitator.timeoutMs`,
        `is ${timeoutMs}, more than payments.answerWithinMs (${waitMs}): the payer gets "pending" before the request to the facilitator times out`,
      );
  });
}

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
