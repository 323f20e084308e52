'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatCost, formatCredits } from '@/lib/browser/amounts';
import { useConnection } from '@/lib/browser/connection/connection';
import { quoteComparison } from '@/lib/browser/rpc/comparison/comparison-quote';
import { useComparison } from '@/lib/browser/rpc/comparison/use-comparison';
import { describeNetwork } from '@/lib/browser/networks';
import { usePricePerCredit } from '@/lib/browser/price';
import type { Network } from '@/lib/protocol/networks';
import { formatUsd } from '@/lib/protocol/pricing';
import { rpcCompareWords as words } from '@/lib/browser/words/rpc-tools';
import { Columns3 } from 'lucide-react';
import type { Workbench } from '../use-workbench';
import { CompareResults } from './compare-results';
import { CompareTargets } from './compare-targets';

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
    // No Idempotency-Key, because the gateway refuses a key that was used for another network.
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

/** Returns the chosen network, followed by the compared networks that have the same methods as the chosen one. */
function targetsOf(network: Network, compared: readonly string[]): Network[] {
  const others = [...new Set(compared)]
    .filter((slug) => slug !== network.slug)
    .flatMap((slug) => describeNetwork(slug) ?? []);
  return [network, ...others.filter(({ kind }) => kind === network.kind)];
}
