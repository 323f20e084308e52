import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { usageHref } from '@/lib/browser/billing/usage-view';
import { chargesWords } from '@/lib/browser/words/charges';
import type { MouseEvent } from 'react';

/** Shows a full request id with a link to its request and charge, and a copy button. */
export function RequestId({
  requestId,
  onChoose,
  className,
}: {
  requestId: string;
  onChoose: (request: string) => void;
  className?: string;
}) {
  const choose = (event: MouseEvent) => {
    // Leaves clicks that open a new tab to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(requestId);
  };
  return (
    <span className={cn('-mb-1 flex min-w-0 items-center text-xs', className)}>
      <a
        href={usageHref({ request: requestId })}
        onClick={choose}
        className="figures min-w-0 truncate text-faint underline-offset-4 hover:text-ink hover:underline"
      >
        {requestId}
      </a>
      <CopyButton
        text={requestId}
        label={chargesWords.copyId(requestId)}
        iconOnly
        className="size-6 pointer-coarse:size-8"
      />
    </span>
  );
}
