import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { Summary } from '@/components/ui/summary';
import { chatHopWords as words } from './words';
import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from '@/lib/protocol/attestation/hop-texts';
import type { Hop, HopKind, HopReads, HopStanding } from '@/lib/protocol/attestation/hop';
import {
  CircleDashed,
  CircuitBoard,
  Cpu,
  Eye,
  Laptop,
  Lock,
  type LucideIcon,
  Quote,
  Router,
  Server,
  Waypoints,
} from 'lucide-react';
import { VERDICTS } from './verdicts';

const KINDS: Record<HopKind, LucideIcon> = {
  client: Laptop,
  gateway: Waypoints,
  provider: Server,
  router: Router,
  model: Cpu,
  gpu: CircuitBoard,
};

const STANDINGS: Record<HopStanding, { Icon: LucideIcon; ink: string }> = {
  ...VERDICTS,
  own: { Icon: Laptop, ink: 'text-dim' },
  claim: { Icon: Quote, ink: 'text-amber-ink' },
  unchecked: { Icon: CircleDashed, ink: 'text-dim' },
};

/** Kinds of hops for which the page shows a name. For other hops, the page shows only the operator. */
const NAMED: ReadonlySet<HopKind> = new Set(['router', 'model']);

/** Draws the path of a prompt from the user to the GPUs. */
export function HopList({ hops }: { hops: readonly Hop[] }) {
  return (
    <section aria-labelledby="hops" className="grid gap-3">
      <div className="grid gap-1">
        <h3 id="hops" className="text-sm font-medium">
          {words.title}
        </h3>
        <p className="text-sm text-dim">{whoCouldRead(hops)}</p>
      </div>
      <ol aria-label={words.list} className="overflow-hidden rounded-md border border-line">
        {hops.map((hop, index) => (
          <HopItem key={`${hop.kind} ${index}`} hop={hop} next={hops[index + 1]} />
        ))}
      </ol>
    </section>
  );
}

function HopItem({ hop, next }: { hop: Hop; next: Hop | undefined }) {
  const { kind, name, reads, standing, text } = hop;
  const Icon = KINDS[kind];
  const { Icon: Mark, ink } = STANDINGS[standing];
  return (
    <li data-hop={kind} data-standing={standing} className="relative px-2.5">
      {next && <span aria-hidden className={cn('absolute top-9 -bottom-1.5 left-6 w-0.5', lineTo(next, hop))} />}
      <details className="group">
        <Summary chevronAt="end" className="min-h-11 gap-2.5 rounded-md py-1.5">
          <span
            aria-hidden
            className="relative grid size-7 shrink-0 place-items-center rounded-full border border-line bg-ground"
          >
            <Icon className="size-4 text-dim" />
          </span>
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 text-sm font-medium wrap-anywhere">
              {HOP_TITLES[kind]}
              {name !== null && NAMED.has(kind) && <span className="figures font-normal text-faint"> {name}</span>}
            </span>
            {kind !== 'client' && <Reading reads={reads} isClaim={standing === 'claim'} />}
            <span className={cn('flex items-center gap-1 text-xs whitespace-nowrap sm:ml-auto', ink)}>
              <Mark aria-hidden className="size-3.5 shrink-0" />
              {HOP_STANDINGS[standing]}
            </span>
          </span>
        </Summary>
        <dl className="grid gap-x-3 gap-y-0.5 pb-3 pl-9.5 text-xs sm:grid-cols-[4.5rem_minmax(0,1fr)] sm:gap-y-1">
          <Fact name={words.operator}>{text.operator}</Fact>
          <Fact name={words.reads}>{text.reads}</Fact>
          <Fact name={words.proof}>{text.proof}</Fact>
        </dl>
      </details>
    </li>
  );
}

/** Returns a hop line's color: violet if the prompt is encrypted, amber if readable, neutral to GPUs. */
function lineTo(next: Hop, from: Hop): string {
  if (next.kind === 'gpu') return 'bg-line';
  return next.reads === 'metadata' || from.reads === 'metadata' ? 'bg-violet' : 'bg-amber';
}

function Reading({ reads, isClaim }: { reads: HopReads; isClaim: boolean }) {
  if (reads === 'metadata') {
    return (
      <Badge tone="violet">
        <Lock aria-hidden />
        {words.encrypted}
      </Badge>
    );
  }
  return (
    <Badge tone={isClaim ? 'amber' : 'neutral'}>
      <Eye aria-hidden />
      {words.readable}
    </Badge>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="mb-1 min-w-0 wrap-anywhere sm:mb-0">{children}</dd>
    </>
  );
}
