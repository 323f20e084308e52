import { Skeleton } from '@/components/ui/skeleton';
import { operatorWords as words } from '@/lib/browser/words/operator';

export function OperatorSkeleton() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <p role="status" className="sr-only">
        {words.loading}
      </p>
      <div className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-dim">{words.intro}</p>
      </div>
      <Skeleton className="h-23 rounded-md" />
      <Skeleton className="h-72 rounded-md" />
      <Skeleton className="h-96 rounded-md" />
    </div>
  );
}
