'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import type { JudgedReceipt, ReceiptHop } from '@/lib/client/receipts/judge-receipt';
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, MessageSquareQuote, X } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { isReadable, RECEIPT_FILES, type ReceiptFile, useReceiptCheck } from './use-receipt-check';
import { receiptsWords as words } from './words';

export function ReceiptsPage() {
  const { files, choose, check } = useReceiptCheck();
  const [refused, setRefused] = useState<File | null>(null);
  const take = (name: ReceiptFile, file: File | null): void => {
    const isTaken = file === null || isReadable(file);
    setRefused(isTaken ? null : file);
    if (isTaken) choose(name, file);
  };
  const dropping = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) take('receipt', file);
    },
  };
  return (
    <div
      {...dropping}
      className="mx-auto grid min-h-full w-full max-w-6xl content-start gap-8 px-4 py-6 lg:px-8 lg:py-8"
    >
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-dim">
          {words.intro}{' '}
          <PageLink href="/usage" className="text-amber-ink underline underline-offset-4">
            {words.own}
          </PageLink>
        </p>
      </header>
      <ul className="grid gap-4 lg:grid-cols-3">
        {RECEIPT_FILES.map((name) => (
          <FileChoice key={name} name={name} file={files[name]} onChoose={(file) => take(name, file)} />
        ))}
      </ul>
      {refused !== null && <Notice tone="bad" title={words.tooLarge(refused.name)} />}
      {check.isPending && <p role="status">{words.checking}</p>}
      {check.error && <FailureCard isRead error={check.error} onRetry={() => void check.run(files)} />}
      {check.data && <ReceiptVerdict judged={check.data} />}
    </div>
  );
}

function FileChoice({
  name,
  file,
  onChoose,
}: {
  name: ReceiptFile;
  file: File | undefined;
  onChoose: (file: File | null) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const { label, hint } = words.files[name];
  const isReceipt = name === 'receipt';
  const isAwaited = isReceipt && file === undefined;
  return (
    <li
      data-drawing={isAwaited ? 'receipt' : undefined}
      className={cn(
        'grid content-start gap-1.5 rounded-md border border-line p-3',
        isReceipt && 'lg:col-span-3',
        isAwaited && 'justify-items-center gap-3 border-dashed border-edge bg-surface px-4 py-10 text-center',
      )}
    >
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm font-medium">
        {label} <span className="text-xs font-normal text-faint">{hint}</span>
      </p>
      <div className={cn('flex min-w-0 flex-wrap items-center gap-2 text-sm', isAwaited && 'justify-center')}>
        <Button
          aria-label={words.chooseFor(label)}
          tone={isAwaited ? 'primary' : 'outline'}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        <span className="min-w-0 wrap-anywhere text-dim">{file?.name ?? (isReceipt ? words.drop : '')}</span>
        {file && (
          <Button tone="quiet" size="iconSm" aria-label={words.remove(label)} onClick={() => onChoose(null)}>
            <X aria-hidden />
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        data-testid={`receipt-file-${name}`}
        onChange={(event) => {
          onChoose(event.target.files?.[0] ?? null);
          // Otherwise, choosing the same file again would cause no event.
          event.target.value = '';
        }}
      />
    </li>
  );
}

const OUTCOMES: Record<ReceiptHop['outcome'], { Icon: LucideIcon; ink: string }> = {
  proven: { Icon: CircleCheck, ink: 'text-good' },
  stated: { Icon: MessageSquareQuote, ink: 'text-dim' },
  unchecked: { Icon: CircleDashed, ink: 'text-dim' },
  refused: { Icon: CircleX, ink: 'text-bad' },
};

const OUTCOME_NAMES = ['proven', 'stated', 'unchecked', 'refused'] as const;

function ReceiptVerdict({ judged: { isRefused, hops } }: { judged: JudgedReceipt }) {
  const Mark = isRefused ? CircleX : CircleCheck;
  return (
    <section aria-label={words.title} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Mark aria-hidden className={cn('size-7', isRefused ? 'text-bad' : 'text-good')} />
        <p role={isRefused ? 'alert' : 'status'} className={cn('text-xl font-semibold', isRefused && 'text-bad')}>
          {isRefused ? words.refused : words.held}
        </p>
        <p className="text-sm text-dim">
          {OUTCOME_NAMES.map((outcome) => [outcome, hops.filter((hop) => hop.outcome === outcome).length] as const)
            .filter(([, count]) => count > 0)
            .map(([outcome, count]) => `${count} ${words.counted[outcome]}`)
            .join(' · ')}
        </p>
      </div>
      <ul className="divide-y divide-line rounded-md border border-line">
        {hops.map(({ hop, outcome, text }) => {
          const { Icon, ink } = OUTCOMES[outcome];
          return (
            <li key={hop} data-hop={hop} data-outcome={outcome} className="flex gap-2.5 px-3 py-2 text-sm">
              <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', ink)} />
              <div className="grid min-w-0 gap-0.5">
                <p>
                  <span className="font-medium">{words.hops[hop]}</span>{' '}
                  <span className={ink}>{words.outcomes[outcome]}</span>
                </p>
                <p className="wrap-anywhere text-dim">{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
