'use client';

import { ChoosePayer } from '@/components/paying/choose-payer';
import { Button } from '@/components/ui/button';
import { statusOf } from '@/lib/browser/call-failure';
import { uiWords } from '@/lib/browser/words/ui';

/** Why something of the account is not shown, and what helps: another payer where the gateway does not take this one, else another try. */
export function ReadFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-bad">{error.message}</p>
      {statusOf(error) === 401 ? (
        <ChoosePayer />
      ) : (
        <Button size="sm" onClick={onRetry}>
          {uiWords.tryAgain}
        </Button>
      )}
    </div>
  );
}
