import { Skeleton } from '@/components/ui/skeleton';

/**
 * Shows that the user requested another page: immediately a bar, and later that page's placeholder. An attribute of the
 * root element controls both, so that no script has to load or render.
 */
export function PageProgress() {
  return (
    <>
      <span
        aria-hidden
        data-testid="page-progress"
        className="fixed inset-x-0 top-0 z-50 hidden h-0.5 origin-left bg-amber in-data-asked:block in-data-asked:animate-progress"
      />
      <div
        aria-hidden
        data-testid="page-place"
        className="absolute inset-0 z-30 hidden bg-ground in-data-asked:block in-data-asked:animate-late"
      >
        <div className="mx-auto grid max-w-6xl gap-6 px-4 py-6 lg:px-8 lg:py-8">
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-28" />
          <Skeleton className="h-64" />
        </div>
      </div>
    </>
  );
}
