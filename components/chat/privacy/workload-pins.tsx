'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import { Pin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  completedPin,
  fitsMeasured,
  pinLack,
  PINNABLE_LABELS,
  PINNABLE_NAMES,
  pinsOfVerdict,
  pinWorkload,
  unpinWorkload,
  useWorkloadPins,
} from './kept-pins';
import { chatPrivacyWords as words } from './words';

interface WorkloadPinsProps {
  model: string;
  verdict: ServedVerdict;
  onChanged: () => void;
}

/** Lists the pinned workloads, and pins a workload from the current quote or from entered measurements. */
export function WorkloadPins({ model, verdict, onChanged }: WorkloadPinsProps) {
  const pins = useWorkloadPins();
  const pin = (...workloads: readonly PinnedWorkload[]) => {
    workloads.forEach(pinWorkload);
    onChanged();
  };
  const current = pinsOfVerdict(model, verdict);
  // Offers the measurements for pinning only if the verdict is valid.
  const measured =
    verdict.conclusion === 'failed' || verdict.conclusion === 'not-checkable' ? null : verdict.measurements;
  return (
    <section aria-labelledby="pins" className="grid gap-3 rounded-md border border-line p-3 text-sm">
      <div className="grid gap-1">
        <h3 id="pins" className="font-medium">
          {words.pins.title}
        </h3>
        <p className="text-dim">{words.pins.what}</p>
      </div>
      {pins.length > 0 && (
        <ul aria-label={words.pins.title} className="divide-y divide-line rounded-md border border-line">
          {pins.map((each) => (
            <PinRow
              key={each.name}
              pin={each}
              isFitting={verdict.enclaves.some(({ isUsed, workload }) => isUsed && workload === each.name)}
              onRemove={() => (unpinWorkload(each.name), onChanged())}
              onComplete={
                measured !== null && pinLack(each) !== null && fitsMeasured(each, measured)
                  ? () => pin(completedPin(each, measured))
                  : null
              }
            />
          ))}
        </ul>
      )}
      {current.length > 0 && (
        <div className="grid justify-items-start gap-1.5">
          <Button size="sm" onClick={() => pin(...current)}>
            <Pin aria-hidden />
            {words.pins.pinCurrent}
          </Button>
          <p className="text-xs text-dim">{words.pins.firstUse}</p>
        </div>
      )}
      <PinForm onPin={pin} />
    </section>
  );
}

interface PinRowProps {
  pin: PinnedWorkload;
  isFitting: boolean;
  onRemove: () => void;
  /** Adds the pin's missing measurements; null if the pin is complete or another workload runs. */
  onComplete: (() => void) | null;
}

function PinRow({ pin, isFitting, onRemove, onComplete }: PinRowProps) {
  const lack = pinLack(pin);
  return (
    <li className="flex items-start gap-2 px-2.5 py-2" data-pin={lack === null ? 'whole' : 'incomplete'}>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="truncate font-medium">
          {pin.name} {isFitting && <span className="text-xs font-normal text-good">{words.pins.runsThere}</span>}
        </span>
        {PINNABLE_NAMES.filter((name) => pin[name] !== undefined).map((name) => (
          <span key={name} className="flex min-w-0 gap-2 text-xs">
            <span className="shrink-0 text-faint">{PINNABLE_LABELS[name]}</span>
            <span className="figures truncate" title={pin[name]}>
              {pin[name]}
            </span>
          </span>
        ))}
        {lack !== null && (
          <div className="mt-1.5 grid justify-items-start gap-1.5 rounded-sm border border-dashed border-edge px-2 py-1.5 text-xs">
            <p>
              <span className="font-medium">{words.pins.tooLittle}</span> {words.pins.missing(lack)}{' '}
              {onComplete === null ? words.pins.takeFromSource : words.pins.isWhatRuns}
            </p>
            {onComplete !== null && (
              <Button size="sm" onClick={onComplete} aria-label={words.pins.completeOf(pin.name)}>
                <Pin aria-hidden />
                {words.pins.complete}
              </Button>
            )}
          </div>
        )}
      </div>
      <Button
        tone="quiet"
        size="iconSm"
        aria-label={words.pins.unpin(pin.name)}
        title={words.pins.unpin(pin.name)}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

const PinFields = onDemand(() => import('./pin-fields').then((module) => module.PinFields), {
  waiting: <Skeleton className="mt-3 h-96" />,
});

function PinForm({ onPin }: { onPin: (pin: PinnedWorkload) => void }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="group" onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <Summary
        onPointerEnter={PinFields.preload}
        onFocus={PinFields.preload}
        chevronClassName="text-amber-ink"
        className="min-h-6 w-fit gap-1 rounded-sm text-amber-ink underline-offset-4 hover:underline"
      >
        {words.pins.ownTitle}
      </Summary>
      {wasOpened && <PinFields onPin={onPin} />}
    </details>
  );
}
