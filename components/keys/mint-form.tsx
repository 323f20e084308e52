'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { MintWish } from '@/lib/browser/keys/use-mint';
import { type MintFields, NO_FIELDS, readMintFields } from '@/lib/browser/keys/mint-fields';
import { KeySquare } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

/** What the key is to be: type, name, expiry, limit with its period. */
export function MintForm({ isRunning, onMint }: { isRunning: boolean; onMint: (wish: MintWish) => void }) {
  const id = useId();
  const [fields, setFields] = useState<MintFields>(NO_FIELDS);
  const [showProblems, setShowProblems] = useState(false);
  const read = readMintFields(fields, new Date());
  const problems = showProblems && !read.ok ? read.problems : {};
  const put = (name: keyof MintFields) => (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblems(!read.ok);
    if (read.ok) onMint(read.wish);
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
        <Field label="Type" htmlFor={`${id}-type`}>
          <Select {...field('type')}>
            <option value="INFERENCE">Inference: makes paid calls</option>
            <option value="ADMIN">Admin: also lists and revokes keys</option>
          </Select>
        </Field>
        <Field label="Name" hint="for yourself" htmlFor={`${id}-name`} message={problems.name}>
          <Input {...field('name')} placeholder="Laptop" maxLength={256} />
        </Field>
        <Field label="Expires" hint="end of the day, UTC; empty for never" htmlFor={`${id}-expires`} message={problems.expires}>
          <Input type="date" {...field('expires')} />
        </Field>
        <Field label="Limits count over" htmlFor={`${id}-period`}>
          <Select {...field('period')}>
            <option value="LIFETIME">the life of the key</option>
            <option value="MONTH">a month</option>
            <option value="EPOCH">a day</option>
          </Select>
        </Field>
        <Field label="Limit on the allocation" hint="USD, optional" htmlFor={`${id}-diem`} message={problems.diem}>
          <Input {...field('diem')} inputMode="decimal" placeholder="none" className="figures" />
        </Field>
        <Field label="Limit on credits and USD" hint="USD, optional" htmlFor={`${id}-usd`} message={problems.usd}>
          <Input {...field('usd')} inputMode="decimal" placeholder="none" className="figures" />
        </Field>
      </div>
      <Button type="submit" tone="primary" className="justify-self-start" disabled={isRunning}>
        <KeySquare aria-hidden />
        {isRunning ? 'Minting…' : 'Mint a key'}
      </Button>
    </form>
  );
}
