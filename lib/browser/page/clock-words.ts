import { formatCount } from '@/lib/browser/text/amounts';
import { isClockOff } from './clock';

export function clockSentence(aheadMs: number | null): string | null {
  if (!isClockOff(aheadMs)) return null;
  return `The clock of this device is ${lengthOf(Math.abs(aheadMs))} ${aheadMs > 0 ? 'fast' : 'slow'}. Sign-ins and payments fail until it is set right.`;
}

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.round(minutes / 60);
  const days = Math.round(hours / 24);
  if (minutes < 50) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  if (hours < 48) return hours === 1 ? 'an hour' : `${hours} hours`;
  return `${formatCount(days)} days`;
}
