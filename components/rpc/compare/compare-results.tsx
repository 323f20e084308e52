'use client';

import { formatCount } from '@/lib/browser/amounts';
import { Button } from '@/components/ui/button';
import { compareAnswers, type ComparedField } from '@/lib/browser/rpc/comparison/compare-answers';
import type { CallCredential } from '@/lib/client';
import type { Comparison } from '@/lib/browser/rpc/comparison/use-comparison';
import { rpcCompareWords as words } from '@/lib/browser/words/rpc-tools';
import { useMemo, useState } from 'react';
import { ComparePlot } from './compare-plot';
import { CompareCard } from './compare-card';
import { answeredAmong, comparisonSentence } from './comparison-sentence';

const FIELDS_SHOWN = 60;

interface CompareResultsProps {
  comparison: Comparison;
  isOutdated: boolean;
  onRetry: (network: string, presented?: CallCredential) => void;
}

/** Shows the answers of all networks by path, with differences marked. */
export function CompareResults({ comparison: { calls, isRunning }, isOutdated, onRetry }: CompareResultsProps) {
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const [shown, setShown] = useState(FIELDS_SHOWN);
  const answered = useMemo(() => answeredAmong(calls), [calls]);
  const fields = useMemo(() => compareAnswers(answered.map(({ answer }) => answer.bodyText)), [answered]);
  if (calls.length === 0) return <p className="py-8 text-center text-sm text-dim">{words.empty}</p>;
  const listed = onlyDifferences ? fields.filter(({ differs }) => differs) : fields;
  const fastestMs = answered.length > 1 ? Math.min(...answered.map(({ answer }) => answer.latencyMs)) : null;
  return (
    <section aria-label={words.region} aria-busy={isRunning} className="grid gap-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {comparisonSentence(calls, fields)} {isOutdated && <span className="text-faint">{words.outdated}</span>}
        </p>
        {answered.length > 1 && (
          <Button
            size="sm"
            tone="quiet"
            aria-pressed={onlyDifferences}
            onClick={() => setOnlyDifferences(!onlyDifferences)}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
          >
            {words.onlyDifferences}
          </Button>
        )}
      </div>
      <ComparePlot calls={calls} fields={fields} fastestMs={fastestMs} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-3">
        {calls.map((call) => (
          <CompareCard
            key={call.network}
            call={call}
            cells={cellsOf(
              listed.slice(0, shown),
              answered.findIndex(({ network }) => network === call.network),
            )}
            onRetry={(presented) => onRetry(call.network, presented)}
          />
        ))}
      </div>
      {listed.length > shown && (
        <Button
          size="sm"
          tone="quiet"
          className="justify-self-center"
          onClick={() => setShown(shown + FIELDS_SHOWN * 5)}
        >
          {words.showMore(formatCount(listed.length))}
        </Button>
      )}
    </section>
  );
}

function cellsOf(fields: readonly ComparedField[], column: number) {
  return fields.flatMap(({ path, cells }) => {
    const cell = cells[column];
    return cell === undefined ? [] : [{ path, ...cell }];
  });
}
