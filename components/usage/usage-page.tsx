'use client';

import {
  balancesQueryOf,
  chargesQueryOf,
  LISTS,
  PERIODS,
  readRequestId,
  readUsageView,
  requestsQueryOf,
  type Tab,
  TABS,
  usageHref,
  type UsageView,
} from '@/components/billing/usage-view';
import { useChargeSums } from '@/components/billing/use-usage';
import { ChoosePayer } from '@/components/paying/choose-payer';
import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { EmptyState } from '@/components/ui/empty-state';
import { Field, Input } from '@/components/ui/field';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { isWithout, useCredential } from '@/lib/browser/credential/credential';
import { useIsPageOffered, useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { formatDay } from '@/lib/browser/text/moments';
import { Search, X } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useId, useState } from 'react';
import { chargesWords } from './charge-words';
import { billingWords } from '@/components/billing/words';
import { usageRequests } from './use-pages';
import { useUsageRows } from './use-usage-rows';
import { usageWords } from './words';

const Reconciliation = onDemand(() => import('./reconciliation').then((module) => module.Reconciliation), {
  waiting: <div className="h-7" />,
});
const UsageFigures = onDemand(() => import('./usage-figures').then((module) => module.UsageFigures), {
  waiting: <FiguresWaiting />,
});
const RequestList = onDemand(() => import('./request-list').then((module) => module.RequestList), {
  waiting: <Skeleton className="h-dvh" />,
});
const ChargeList = onDemand(() => import('./charge-list').then((module) => module.ChargeList), {
  waiting: <Skeleton className="h-48" />,
});

/** Shows spending, balances, charges and requests of the credential in use. */
export function UsagePage() {
  const credential = useCredential();
  const isWalletOfUse = useIsWalletOfUse();
  const view = readUsageView(useSearchParams());
  // Back returns to the previous view. `view` may be older than the address.
  const show = (change: Partial<UsageView>) => {
    const latest = readUsageView(new URLSearchParams(window.location.search));
    window.history.pushState(null, '', usageHref({ ...latest, ...change }));
  };
  const showRequest = (request: string) => window.history.pushState(null, '', usageHref({ request }));
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <h1 className="text-2xl font-semibold tracking-tight max-sm:sr-only">{usageWords.title}</h1>
        {!isWithout(credential) && <UsageFilters view={view} onChange={show} />}
      </header>
      {isWithout(credential) ? (
        <EmptyState drawing="plot" className="grid justify-items-center gap-3 py-12">
          <p>{isWalletOfUse ? usageWords.nobodyPays : usageWords.noKey}</p>
          <ChoosePayer />
        </EmptyState>
      ) : (
        <>
          {view.request === '' ? (
            <>
              <Figures view={view} onChange={show} />
              <Balances view={view} />
              <Lists view={view} onChange={show} onChooseRequest={showRequest} />
            </>
          ) : (
            <>
              <FindRequest key={view.request} request={view.request} onFind={showRequest} />
              <RequestList query={requestsQueryOf(view)} onChooseRequest={showRequest} />
              <ChargeList query={chargesQueryOf(view)} isOfRequest onChooseRequest={showRequest} />
            </>
          )}
          <RequestCode
            requests={usageRequests(chargesQueryOf(view), requestsQueryOf(view))}
            credential={credential.presented}
          />
        </>
      )}
    </div>
  );
}

interface PartProps {
  view: UsageView;
  onChange: (change: Partial<UsageView>) => void;
}

