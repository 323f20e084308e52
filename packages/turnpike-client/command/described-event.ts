import type { TurnpikeEvent } from '../src/turnpike-event';
import { printableLine } from './printable';

/** Describes an event in one line; empty for events without a description. */
export function describeEvent(event: TurnpikeEvent): string {
  const line = described(event);
  return line === '' ? '' : `${printableLine(line)}\n`;
}

function described(event: TurnpikeEvent): string {
  switch (event.type) {
    case 'signed-in':
      return `Signed in as ${event.address}, until ${new Date(event.expiresAtMs).toISOString()}`;
    case 'top-up-begins':
      return `Topping up ${event.amountUsd} USD from ${event.from} on ${event.network} to ${event.payTo} (${describeToday(event)})`;
    case 'top-up-credited':
      return `Credited ${event.amountUsd} USD; the balance is ${event.newBalanceUsd} USD (${event.transaction})`;
    case 'repeats':
      return `Trying ${event.url} again: ${event.because}`;
    case 'top-up-progress':
      return '';
  }
}

/** Describes the payments of the last 24 hours, and signed amounts that the gateway refused but could still collect. */
export function describeToday({
  spentTodayUsd,
  refusedTodayUsd,
}: Extract<TurnpikeEvent, { type: 'top-up-begins' }>): string {
  const refused =
    refusedTodayUsd === 0 ? '' : `, and ${refusedTodayUsd} USD that the gateway refused but could still take`;
  return `${spentTodayUsd} USD were paid within the last 24 hours${refused}`;
}
