'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { type Pinnable, PINNABLE, PINNABLE_LABELS, PLATFORM_NAMES, readTypedPin } from './kept-pins';
import { chatPrivacyWords as words } from './words';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import { type FormEvent, useState } from 'react';

const MEASUREMENTS = [...PLATFORM_NAMES, 'composeHash', 'rtMr3'] as const satisfies readonly Pinnable[];
const NONE = { name: '' };

/** Fields for a pin: a set of measurements that identifies a workload. */
export function PinFields({ onPin }: { onPin: (pin: PinnedWorkload) => void }) {
  const [typed, setTyped] = useState<Parameters<typeof readTypedPin>[0]>(NONE);
  const [wrong, setWrong] = useState<{ field: string; fault: string } | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTypedPin(typed);
    setWrong('fault' in read ? read : null);
    if ('fault' in read) return;
    onPin(read.pin);
    setTyped(NONE);
  };
  const input = (field: Pinnable | 'name', id: string) => ({
    id,
    value: typed[field] ?? '',
    'aria-invalid': wrong?.field === field,
    'aria-describedby': wrong?.field === field ? `${id}-message` : undefined,
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [field]: event.target.value }),
  });
  const message = (field: string) => (wrong?.field === field ? wrong.fault : undefined);
  return (
    <form onSubmit={submit} data-takes-hashes="bare" className="grid gap-3 pt-3">
      <Field label={words.pins.name} htmlFor="pin-name" message={message('name')}>
        <Input {...input('name', 'pin-name')} maxLength={80} placeholder={words.pins.nameHint} />
      </Field>
      {MEASUREMENTS.map((field) => (
        <Field
          key={field}
          label={PINNABLE_LABELS[field]}
          htmlFor={`pin-${field}`}
          hint={field === 'rtMr3' ? words.pins.insteadOfCompose : words.pins.characters(PINNABLE[field])}
          message={message(field)}
        >
          <Input {...input(field, `pin-${field}`)} className="figures" />
        </Field>
      ))}
      <Button type="submit" size="sm" className="justify-self-start">
        {words.pins.pin}
      </Button>
    </form>
  );
}
