'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { chatPrivacyWords as words } from '@/lib/browser/words/chat-privacy';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import { useState } from 'react';

const PinFields = onDemand(() => import('./pin-fields').then((module) => module.PinFields), {
  waiting: <Skeleton className="mt-3 h-96" />,
});

/** Form for a pin. Its fields load when it is opened. */
export function PinForm({ onPin }: { onPin: (pin: PinnedWorkload) => void }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="group" onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <Summary
        onPointerEnter={PinFields.preload}
        onFocus={PinFields.preload}
        chevronClassName="text-amber-ink"
        className="min-h-6 w-fit gap-1 rounded-sm text-amber-ink underline-offset-4 hover:underline"
      >
        {words.pins.ownTitle}
      </Summary>
      {wasOpened && <PinFields onPin={onPin} />}
    </details>
  );
}
