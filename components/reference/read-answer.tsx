import { JsonTree } from '@/components/json/json-tree';
import { Badge } from '@/components/ui/badge';
import { Summary } from '@/components/ui/summary';
import { formatBytes, formatDuration } from '@/lib/browser/text/amounts';
import { readTree } from '@/lib/browser/text/json-document';
import { referenceRunWords as words } from './words';
import type { RawAnswer } from '@/lib/client';

export function ReadAnswer({ answer: { status, latencyMs, headers, bodyText } }: { answer: RawAnswer }) {
  const tree = readTree(bodyText);
  return (
    <div role="region" aria-label={words.answer} className="overflow-hidden rounded-md border border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1 text-xs">
        <Badge tone={status < 400 ? 'good' : 'bad'} className="figures">
          {words.status(status)}
        </Badge>
        <span className="figures text-dim">{formatDuration(latencyMs)}</span>
        <span className="figures text-dim">{formatBytes(new TextEncoder().encode(bodyText).length)}</span>
      </div>
      <div tabIndex={0} role="group" aria-label={words.body} className="max-h-96 overflow-auto p-3">
        {tree === null ? (
          <pre className="figures text-xs whitespace-pre-wrap wrap-anywhere">{bodyText.slice(0, 100_000)}</pre>
        ) : (
          <JsonTree node={tree} />
        )}
      </div>
      <details className="group border-t border-line text-xs">
        <Summary
          chevronClassName="size-3.5"
          className="min-h-8 gap-1.5 px-3 text-dim hover:text-ink pointer-coarse:min-h-11"
        >
          {words.headers(headers.length)}
        </Summary>
        <dl className="figures grid gap-1 px-3 pb-3">
          {headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-dim">{name}:</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
