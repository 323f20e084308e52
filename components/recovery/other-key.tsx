'use client';

import { KeyForm } from '@/components/paying/key-form';
import { Button } from '@/components/ui/button';
import { chooseCredential, useCredential, useOwnKey } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { useSandbox } from '@/lib/browser/sandbox';
import type { CallCredential } from '@/lib/client';
import { recoveryWords } from '@/lib/browser/words/recovery';

export function OtherKey({ onDone }: { onDone: (presented: CallCredential) => void }) {
  const credential = useCredential();
  const own = useOwnKey();
  const demoKey = useSandbox().data?.demoKey ?? null;
  const use = (choice: { kind: 'own' } | { kind: 'demo' }, apiKey: string) => {
    chooseCredential(choice);
    onDone({ kind: 'apiKey', apiKey });
  };
  return (
    <div className="grid gap-3 pt-1.5 text-ink">
      <div className="flex flex-wrap gap-2 empty:hidden">
        {own !== null && credential.kind !== 'own' && (
          <Button size="sm" onClick={() => use({ kind: 'own' }, own.apiKey)}>
            {recoveryWords.payWithYourKey(maskSecret(own.apiKey))}
          </Button>
        )}
        {demoKey !== null && credential.kind !== 'demo' && (
          <Button size="sm" onClick={() => use({ kind: 'demo' }, demoKey)}>
            {recoveryWords.payWithDemoKey}
          </Button>
        )}
      </div>
      <KeyForm onDone={onDone} />
    </div>
  );
}
