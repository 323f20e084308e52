import { cn } from '@/components/ui/class-names';
import { useConnection } from '@/lib/browser/connection/connection';
import { type HealthVerdict, healthVerdict } from './network-health';
import type { NetworkHealth, UpstreamState } from '@/lib/client';
import { healthMarkWords as words } from './mark-words';
import { Circle, CircleCheck, CircleSlash, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';

interface Mark {
  word: string;
  Icon: LucideIcon;
  className: string;
}

/** Icon and label repeat the color's meaning. */
export const VERDICT_MARKS: Record<HealthVerdict, Mark> = {
  healthy: { word: words.healthy, Icon: CircleCheck, className: 'text-good' },
  degraded: { word: words.degraded, Icon: TriangleAlert, className: 'text-amber-ink' },
  failing: { word: words.failing, Icon: CircleX, className: 'text-bad' },
  unused: { word: words.unused, Icon: Circle, className: 'text-faint' },
  unconfigured: { word: words.unconfigured, Icon: CircleSlash, className: 'text-faint' },
};

const NOT_KNOWN: Mark = { word: words.notKnown, Icon: CircleSlash, className: 'text-faint' };

/** Returns a function from a network's health to its mark. The mark is "unknown" while the gateway does not answer. */
export function useVerdictMark(): (health: Pick<NetworkHealth, 'upstreams'> | null) => Mark {
  const { state } = useConnection();
  const isAway = state === 'offline' || state === 'unanswered';
  return (health) => (health === null || isAway ? NOT_KNOWN : VERDICT_MARKS[healthVerdict(health)]);
}

export const STATE_MARKS: Record<UpstreamState, Mark> = {
  healthy: VERDICT_MARKS.healthy,
  lagging: { word: words.lagging, Icon: TriangleAlert, className: 'text-amber-ink' },
  resting: { word: words.resting, Icon: TriangleAlert, className: 'text-amber-ink' },
  failing: VERDICT_MARKS.failing,
  wrongChain: { word: words.wrongChain, Icon: CircleX, className: 'text-bad' },
  unknown: { word: words.unknown, Icon: Circle, className: 'text-faint' },
};

/** Shows a verdict's icon and label. If `iconOnly` is true, only screen readers get the label. */
export function HealthMark({ mark: { word, Icon, className }, iconOnly = false }: { mark: Mark; iconOnly?: boolean }) {
  return (
    <span className={cn('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={iconOnly ? 'sr-only' : undefined}>{word}</span>
    </span>
  );
}
