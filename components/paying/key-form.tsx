'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { enterKey, isSendableKey, OPERATOR_PATH, useOwnKey } from '@/lib/browser/credential/credential';
import { isOperatorKey, refusalOfKey } from './key-check';
import { keepOperatorKey } from '@/lib/browser/credential/operator-key';
import type { CallCredential } from '@/lib/client';
import { putSecretIn, useFoundSecret } from '@/lib/browser/credential/pasted-secret';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { payingWords } from './words';
import { type FormEvent, useId, useState } from 'react';

/**
 * Accepts an API key and stores it permanently or until the last tab closes. Asks for confirmation if the gateway
 * refuses the key.
 */
export function KeyForm({ onDone }: { onDone: (presented: CallCredential) => void }) {
  const id = useId();
  const hasOwn = useOwnKey() !== null;
  // The sandbox has a demo key.
  const hasKey = useGatewaySettings().data?.profile !== 'live' || hasOwn;
  const [apiKey, setApiKey] = useState('');
  const [remember, setRemember] = useState(false);
  const [showProblem, setShowProblem] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const [refused, setRefused] = useState<{ apiKey: string; sentence: string } | null>(null);
  const [isOperators, setIsOperators] = useState(false);
  const refusal = refused?.apiKey === apiKey ? refused.sentence : null;
  // Repeats the notice about a pasted secret, because keyboard users cannot reach the notice above the page.
  const secret = useFoundSecret();
  const problem =
    apiKey === '' ? payingWords.otherKey.empty : isSendableKey(apiKey) ? null : payingWords.otherKey.malformed;
  const takeOperatorKey = () => {
    keepOperatorKey(apiKey);
    setApiKey('');
    setIsOperators(true);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(problem !== null);
    if (problem !== null || isChecking) return;
    if (refusal === null) {
      setIsChecking(true);
      const sentence = await refusalOfKey(apiKey);
      const isOfOperator = sentence !== null && (await isOperatorKey(apiKey));
      setIsChecking(false);
      if (isOfOperator) return takeOperatorKey();
      if (sentence !== null) return setRefused({ apiKey, sentence });
    }
    enterKey({ apiKey, remember });
    onDone({ kind: 'apiKey', apiKey });
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3 border-t border-line pt-4" noValidate>
      <Field
        label={hasKey ? payingWords.otherKey.label : payingWords.otherKey.onlyLabel}
        htmlFor={id}
        message={
          secret !== null ? (
            <WalletsKey words={secret.words} putIn={secret.putIn === null ? null : putSecretIn} />
          ) : showProblem && problem !== null ? (
            problem
          ) : (
            refusal !== null && <span role="alert">{refusal}</span>
          )
        }
      >
        <Input
          id={id}
          type="password"
          value={apiKey}
          placeholder={payingWords.otherKey.placeholder}
          className="figures"
          autoComplete="off"
          data-1p-ignore
          aria-invalid={(showProblem && problem !== null) || refusal !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => setApiKey(event.target.value.trim())}
        />
      </Field>
      <label className="flex items-center gap-2 text-sm text-dim">
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
          className="size-4"
        />
        {payingWords.otherKey.remember}
      </label>
      {isOperators && (
        <Notice
          tone="info"
          title={payingWords.otherKey.isOperators}
          actions={
            <Button asChild size="sm">
              <PageLink href={OPERATOR_PATH}>{payingWords.otherKey.openOperator}</PageLink>
            </Button>
          }
        />
      )}
      <Button type="submit" disabled={isChecking} className="justify-self-start">
        {isChecking
          ? payingWords.otherKey.checking
          : refusal === null
            ? payingWords.otherKey.use
            : payingWords.otherKey.useAnyway}
      </Button>
    </form>
  );
}

function WalletsKey({ words, putIn }: { words: string; putIn: (() => void) | null }) {
  return (
    <span className="grid justify-items-start gap-2">
      {payingWords.otherKey.walletsKey(words)}
      {putIn !== null && (
        <Button size="sm" onClick={putIn}>
          {payingWords.otherKey.putIn}
        </Button>
      )}
    </span>
  );
}
