import { Skeleton } from '@/components/ui/skeleton';
import { overviewWords } from '@/lib/browser/words/overview';
import { Section } from './section';

const words = overviewWords.lowerHalf;

/** The lower half before its code has come: its headings, so that it can be found and linked to, and its places. */
export function LowerHalfSkeleton() {
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Place title={words.firstCall} className="h-72" />
        <Place title={words.lastCalls} className="h-72" />
        <Place title={words.dollar} className="h-96" />
        <Place title={words.gateway} className="h-56" />
      </div>
      <Place title={words.networks} anchor="networks" className="h-[55rem] sm:h-96" />
      <Place title={words.models} className="h-96 sm:h-56" />
    </div>
  );
}

function Place({ title, anchor, className }: { title: string; anchor?: string; className: string }) {
  return (
    <Section title={title} {...(anchor === undefined ? {} : { anchor })}>
      <Skeleton className={className} />
    </Section>
  );
}
