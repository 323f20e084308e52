'use client';

import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
import { UnexpectedTerms } from '@/lib/browser/top-up/payment-draft';

/** Why a payment could not be prepared. Nothing was signed yet. */
export function DraftProblem({ error }: { error: unknown }) {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const failure = classifyFailure(thrown);
  const cure =
    thrown instanceof UnexpectedTerms
      ? 'Nothing was signed. Choose another chain, or reload the page and review again.'
      : failure.kind === 'refused'
        ? `Nothing was signed. ${failure.error.detail.hint ?? 'Review again shortly.'}`
        : failure.kind === 'broken'
          ? 'Nothing was signed. The chain may not answer: review again shortly, or choose another one.'
          : 'Nothing was signed. Check the connection, then review again.';
  return (
    <Notice tone="bad" title={thrown.message}>
      {cure}
    </Notice>
  );
}
