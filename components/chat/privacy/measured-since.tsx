'use client';

import { onDemand } from '@/components/ui/on-demand';
import { chatPrivacyWords } from '@/lib/browser/words/chat-privacy';
import type { Attestation } from '@/lib/client/private-chat';
import { useEffect, useState } from 'react';

const Line = onDemand(() => import('./measured-since-line').then((module) => module.MeasuredSinceLine), {
  waiting: <Waiting />,
});

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;
let isSomeoneHere = false;

/** Shows since when a verdict's measurements are known. Reads the log at the first sign of a person, for its size. */
export function MeasuredSince({ attestation }: { attestation: Attestation }) {
  const [isRead, setIsRead] = useState(isSomeoneHere);
  useEffect(() => {
    if (isRead) return;
    const leaving = new AbortController();
    const read = () => setIsRead((isSomeoneHere = true));
    for (const sign of SIGNS)
      window.addEventListener(sign, read, { once: true, passive: true, signal: leaving.signal });
    return () => leaving.abort();
  }, [isRead]);
  return isRead ? <Line attestation={attestation} /> : <Waiting />;
}

function Waiting() {
  return <p className="min-h-6 text-sm text-dim">{chatPrivacyWords.measured.waiting}</p>;
}
