'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useBrand } from '@/lib/browser/reads/settings';
import type { CallCredential, ListedKey } from '@/lib/client';
import { SOLD, type Sold } from '@/lib/protocol/api-keys/key-scope';
import { type FormEvent, useId, useState } from 'react';
import { fieldsOf, type KeyBudgetFields, readKeyBudget } from './key-budget-fields';
import { useChangeKey } from './key-changes';
import { keyBudgetWords as words, keyListWords } from './key-list-words';

export function KeyBudgetButton({
  listed,
  credential,
  onChanged,
}: {
  listed: ListedKey;
  credential: CallCredential | null;
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

function KeyBudgetForm({
  listed,
  credential,
  onChanged,
  onDone,
}: {
  listed: ListedKey;
  credential: CallCredential | null;
  onChanged: () => void;
  onDone: () => void;
}) {
  const id = useId();
  const { slug } = useBrand();
  const change = useChangeKey(credential);
  const [fields, setFields] = useState(() => fieldsOf(listed));
  const [showProblems, setShowProblems] = useState(false);
  const byWallet = credential?.kind === 'signIn';
  const { networks, isLive } = useNetworks();
  const read = readKeyBudget(fields, byWallet, isLive ? networks.map(({ slug }) => slug) : null);
  const problems = showProblems && !read.ok ? read.problems : {};
  const period = keyListWords.periods[listed.limitPeriod];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblems(!read.ok);
    if (read.ok)
      change.mutate(
        { id: listed.id, budget: read.budget },
        {
          onSuccess({ webhookSecret, alert }) {
            // Offers no undo after a webhook was removed or replaced, because a restored webhook would get another
            // secret.
            if ((alert?.webhookUrl ?? null) === (listed.alert?.webhookUrl ?? null)) onChanged();
            if (webhookSecret === undefined) onDone();
          },
        },
      );
  };
  const input = (name: Exclude<keyof KeyBudgetFields, 'endpoints' | 'privacy'>) => ({
    id: `${id}-${name}`,
    value: fields[name],
    disabled: change.isPending,
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
    'aria-invalid': problems[name] !== undefined,
    'aria-describedby': `${id}-${name}-message`,
  });
  if (change.data?.webhookSecret !== undefined)
    return <SavedWithSecret secret={change.data.webhookSecret} onDone={onDone} />;
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <EndpointChoice
        chosen={fields.endpoints}
        problem={problems.endpoints}
        onChoose={(endpoints) => setFields({ ...fields, endpoints })}
      />
      <Field label={words.networks} hint={words.networksHint} htmlFor={`${id}-networks`} message={problems.networks}>
        <Input {...input('networks')} placeholder={words.networksExample} />
      </Field>
      <Field label={words.models} hint={words.modelsHint} htmlFor={`${id}-models`}>
        <Input {...input('models')} placeholder={words.modelsExample} />
      </Field>
      <Field
        label={words.prepaid}
        hint={words.prepaidHint(period)}
        htmlFor={`${id}-prepaid`}
        message={problems.prepaid}
      >
        <Input {...input('prepaid')} disabled={!byWallet || change.isPending} inputMode="decimal" className="figures" />
      </Field>
      {!byWallet && <p className="text-xs text-dim">{words.prepaidNeedsWallet}</p>}
      <Field label={words.alert} hint={words.alertHint(period)} htmlFor={`${id}-alert`} message={problems.alert}>
        <Input {...input('alert')} inputMode="decimal" className="figures" />
      </Field>
      <Field label={words.webhook} hint={words.webhookHint} htmlFor={`${id}-webhook`} message={problems.webhook}>
        <Input {...input('webhook')} type="url" placeholder={words.webhookExample(slug)} />
      </Field>
      {change.isError && <Notice tone="bad" title={change.error.message} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{words.cancel}</Button>
        <Button type="submit" tone="primary" disabled={change.isPending}>
          {change.isPending ? words.isSaving : words.save}
        </Button>
      </div>
    </form>
  );
}

function EndpointChoice({
  chosen,
  problem,
  onChoose,
}: {
  chosen: readonly Sold[];
  problem: string | undefined;
  onChoose: (endpoints: Sold[]) => void;
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="text-sm font-medium">{words.endpoints}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {SOLD.map((endpoint) => (
          <label key={endpoint} className="flex items-center gap-2 text-sm pointer-coarse:min-h-10">
            <input
              type="checkbox"
              checked={chosen.includes(endpoint)}
              onChange={({ target }) =>
                onChoose(SOLD.filter((each) => (each === endpoint ? target.checked : chosen.includes(each))))
              }
              className="size-4"
            />
            {words.endpointNames[endpoint]}
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="text-xs text-bad">{problem}</p>}
    </fieldset>
  );
}

function SavedWithSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className="grid gap-3">
      <p className="text-sm" role="status">
        {words.saved} {words.webhookSecret}
      </p>
      <code className="figures rounded-md border border-line px-2 py-1 text-xs break-all">{secret}</code>
      <div className="flex justify-end gap-2">
        <CopyButton size="md" text={secret} label={words.copySecret} />
        <Button tone="primary" autoFocus onClick={onDone}>
          {keyListWords.done}
        </Button>
      </div>
    </div>
  );
}
