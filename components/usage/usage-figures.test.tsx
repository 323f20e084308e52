import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readUsageView, requestsQueryOf } from '@/components/billing/usage-view';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import { figureOf } from './use-usage-rows';
import { UsageFigures } from './usage-figures';

const viewOf = (query: string) => readUsageView(new URLSearchParams(query));
const ROWS = [
  {
    start: new Date().toISOString().slice(0, 10) + 'T00:00:00.000Z',
    id: 'rpc',
    label: 'rpc',
    product: 'rpc',
    value: 3,
    count: 3,
  },
];

it('says how many requests failed only once it knows', () => {
  const view = viewOf('tab=requests');
  const query = requestsQueryOf(view, false);
  const cache = createReadCache();
  cache.putKnown(['usage', 'rows', null, 'requests', 'product', false, query], {
    kind: figureOf(view, null),
    rows: ROWS,
  });
  const shown = () =>
    renderToStaticMarkup(
      <ReadsProvider value={cache}>
        <UsageFigures view={view} onChange={() => undefined} />
      </ReadsProvider>,
    );
  expect(shown()).toContain('in 30 days');
  expect(shown()).not.toContain('failed');
  cache.putKnown(['usage', 'whole', null, { ...query, groupBy: 'day' }], [{ failed: 2 }]);
  expect(shown()).toContain('2 failed');
});

it('shows the rows of a day that are known from another period', () =>
  expect(figureOf(viewOf('day=2026-11-20&days=7'), null)).toBe(figureOf(viewOf('day=2026-11-20&days=30'), null)));

it('shows no rows of another payment method', () =>
  expect(figureOf(viewOf(''), { kind: 'apiKey', apiKey: 'a' })).not.toBe(
    figureOf(viewOf(''), { kind: 'apiKey', apiKey: 'b' }),
  ));
