import type { ListedError } from '@/lib/browser/api-reference/listed';
import { referenceWords } from '@/lib/browser/words/reference';
import { memo } from 'react';
import { ListSection } from './list-section';

export const ErrorSection = memo(function ErrorSection({ errors }: { errors: readonly ListedError[] }) {
  if (errors.length === 0) return null;
  return (
    <ListSection id="errors" title={referenceWords.lists.errors} note={referenceWords.lists.errorsNote}>
      <ul className="divide-y divide-line rounded-md border border-line laid-out-in-sight">
        {errors.map(({ code, status, error, hint }) => (
          <li
            key={code}
            id={`error-${code}`}
            className="grid scroll-mt-28 gap-x-4 gap-y-0.5 px-3 py-2 text-sm sm:grid-cols-[3rem_minmax(0,1fr)] lg:scroll-mt-4"
          >
            <span className="figures text-bad">{status}</span>
            <div className="grid min-w-0 gap-0.5">
              <code className="figures text-xs wrap-anywhere">{code}</code>
              <span>{error}</span>
              <span className="text-dim">{hint}</span>
            </div>
          </li>
        ))}
      </ul>
    </ListSection>
  );
});
