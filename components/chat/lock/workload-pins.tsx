'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { pinFault, PINNABLE_LABELS, PINNABLE_NAMES, type Pinnable, pinWorkload, unpinWorkload, useWorkloadPins } from '@/lib/browser/chat/workload-pins';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import type { AttestationVerdict } from '@/lib/protocol/tee/verify-attestation';
import { ChevronRight, Pin, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';

interface WorkloadPinsProps {
  model: string;
  verdict: AttestationVerdict;
  /** The verdict has to be found anew. */
  onChanged: () => void;
}

/** The workloads that this browser takes for known, and how to pin one: by what the quote says now, or by a hash from elsewhere. */
export function WorkloadPins({ model, verdict, onChanged }: WorkloadPinsProps) {
  const pins = useWorkloadPins();
  const pin = (workload: PinnedWorkload) => {
    pinWorkload(workload);
    onChanged();
  };
  const current = currentPin(model, verdict);
  return (
    <section aria-labelledby="pins" className="grid gap-3 rounded-md border border-line p-3 text-sm">
      <div className="grid gap-1">
        <h3 id="pins" className="font-medium">
          Pinned workloads
        </h3>
        <p className="text-dim">What may run in an enclave, by its measurements. Kept in this browser. A verdict of “verified” needs one: take the hash from those who publish the workload, or build it yourself.</p>
      </div>
      {pins.length > 0 && (
        <ul aria-label="Pinned workloads" className="divide-y divide-line rounded-md border border-line">
          {pins.map((each) => (
            <PinRow key={each.name} pin={each} isFitting={verdict.workload === each.name} onRemove={() => (unpinWorkload(each.name), onChanged())} />
          ))}
        </ul>
      )}
      {current !== null && verdict.workload === null && (
        <div className="grid justify-items-start gap-1.5">
          <Button size="sm" onClick={() => pin(current)}>
            <Pin aria-hidden />
            Pin what runs there now
          </Button>
          <p className="text-xs text-dim">Trust at first use: you are told when it changes, and not whether it is good.</p>
        </div>
      )}
      <PinForm onPin={pin} />
    </section>
  );
}

function PinRow({ pin, isFitting, onRemove }: { pin: PinnedWorkload; isFitting: boolean; onRemove: () => void }) {
  return (
    <li className="flex items-start gap-2 px-2.5 py-2">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="truncate font-medium">
          {pin.name} {isFitting && <span className="text-xs font-normal text-good">✓ runs there</span>}
        </span>
        {PINNABLE_NAMES.filter((name) => pin[name] !== undefined).map((name) => (
          <span key={name} className="flex min-w-0 gap-2 text-xs">
            <span className="shrink-0 text-faint">{PINNABLE_LABELS[name]}</span>
            <span className="figures truncate" title={pin[name]}>
              {pin[name]}
            </span>
          </span>
        ))}
      </div>
      <Button tone="quiet" size="iconSm" aria-label={`Unpin ${pin.name}`} title={`Unpin ${pin.name}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

function PinForm({ onPin }: { onPin: (pin: PinnedWorkload) => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Pinnable>('composeHash');
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = name.trim() === '' ? 'Give it a name.' : pinFault(kind, value);
    setFault(found);
    if (found !== null) return;
    onPin({ name: name.trim(), [kind]: value.trim().toLowerCase() });
    setName('');
    setValue('');
  };
  return (
    <details className="group">
      <summary className="flex min-h-6 w-fit items-center gap-1 rounded-sm text-amber-ink underline-offset-4 hover:underline">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        Pin a hash of your own
      </summary>
      <form onSubmit={submit} className="grid gap-3 pt-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Name" htmlFor="pin-name">
            <Input id="pin-name" value={name} maxLength={80} placeholder="my model 1.2" onChange={(event) => setName(event.target.value)} />
          </Field>
          <Field label="Measurement" htmlFor="pin-kind">
            <Select id="pin-kind" value={kind} onChange={(event) => setKind(PINNABLE_NAMES.find((each) => each === event.target.value) ?? 'composeHash')}>
              {PINNABLE_NAMES.map((each) => (
                <option key={each} value={each}>
                  {PINNABLE_LABELS[each]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Field label="Value" htmlFor="pin-value" hint="hexadecimal" message={fault ?? undefined}>
          <Input id="pin-value" value={value} aria-invalid={fault !== null} aria-describedby={fault === null ? undefined : 'pin-value-message'} className="figures" onChange={(event) => setValue(event.target.value)} />
        </Field>
        <Button type="submit" size="sm" className="justify-self-start">
          Pin it
        </Button>
      </form>
    </details>
  );
}

/** By the compose file where the quote binds one, else by everything that was measured. */
function currentPin(model: string, { measurements, conclusion, checkedAtMs }: AttestationVerdict): PinnedWorkload | null {
  if (measurements === null || conclusion === 'failed' || conclusion === 'not-checkable') return null;
  const { composeHash, ...registers } = measurements;
  const name = `${model} of ${new Date(checkedAtMs).toISOString().slice(0, 10)}`;
  if (composeHash !== null) return { name, composeHash };
  return { name, ...Object.fromEntries(Object.entries(registers).filter(([, value]) => value !== null)) };
}