function Figures({ view, onChange }: PartProps) {
  const hasTokens = useIsPageOffered()('/chat');
  // Reads while the figures' code loads.
  useUsageRows(view);
  return (
    <Tabs value={view.tab} onValueChange={(tab) => onChange({ tab: tab as Tab })} className="gap-4">
      <TabsList aria-label={usageWords.tabsLabel} className="h-10 shrink-0 border-b border-line">
        {TABS.filter((tab) => tab !== 'tokens' || hasTokens || view.tab === tab).map((tab) => (
          <TabsTrigger key={tab} value={tab} className="text-base">
            {usageWords.tabs[tab]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={view.tab}>
        <UsageFigures view={view} onChange={onChange} />
      </TabsContent>
    </Tabs>
  );
}

function Balances({ view }: { view: UsageView }) {
  const { data } = useChargeSums('day', balancesQueryOf(view));
  if (data === undefined) return <div className="h-7" />;
  return Object.keys(data.totals.pots).length > 0 && <Reconciliation sums={data} />;
}

function Lists({
  view,
  onChange,
  onChooseRequest,
}: PartProps & {
  onChooseRequest: (request: string) => void;
}) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <Choices
          label={chargesWords.lists.label}
          values={LISTS}
          chosen={view.list}
          nameOf={(list) => chargesWords.lists.names[list]}
          onChoose={(list) => onChange({ list, ...(list === 'errors' ? { status: '' } : {}) })}
          className="-mx-2"
        />
        <FindRequest request="" onFind={onChooseRequest} />
      </div>
      {view.list === 'charges' ? (
        <ChargeList isUnderChoice query={chargesQueryOf(view)} onChooseRequest={onChooseRequest} />
      ) : (
        <RequestList isUnderChoice query={requestsQueryOf(view)} onChooseRequest={onChooseRequest} />
      )}
    </div>
  );
}

function FiguresWaiting() {
  return (
    <div className="grid gap-3">
      <Skeleton className="h-16 w-48" />
      <Skeleton className="h-78 sm:h-64 xl:h-80" />
      <Skeleton className="h-8" />
    </div>
  );
}

interface UsageFiltersProps {
  view: UsageView;
  onChange: (change: Partial<UsageView>) => void;
}

const words = usageWords.filters;

function UsageFilters({ view, onChange }: UsageFiltersProps) {
  const { days, day, product, resource, key, status, request } = view;
  return (
    <div className="flex flex-wrap items-center gap-2 sm:justify-end">
      <Choices
        label={words.period}
        values={PERIODS}
        chosen={day === '' ? days : null}
        nameOf={words.days}
        onChoose={(each) => onChange({ days: each, day: '' })}
      />
      {day !== '' && <Chip label={formatDay(day)} onRemove={() => onChange({ day: '' })} />}
      {product !== '' && (
        <Chip label={billingWords.products[product] ?? product} onRemove={() => onChange({ product: '' })} />
      )}
      {resource !== '' && <Chip label={resource} onRemove={() => onChange({ resource: '' })} />}
      {key !== '' && <KeyChip view={view} onRemove={() => onChange({ key: '' })} />}
      {status !== '' && <Chip label={usageWords.statuses(status)} onRemove={() => onChange({ status: '' })} />}
      {request !== '' && (
        <Chip label={words.onlyRequest(request)} onRemove={() => onChange({ request: '', days: 30 })} />
      )}
    </div>
  );
}

function KeyChip({ view, onRemove }: { view: UsageView; onRemove: () => void }) {
  const { data } = useChargeSums('key', balancesQueryOf(view));
  const sum = data?.data.find(({ group }) => group === view.key);
  return <Chip label={words.key(sum?.apiKey, view.key)} onRemove={onRemove} />;
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button
      size="sm"
      className="border-amber-line bg-amber-soft text-amber-ink"
      aria-label={words.remove(label)}
      onClick={onRemove}
    >
      <span className="figures max-w-48 truncate">{label}</span>
      <X aria-hidden />
    </Button>
  );
}

const findWords = usageWords.find;

function FindRequest({ request, onFind }: { request: string; onFind: (request: string) => void }) {
  const id = useId();
  const [text, setText] = useState(request);
  const [isRefused, setIsRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = readRequestId(text);
    setIsRefused(found === null);
    if (found !== null) onFind(found);
  };
  return (
    <form onSubmit={submit} noValidate role="search" className="w-full max-w-88">
      <Field label={findWords.label} hint={findWords.hint} htmlFor={id} message={isRefused ? findWords.notAnId : null}>
        <div className="flex gap-2">
          <Input
            id={id}
            value={text}
            className="figures"
            aria-invalid={isRefused}
            aria-describedby={`${id}-message`}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit">
            <Search aria-hidden />
            {findWords.button}
          </Button>
        </div>
      </Field>
    </form>
  );
}
