'use client';

import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential';
import { payerPanel } from '@/lib/browser/opened';
import { shellWords } from '@/lib/browser/words/shell';

interface ChoosePayerProps {
  /** As words within a sentence, not as a button below it. */
  isInline?: boolean;
  /** What gets the focus once somebody was chosen or nobody was; left out, that is this button. */
  focusAfter?: () => HTMLElement | null;
}

/** Opens the control of who pays, beside a sentence that says that nobody does. */
export function ChoosePayer({ isInline = false, focusAfter }: ChoosePayerProps) {
  const { kind } = useCredential();
  return (
    <Button
      {...(isInline ? { tone: 'link', size: 'inline' } : { size: 'sm' })}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => payerPanel.set(true, focusAfter ?? (() => currentTarget))}
    >
      {kind === 'signed-out' ? shellWords.payer.signInAgain : shellWords.payer.choose}
    </Button>
  );
}
