'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useBrand } from '@/lib/browser/reads/settings';
import type { CallCredential, KeyBudget, ListedKey } from '@/lib/client';
import { type Privacy, SOLD, type Sold } from '@/lib/protocol/api-keys/key-scope';
import { type FormEvent, useId, useState } from 'react';
import { useChangeKey } from './key-changes';
import { keyBudgetWords as words, keyListWords } from './key-list-words';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';

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
            // Offers no undo after the webhook changed, because a restored webhook would get another secret.
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
      <legend className="pb-1 text-sm font-medium">{words.endpoints}</legend>
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

interface KeyBudgetFields {
  endpoints: readonly Sold[];
  networks: string;
  models: string;
  /** Privacy restriction of the key. The form keeps the restriction and cannot change it. */
  privacy: Privacy | null;
  prepaid: string;
  alert: string;
  webhook: string;
}

type KeyBudgetProblems = Partial<Record<keyof KeyBudgetFields, string>>;

export function fieldsOf({ allow, prepaidLimitUsd, alert }: ListedKey): KeyBudgetFields {
  return {
    endpoints: allow?.endpoints ?? SOLD,
    networks: allow?.networks?.join(', ') ?? '',
    models: allow?.models?.join(', ') ?? '',
    privacy: allow?.privacy ?? null,
    prepaid: prepaidLimitUsd === null ? '' : String(prepaidLimitUsd),
    alert: alert === null ? '' : String(alert.usd),
    webhook: alert?.webhookUrl ?? '',
  };
}

/**
 * Parses the changes from the form, or returns the form's faults.
 * @param byWallet whether the request is sent with a wallet's sign-in; only a sign-in may grant prepaid money
 * @param slugs slugs of the gateway's networks; while they are null, only the gateway validates networks
 */
export function readKeyBudget(
  fields: KeyBudgetFields,
  byWallet: boolean,
  slugs: readonly string[] | null,
): { ok: true; budget: KeyBudget } | { ok: false; problems: KeyBudgetProblems } {
  const problems: KeyBudgetProblems = {};
  const amountOf = (name: 'prepaid' | 'alert'): number | null => {
    const text = fields[name].trim();
    if (text === '') return null;
    const usd = Number(text);
    if (!isAmount(usd) || (name === 'alert' && usd === 0)) problems[name] = words.notAnAmount;
    return usd;
  };
  if (fields.endpoints.length === 0) problems.endpoints = words.nothingAllowed;
  const [networks, models] = [namesIn(fields.networks), namesIn(fields.models)];
  const unknown = networks.find((network) => slugs !== null && !slugs.includes(network));
  if (unknown !== undefined) problems.networks = words.unknownNetwork(unknown.slice(0, 60));
  const allow = {
    ...(fields.endpoints.length < SOLD.length && { endpoints: [...fields.endpoints] }),
    ...(networks.length > 0 && { networks }),
    ...(models.length > 0 && { models }),
    ...(fields.privacy !== null && { privacy: fields.privacy }),
  };
  const prepaidLimitUsd = amountOf('prepaid');
  const alertUsd = amountOf('alert');
  const webhookUrl = fields.webhook.trim() === '' ? null : fields.webhook.trim();
  if (webhookUrl !== null && alertUsd === null) problems.alert = words.webhookNeedsAmount;
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const alert = alertUsd === null ? null : { usd: alertUsd, webhookUrl };
  return {
    ok: true,
    budget: { allow: Object.keys(allow).length === 0 ? null : allow, alert, ...(byWallet && { prepaidLimitUsd }) },
  };
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function isAmount(usd: number): boolean {
  try {
    nanoUsdOfNumber(usd);
    return true;
  } catch {
    return false;
  }
}
