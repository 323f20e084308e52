'use client';

import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { UnexpectedTerms } from './payment-draft';
import { payTroubleWords as words } from './payment-words';

/** Shows why a payment could not be prepared. Nothing is signed yet. */
export function DraftProblem({ error }: { error: unknown }) {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const failure = classifyFailure(thrown);
  const cure =
    thrown instanceof UnexpectedTerms
      ? words.chooseOtherChain
      : failure.kind === 'refused'
        ? words.refused(failure.error.detail.hint)
        : failure.kind === 'broken'
          ? words.chainSilent
          : words.checkConnection;
  return (
    <Notice tone="bad" title={thrown.message}>
      {cure}
    </Notice>
  );
}
