import type { TurnpikeEvent } from '../src/turnpike-event';
import { printableLine } from './printable';

/** What a client does beside the call, as a line for people; empty for what is not worth one. */
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

/** What was paid before a top-up, and what else was signed. */
export function describeToday({
  spentTodayUsd,
  refusedTodayUsd,
}: Extract<TurnpikeEvent, { type: 'top-up-begins' }>): string {
  const refused =
    refusedTodayUsd === 0 ? '' : `, and ${refusedTodayUsd} USD refused by the gateway, which could still take them`;
  return `${spentTodayUsd} USD were paid within the last 24 hours${refused}`;
}
