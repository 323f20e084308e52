import { Skeleton } from '@/components/ui/skeleton';
import { overviewWords } from '@/lib/browser/words/overview';
import { Section } from './section';

const words = overviewWords.lowerHalf;

/**
 * Placeholder for the lower half of the Overview page. Has the height and the headings of the real content, so that
 * links to headings work.
 */
export function LowerHalfSkeleton() {
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-2">
        <Place title={overviewWords.lastCalls.title} className="h-80" />
        <Place title={words.dollar} className="h-96" />
        <div className="lg:col-span-2">
          <Place title={words.firstCall} className="h-72" />
        </div>
      </div>
      <Place title={words.networks} anchor="networks" className="h-[55rem] sm:h-96" />
      <Place title={words.models} className="h-[80rem] sm:h-[40rem]" />
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
