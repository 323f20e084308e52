'use client';

import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import { formatCredits } from '@/lib/browser/amounts';
import { useNetworks } from '@/lib/browser/networks';
import { editDraft } from '@/lib/browser/rpc/rpc-draft';
import type { Network } from '@/lib/protocol/networks';
import { rpcCompareWords as words } from '@/lib/browser/words/rpc-tools';
import { X } from 'lucide-react';

/** Maximum number of answers that fit side by side. */
const TARGETS_MAX = 12;

interface CompareTargetsProps {
  /** Network of the request; always the first target. */
  network: Network;
  targets: readonly Network[];
  /** Price of the request per network in credits; null while the page cannot send the request. */
  creditsBySlug: ReadonlyMap<string, number> | null;
}

export function CompareTargets({ network, targets, creditsBySlug }: CompareTargetsProps) {
  const { networks } = useNetworks();
  const chosen = new Set(targets.map(({ slug }) => slug));
  const free = networks.filter(({ slug, kind }) => kind === network.kind && !chosen.has(slug));
  const choose = (slugs: readonly string[]) =>
    editDraft({ compared: slugs.filter((slug) => slug !== network.slug).slice(0, TARGETS_MAX - 1) });
  const add = (added: readonly Network[]) => choose([...targets, ...added].map(({ slug }) => slug));
  return (
    <div className="grid gap-2">
      <ul aria-label={words.list} className="flex flex-wrap gap-2">
        {targets.map(({ slug, name }) => (
          <li
            key={slug}
            className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface pl-2.5 text-sm last:pr-0 pointer-coarse:h-10"
          >
            <span>{name}</span>
            {creditsBySlug?.has(slug) && (
              <span className="figures text-xs text-faint">{formatCredits(creditsBySlug.get(slug) ?? 0)}</span>
            )}
            {slug === network.slug ? (
              <span className="pr-2.5 text-xs text-faint">{words.chosen}</span>
            ) : (
              <Button
                tone="quiet"
                size="iconSm"
                aria-label={words.remove(slug)}
                onClick={() => choose([...chosen].filter((each) => each !== slug))}
              >
                <X aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Combobox
          label={words.add}
          value={null}
          onChoose={(slug) => choose([...chosen, slug])}
          disabled={free.length === 0 || targets.length >= TARGETS_MAX}
          groups={[
            {
              heading: words.sameMethods,
              options: free.map(({ slug, name, baseCredits }) => ({
                value: slug,
                keywords: [name],
                content: <TargetOption name={name} baseCredits={baseCredits} />,
              })),
            },
          ]}
          searchPlaceholder={words.search}
          emptyText={words.nothingFound}
          className="w-48"
          contentClassName="min-w-[min(22rem,calc(100vw-16px))]"
        >
          <span className="text-dim">
            {targets.length >= TARGETS_MAX ? words.atMost(TARGETS_MAX) : words.addPlaceholder}
          </span>
        </Combobox>
        <QuickAdd label={words.family} networks={free.filter(({ family }) => family === network.family)} onAdd={add} />
        <QuickAdd label={words.mainnets} networks={free.filter(({ testnet }) => !testnet)} onAdd={add} />
        <QuickAdd label={words.testnets} networks={free.filter(({ testnet }) => testnet)} onAdd={add} />
        {targets.length > 1 && (
          <Button size="sm" tone="quiet" onClick={() => choose([])}>
            {words.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

function TargetOption({ name, baseCredits }: { name: string; baseCredits: number }) {
  return (
    <>
      <span className="truncate">{name}</span>
      <span className="figures ml-auto shrink-0 text-xs text-dim">{formatCredits(baseCredits)}</span>
    </>
  );
}

function QuickAdd({
  label,
  networks,
  onAdd,
}: {
  label: string;
  networks: readonly Network[];
  onAdd: (networks: readonly Network[]) => void;
}) {
  return (
    <Button size="sm" tone="quiet" disabled={networks.length === 0} onClick={() => onAdd(networks)}>
      {label}
    </Button>
  );
}
