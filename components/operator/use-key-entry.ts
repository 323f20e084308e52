'use client';

import { keepOperatorKey } from '@/lib/browser/credential/operator-key';
import { isSendableKey } from '@/lib/browser/credential/secret';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useAction } from '@/lib/browser/reads/use-read';
import { useState } from 'react';
import { operatorWords } from './words';

const words = operatorWords.signIn.key;

export function useKeyEntry() {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isPending, error } = useAction(async (apiKey: string) => {
    const { askOperatorFigures } = await import('@/lib/client/operator-figures');
    const figures = await askOperatorFigures(gatewayOptions({ kind: 'apiKey', apiKey }));
    if (figures === null) setProblem(words.notAccepted);
    else keepOperatorKey(apiKey);
  });
  return {
    key,
    isPending,
    problem: problem ?? (isPending ? null : (error?.message ?? null)),
    enter: (text: string) => {
      setKey(text.trim());
      setProblem(null);
    },
    submit: () => {
      const fault = key === '' ? words.empty : isSendableKey(key) ? null : words.malformed;
      setProblem(fault);
      if (fault === null && !isPending) void run(key);
    },
  };
}
