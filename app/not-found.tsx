import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';

export default function NotFound() {
  return (
    <div data-drawing="chain" className="grid flex-1 place-content-center justify-items-center gap-4 p-8 text-center">
      <h1 className="text-xl font-semibold">There is no page at this address.</h1>
      <p className="text-dim">The link may be old or cut off.</p>
      <Button asChild tone="primary">
        <PageLink href="/">Go to the overview</PageLink>
      </Button>
    </div>
  );
}
