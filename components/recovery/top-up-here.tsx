'use client';

import { Button } from '@/components/ui/button';
import type { AwaitedPayer } from '@/lib/browser/recovery/use-resume';
import { recoveryWords } from '@/lib/browser/words/recovery';
import { WalletCards } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';

const TopUpDialog = dynamic(() => import('@/components/top-up/top-up-dialog').then((module) => module.TopUpDialog), {
  ssr: false,
});

/** Tops up without leaving the page. The interrupted call continues once the payment is credited. */
export function TopUpHere({ onPaid }: { onPaid: (awaited: AwaitedPayer) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        size="sm"
        tone="primary"
        onClick={() => {
          setWasOpened(true);
          setIsOpen(true);
        }}
      >
        <WalletCards aria-hidden />
        {recoveryWords.topUp}
      </Button>
      {wasOpened && <TopUpDialog isOpen={isOpen} onOpenChange={setIsOpen} onPaid={onPaid} />}
    </>
  );
}
