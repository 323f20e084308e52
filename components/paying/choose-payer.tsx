'use client';

import { Button } from '@/components/ui/button';
import { useCredential } from '@/lib/browser/credential/credential';
import { payerPanel } from '@/lib/browser/page/opened';
import { useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { payerWords } from './payer-words';

interface ChoosePayerProps {
  /** Renders the control inline in a sentence instead of as a button. */
  isInline?: boolean;
  /** Returns the element to focus after the panel closes; this button by default. */
  focusAfter?: () => HTMLElement | null;
}

export function ChoosePayer({ isInline = false, focusAfter }: ChoosePayerProps) {
  const { kind } = useCredential();
  const choose = useIsWalletOfUse() ? payerWords.choose : payerWords.addKey;
  return (
    <Button
      {...(isInline ? { tone: 'link', size: 'inline' } : { size: 'sm' })}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => payerPanel.set(true, focusAfter ?? (() => currentTarget))}
    >
      {kind === 'signed-out' ? payerWords.signInAgain : choose}
    </Button>
  );
}
