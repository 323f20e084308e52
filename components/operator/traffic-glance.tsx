import { formatDuration } from '@/lib/browser/amounts';
import { mergedTraffic } from '@/lib/browser/operator/merged-traffic';
import { formatSum } from '@/lib/browser/operator/format-sum';
import { operatorWords } from '@/lib/browser/words/operator';
import type { GatewayFigures } from '@/lib/protocol/gateway-figures';
import type { BooksFigures } from '@/lib/protocol/operator-figures';

const words = operatorWords.traffic;

export function TrafficGlance({ gateways, days }: { gateways: readonly GatewayFigures[]; days: BooksFigures['days'] }) {
  const { perSecond, errorShare, p95Ms, windowMs } = mergedTraffic(gateways);
  const today = days.at(-1);
  return (
    <section aria-label={words.label} className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
      <Figure name={words.perSecond} note={windowMs === null ? words.notYet : words.window(windowMs)}>
        {perSecond === null ? words.none : words.rate(perSecond)}
      </Figure>
      <Figure name={words.p95} note={words.p95Note}>
        {p95Ms === null ? words.none : formatDuration(p95Ms)}
      </Figure>
      <Figure name={words.errors} note={words.errorsNote}>
        {errorShare === null ? words.none : words.share(errorShare)}
      </Figure>
      <Figure name={words.income} note={operatorWords.glance.charges(today?.charges ?? 0)}>
        {formatSum(today?.chargedNanoUsd ?? 0)}
      </Figure>
    </section>
  );
}

function Figure({ name, note, children }: { name: string; note: string; children: string }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <p className="text-sm text-dim">{name}</p>
      <p className="figures truncate text-2xl font-semibold tracking-tight">{children}</p>
      <p className="text-xs text-dim">{note}</p>
    </div>
  );
}
