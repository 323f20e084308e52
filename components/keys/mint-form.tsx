'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { useMintDraft } from '@/lib/browser/keys/mint-draft';
import { type MintFields, readMintFields } from '@/lib/browser/keys/mint-fields';
import { mintWords as words } from '@/lib/browser/words/wallet-keys';
import { KeySquare } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

/**
 * What the key is to be: type, name, expiry, limit with its period.
 * @param problem why nothing can be minted yet, as a sentence; null for nothing in the way
 * @param takesFocus whether it stands in the place of what had the focus
 */
export function MintForm({
  isRunning,
  problem,
  takesFocus,
  onMint,
}: {
  isRunning: boolean;
  problem: string | null;
  takesFocus: boolean;
  onMint: (wish: MintWish) => void;
}) {
  const id = useId();
  const { fields, edit } = useMintDraft();
  const [showProblems, setShowProblems] = useState(false);
  const read = readMintFields(fields, new Date());
  const problems = showProblems && !read.ok ? read.problems : {};
  const put = (name: keyof MintFields) => (event: { target: { value: string } }) =>
    edit({ [name]: event.target.value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblems(!read.ok);
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
    <form onSubmit={submit} className="grid content-start gap-3" noValidate>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={words.type} htmlFor={`${id}-type`}>
          <Select {...field('type')}>
            <option value="INFERENCE">{words.inference}</option>
            <option value="ADMIN">{words.admin}</option>
          </Select>
        </Field>
        <Field label={words.name} hint={words.nameHint} htmlFor={`${id}-name`} message={problems.name}>
          <Input {...field('name')} autoFocus={takesFocus} placeholder={words.nameExample} maxLength={256} />
        </Field>
        <Field label={words.expires} hint={words.expiresHint} htmlFor={`${id}-expires`} message={problems.expires}>
          <Input type="date" {...field('expires')} />
        </Field>
        <Field label={words.period} htmlFor={`${id}-period`}>
          <Select {...field('period')}>
            <option value="LIFETIME">{words.lifetime}</option>
            <option value="MONTH">{words.month}</option>
            <option value="EPOCH">{words.day}</option>
          </Select>
        </Field>
        <Field label={words.allocationLimit} hint={words.limitHint} htmlFor={`${id}-diem`} message={problems.diem}>
          <Input {...field('diem')} inputMode="decimal" placeholder={words.none} className="figures" />
        </Field>
        <Field label={words.usdLimit} hint={words.limitHint} htmlFor={`${id}-usd`} message={problems.usd}>
          <Input {...field('usd')} inputMode="decimal" placeholder={words.none} className="figures" />
        </Field>
      </div>
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          tone="primary"
          disabled={isRunning || problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
        >
          <KeySquare aria-hidden />
          {isRunning ? words.isMinting : words.mint}
        </Button>
        {problem !== null && !isRunning && (
          <p id={`${id}-problem`} className="min-w-0 text-xs text-dim">
            {problem}
          </p>
        )}
      </div>
    </form>
  );
}
