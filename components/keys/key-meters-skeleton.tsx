import { Skeleton } from '@/components/ui/skeleton';

export function KeyMetersSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Skeleton className="h-34 sm:h-30" />
      <Skeleton className="h-34 sm:h-30" />
    </div>
  );
}
