import { cn } from '@/components/ui/class-names';
import type { HealthVerdict } from '@/lib/browser/network-health';
import type { UpstreamState } from '@/lib/client';
import { healthMarkWords as words } from '@/lib/browser/words/health-marks';
import { Circle, CircleCheck, CircleSlash, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';

interface Mark {
  word: string;
  Icon: LucideIcon;
  className: string;
}

/** What each verdict on a network looks like: shape and word say it, colour repeats it. */
export const VERDICT_MARKS: Record<HealthVerdict, Mark> = {
  healthy: { word: words.healthy, Icon: CircleCheck, className: 'text-good' },
  degraded: { word: words.degraded, Icon: TriangleAlert, className: 'text-amber-ink' },
  failing: { word: words.failing, Icon: CircleX, className: 'text-bad' },
  unused: { word: words.unused, Icon: Circle, className: 'text-faint' },
  unconfigured: { word: words.unconfigured, Icon: CircleSlash, className: 'text-faint' },
};

/** What each state of an upstream looks like. */
export const STATE_MARKS: Record<UpstreamState, Mark> = {
  healthy: VERDICT_MARKS.healthy,
  lagging: { word: words.lagging, Icon: TriangleAlert, className: 'text-amber-ink' },
  resting: { word: words.resting, Icon: TriangleAlert, className: 'text-amber-ink' },
  failing: VERDICT_MARKS.failing,
  wrongChain: { word: words.wrongChain, Icon: CircleX, className: 'text-bad' },
  unknown: { word: words.unknown, Icon: Circle, className: 'text-faint' },
};

/** The sign of a verdict or state, with its word unless that stands elsewhere. */
export function HealthMark({ mark: { word, Icon, className }, iconOnly = false }: { mark: Mark; iconOnly?: boolean }) {
  return (
    <span className={cn('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={iconOnly ? 'sr-only' : undefined}>{word}</span>
    </span>
  );
}
