'use client';

import { Button } from '@/components/ui/button';
import { DateField } from '@/components/ui/date-field';
import { Field, Input } from '@/components/ui/field';
import { HeldChoice } from '@/components/ui/held-choice';
import { Select } from '@/components/ui/select';
import { Summary } from '@/components/ui/summary';
import { formatBalance } from '@/lib/browser/text/amounts';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { type MintFields, namesOf, readMintFields, type useMintDraft } from './mint-fields';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import { keyBudgetWords, keyListWords, mintWords as words } from './key-list-words';
import { KeySquare } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { MintScope } from './mint-scope';

/**
 * Form for a new key.
 * @param problem why the user cannot mint yet, as a sentence; null if the user can mint
 * @param allocation daily allocation of the wallet's stake; null if unknown
 * @param prepaidUsd wallet's prepaid balance; null if unknown
 * @param hasNoAllocation whether to propose the prepaid balance until the user chooses
 * @param takesFocus whether the form replaces an element that had focus
 */
export function MintForm({
  draft: { fields: drafted, edit },
  isRunning,
  problem,
  takesFocus,
  allocation,
  prepaidUsd,
  hasNoAllocation,
  onMint,
}: {
  draft: Pick<ReturnType<typeof useMintDraft>, 'fields' | 'edit'>;
  isRunning: boolean;
  problem: string | null;
  takesFocus: boolean;
  allocation: string | null;
  prepaidUsd: number | null;
  hasNoAllocation: boolean;
  onMint: (wish: MintWish) => void;
}) {
  const id = useId();
  const [showProblems, setShowProblems] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const proposed = hasNoAllocation && drafted.spends === '' ? centsOf(prepaidUsd) : '';
  const fields = proposed === '' ? drafted : { ...drafted, spends: 'prepaid', prepaid: proposed };
  const read = readMintFields(fields, new Date());
  const problems = showProblems && !read.ok ? read.problems : {};
  const put = (name: keyof MintFields) => (event: { target: { value: string } }) =>
    edit({ [name]: event.target.value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblems(!read.ok);
    // Unfolds the limits if one of them is invalid.
    if (!read.ok && LIMIT_FIELDS.some((name) => read.problems[name] !== undefined)) setIsOpen(true);
    if (read.ok && problem === null) onMint(read.wish);
  };
  const field = (name: keyof MintFields) => ({
    id: `${id}-${name}`,
    value: fields[name],
    disabled: isRunning,
    onChange: put(name),
    'aria-invalid': problems[name] !== undefined,
    'aria-describedby': `${id}-${name}-message`,
  });
  return (
    <form onSubmit={submit} className="grid content-start gap-4" noValidate>
      <Field label={words.name} hint={words.nameHint} htmlFor={`${id}-name`} message={problems.name}>
        <Input {...field('name')} autoFocus={takesFocus} placeholder={words.nameExample} maxLength={256} />
      </Field>
      <fieldset className="grid gap-2">
        <legend className="pb-1 text-sm font-medium">{words.spends.label}</legend>
        <SpendChoice
          group={`${id}-spends`}
          disabled={isRunning}
          isChosen={fields.spends !== 'prepaid'}
          label={words.spends.allocation}
          note={allocation}
          onChoose={() => edit({ spends: 'allocation' })}
        />
        <SpendChoice
          group={`${id}-spends`}
          disabled={isRunning}
          isChosen={fields.spends === 'prepaid'}
          label={words.spends.prepaid}
          note={prepaidUsd === null ? null : formatBalance(prepaidUsd)}
          // When the user chooses prepaid money, proposes the balance if the field is empty.
          onChoose={() => edit({ spends: 'prepaid', prepaid: fields.prepaid || centsOf(prepaidUsd) })}
        />
        {fields.spends === 'prepaid' && (
          <div className="max-w-60 pl-6">
            <Field
              label={words.spends.upTo}
              hint={keyListWords.periods[fields.period as keyof typeof keyListWords.periods]}
              htmlFor={`${id}-prepaid`}
              message={problems.prepaid}
            >
              <Input
                {...field('prepaid')}
                onChange={({ target }) => edit({ spends: 'prepaid', prepaid: target.value })}
                inputMode="decimal"
                className="figures"
              />
            </Field>
          </div>
        )}
      </fieldset>
      <details
        className="group rounded-md border border-line"
        open={isOpen || undefined}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <Summary className="min-h-10 flex-wrap px-3 py-2 text-sm hover:bg-hover">
          <span className="font-medium">{words.limits}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-dim">
            {boundsIn(fields).join(' · ') || words.noBounds}
          </span>
        </Summary>
        <div className="grid gap-4 border-t border-line p-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={words.type} htmlFor={`${id}-type`}>
              <Select
                {...field('type')}
                onChange={(type) => edit({ type })}
                options={[
                  { value: 'INFERENCE', label: words.inference },
                  { value: 'ADMIN', label: words.admin },
                ]}
              />
            </Field>
            <Field label={words.expires} hint={words.expiresHint} htmlFor={`${id}-expires`} message={problems.expires}>
              <DateField {...field('expires')} onChange={(expires) => edit({ expires })} />
            </Field>
            <Field label={words.period} htmlFor={`${id}-period`}>
              <Select
                {...field('period')}
                onChange={(period) => edit({ period })}
                options={[
                  { value: 'LIFETIME', label: words.lifetime },
                  { value: 'MONTH', label: words.month },
                  { value: 'EPOCH', label: words.day },
                ]}
              />
            </Field>
            <Field label={words.allocationLimit} hint={words.limitHint} htmlFor={`${id}-diem`} message={problems.diem}>
              <Input {...field('diem')} inputMode="decimal" placeholder={words.none} className="figures" />
            </Field>
            <Field label={words.usdLimit} hint={words.limitHint} htmlFor={`${id}-usd`} message={problems.usd}>
              <Input {...field('usd')} inputMode="decimal" placeholder={words.none} className="figures" />
            </Field>
          </div>
          <MintScope fields={fields} disabled={isRunning} onEdit={edit} />
        </div>
      </details>
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          tone="primary"
          disabled={isRunning || problem !== null}
          aria-describedby={`${id}-problem`}
        >
          <KeySquare aria-hidden />
          {isRunning ? words.isMinting : words.mint}
        </Button>
        <p id={`${id}-problem`} className="min-w-0 text-xs text-dim">
          {isRunning ? words.youSign : (problem ?? words.youSign)}
        </p>
      </div>
    </form>
  );
}

const LIMIT_FIELDS = ['expires', 'usd', 'diem'] as const;

function boundsIn({ type, expires, period, usd, diem, endpoints, networks, models }: MintFields): string[] {
  const periodName = keyListWords.periods[period as keyof typeof keyListWords.periods] ?? '';
  const named = (field: string, name: (each: string) => string = (each) => each) => namesOf(field).map(name).join(', ');
  return [
    type === 'ADMIN' ? keyListWords.admin : '',
    diem.trim() === '' ? '' : `${keyListWords.ofAllocation(`$${diem.trim()}`)} ${periodName}`,
    usd.trim() === '' ? '' : `${keyListWords.ofUsd(`$${usd.trim()}`)} ${periodName}`,
    expires === '' ? '' : keyListWords.expires(expires),
    named(endpoints, (each) => keyBudgetWords.endpointNames[each as Sold] ?? each),
    named(networks),
    named(models),
  ].filter((bound) => bound !== '');
}

function SpendChoice({
  group,
  disabled,
  isChosen,
  label,
  note,
  onChoose,
}: {
  group: string;
  disabled: boolean;
  isChosen: boolean;
  label: string;
  note: string | null;
  onChoose: () => void;
}) {
  return (
    <label className="flex items-baseline gap-2 text-sm pointer-coarse:min-h-10 pointer-coarse:items-center">
      <HeldChoice
        type="radio"
        name={group}
        disabled={disabled}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0 translate-y-[3px] pointer-coarse:translate-y-0"
      />
      <span className="min-w-0 flex-1">{label}</span>
      {note !== null && <span className="figures text-xs text-dim">{note}</span>}
    </label>
  );
}

function centsOf(usd: number | null): string {
  return usd === null || usd < 0.01 ? '' : (Math.floor(usd * 100 + 1e-6) / 100).toFixed(2);
}
