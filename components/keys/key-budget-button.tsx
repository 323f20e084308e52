'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { useState } from 'react';
import { keyBudgetWords as words } from '@/lib/browser/words/wallet-keys';
import type { CallCredential, ListedKey } from '@/lib/client';
import { KeyBudgetForm } from './key-budget-form';

export function KeyBudgetButton({
  listed,
  credential,
  onChanged,
}: {
  listed: ListedKey;
  credential: CallCredential | null;
  /** Called after a change that can be taken back. */
  onChanged: () => void;
}) {
  const [open, setOpen] = useState(false);
  const name = listed.description || `…${listed.last6Chars}`;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" aria-label={words.openFor(name)}>
          {words.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={words.title(name)} description={words.description}>
        <KeyBudgetForm listed={listed} credential={credential} onChanged={onChanged} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}
