import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { chatHopWords as words } from '@/lib/browser/words/chat-hops';
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

/**
 * Icon and color by standing. The standing says what proves the hop. A word on the page repeats the meaning of icon and
 * color.
 */
const STANDINGS: Record<HopStanding, { Icon: LucideIcon; ink: string }> = {
  ...VERDICTS,
  own: { Icon: Laptop, ink: 'text-dim' },
  claim: { Icon: Quote, ink: 'text-amber-ink' },
  unchecked: { Icon: CircleDashed, ink: 'text-dim' },
};

/** Kinds of hops that the page shows by the hop's name. It shows hops of other kinds by their operator's name. */
const NAMED: ReadonlySet<HopKind> = new Set(['router', 'model']);

/**
 * Shows the path of a prompt from the user to the GPUs. For each hop, shows who operates it, what the operator can
 * read, and what proves the hop.
 */
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
          <HopItem key={`${hop.kind} ${index}`} hop={hop} isLast={index === hops.length - 1} />
        ))}
      </ol>
    </section>
  );
}

function HopItem({ hop: { kind, name, reads, standing, text }, isLast }: { hop: Hop; isLast: boolean }) {
  const Icon = KINDS[kind];
  const { Icon: Mark, ink } = STANDINGS[standing];
  return (
    <li
      data-hop={kind}
      data-standing={standing}
      className="relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-2.5 px-2.5 pt-2.5 pb-3"
    >
      {/* Line to the next hop. */}
      {!isLast && <span aria-hidden className="absolute top-9.5 bottom-0 left-6 w-px bg-line" />}
      <span aria-hidden className="grid size-7 place-items-center rounded-full border border-line bg-ground">
        <Icon className="size-4 text-dim" />
      </span>
      <div className="grid min-w-0 gap-1.5">
        <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
          <h4 className="min-w-0 text-sm font-medium wrap-anywhere max-sm:basis-full">
            {HOP_TITLES[kind]}
            {name !== null && NAMED.has(kind) && <span className="figures font-normal text-faint"> {name}</span>}
          </h4>
          {kind !== 'client' && <Reading reads={reads} isClaim={standing === 'claim'} />}
          <span className={cn('flex items-center gap-1 text-xs whitespace-nowrap sm:ml-auto', ink)}>
            <Mark aria-hidden className="size-3.5 shrink-0" />
            {HOP_STANDINGS[standing]}
          </span>
        </div>
        <dl className="grid gap-x-3 gap-y-0.5 text-xs sm:grid-cols-[4.5rem_minmax(0,1fr)] sm:gap-y-1">
          <Fact name={words.operator}>{text.operator}</Fact>
          <Fact name={words.reads}>{text.reads}</Fact>
          <Fact name={words.proof}>{text.proof}</Fact>
        </dl>
      </div>
    </li>
  );
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
