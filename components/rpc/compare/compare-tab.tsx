'use client';

import { RailMark } from '@/components/marks/rail-mark';
import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import { Notice } from '@/components/ui/notice';
import { useConnection } from '@/lib/browser/connection/connection';
import { describeNetwork, useNetworks } from '@/lib/browser/reads/networks';
import { usePricePerCredit } from '@/lib/browser/reads/price';
import { useIsConnected } from '@/lib/browser/reads/settings';
import { editDraft } from '@/lib/browser/rpc/rpc-draft';
import { formatCost, formatCredits } from '@/lib/browser/text/amounts';
import type { Network } from '@/lib/protocol/networks';
import { formatUsd } from '@/lib/protocol/pricing';
import { Columns3, X } from 'lucide-react';
import { rpcCompareWords as words } from '../tool-words';
import type { Workbench } from '../use-workbench';
import { CompareResults } from './compare-results';
import { quoteComparison, useComparison } from './use-comparison';

/** Sends the left pane's request to several networks of one kind and compares the answers. */
export function CompareTab({ bench }: { bench: Workbench }) {
  const comparison = useComparison();
  const price = usePricePerCredit();
  const { check, draft, network, credential } = bench;
  const { state: connection } = useConnection();
  if (network === null) return <p className="px-6 py-16 text-center text-sm text-dim">{words.chooseFirst}</p>;
  const targets = targetsOf(network, draft.compared);
  const quote = check.ok
    ? quoteComparison(
        targets,
        check.calls.map(({ method }) => method),
        price,
      )
    : null;
  const isAway = connection === 'offline' || connection === 'unanswered';
  const problem = isAway
    ? words.away
    : !check.ok
      ? check.problem.sentence
      : quote?.kind === 'refused'
        ? quote.sentence
        : null;
  const start = () => {
    if (!check.ok || problem !== null) return;
    bench.noteLink({ network: network.slug, text: draft.text, compared: targets.slice(1).map(({ slug }) => slug) });
    // Sends no Idempotency-Key, because the gateway refuses a key that was used for another network.
    comparison.start(
      targets.map(({ slug }) => ({
        network: slug,
        text: draft.text,
        calls: check.calls,
        credential: credential.presented,
        idempotencyKey: null,
      })),
    );
  };
  return (
    <div className="grid gap-4 p-3 lg:p-4">
      <CompareTargets
        network={network}
        targets={targets}
        creditsBySlug={quote?.kind === 'price' ? quote.creditsBySlug : null}
      />
      {problem !== null && <Notice tone="warn" title={problem} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          onClick={start}
          disabled={problem !== null || targets.length < 2 || credential.kind === 'pending' || comparison.isRunning}
        >
          <Columns3 aria-hidden />
          {words.sendTo(targets.length)}
        </Button>
        {comparison.isRunning && (
          <Button tone="quiet" onClick={comparison.cancel}>
            {words.cancel}
          </Button>
        )}
        <p className="figures text-xs text-dim">
          {targets.length < 2 && <span className="font-sans">{words.addOne}</span>}
          {targets.length >= 2 && quote?.kind === 'price' && (
            <>
              <span data-testid="compared-credits">{formatCredits(quote.credits)}</span> ·{' '}
              <span data-testid="compared-cost">{formatCost(formatUsd(quote.costNanoUsd, 9))}</span>{' '}
              <span className="font-sans">{words.inAll}</span>
            </>
          )}
        </p>
      </div>
      {draft.idempotencyKey !== '' && <p className="text-xs text-faint">{words.noIdempotencyKey}</p>}
      <CompareResults
        comparison={comparison}
        isOutdated={comparison.calls.length > 0 && comparison.calls[0]?.request.text !== draft.text}
        onRetry={(slug, presented) => comparison.retry(slug, presented ?? credential.presented)}
      />
    </div>
  );
}

/** Returns the chosen network, then the compared networks of the same kind. */
function targetsOf(network: Network, compared: readonly string[]): Network[] {
  const others = [...new Set(compared)]
    .filter((slug) => slug !== network.slug)
    .flatMap((slug) => describeNetwork(slug) ?? []);
  return [network, ...others.filter(({ kind }) => kind === network.kind)];
}

/** Maximum number of answers that fit side by side. */
const TARGETS_MAX = 12;

interface CompareTargetsProps {
  /** Chosen network, which is always the first target. */
  network: Network;
  targets: readonly Network[];
  /** Credits per network; null while the page cannot send the request. */
  creditsBySlug: ReadonlyMap<string, number> | null;
}

function CompareTargets({ network, targets, creditsBySlug }: CompareTargetsProps) {
  const { networks } = useNetworks();
  const chosen = new Set(targets.map(({ slug }) => slug));
  const isConnected = useIsConnected();
  const free = networks.filter(({ slug, kind }) => kind === network.kind && isConnected(slug) && !chosen.has(slug));
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
            <RailMark slug={slug} className="text-dim" />
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
                content: <TargetOption slug={slug} name={name} baseCredits={baseCredits} />,
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

function TargetOption({ slug, name, baseCredits }: { slug: string; name: string; baseCredits: number }) {
  return (
    <>
      <RailMark slug={slug} className="text-dim" />
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
