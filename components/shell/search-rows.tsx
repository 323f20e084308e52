'use client';

import { ModelMark, NetworkMark } from '@/components/marks/mark';
import { firstDayOf, readRequestId, usageHref } from '@/components/billing/usage-view';
import { useRequests } from '@/components/usage/use-pages';
import { useApiDescription } from '@/components/reference/use-api-description';
import { MODEL_HREFS, useChooseModel } from '@/components/reference/choose-model';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useOfferedModels } from '@/lib/browser/reads/offered-models';
import { requestHref } from '@/components/rpc/request-href';
import { composeRequest } from '@/components/rpc/request-text';
import { shellDialogWords } from './dialog-words';
import { METHODS, type RpcMethod } from '@/lib/protocol/rpc-methods';
import { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
import { BookOpen, Braces, ReceiptText } from 'lucide-react';
import { useEffect } from 'react';
import { Entry, Group } from './search-entry';

const words = shellDialogWords.search;

const REQUEST_ID_LENGTH = 32;
/** Minimum length of a search text for which the last requests are listed. */
const REQUESTS_FROM = 3;

export interface SearchRowsProps {
  text: string;
  run: (action: () => void) => void;
  go: (href: string) => void;
  onReady: () => void;
  onRows: () => void;
}

/**
 * Search results: networks, models, methods, endpoints and the user's last requests. Loads on demand, because its code
 * is large.
 */
export function SearchRows({ text, run, go, onReady, onRows }: SearchRowsProps) {
  const { networks } = useNetworks();
  const { models, error: modelsError } = useOfferedModels();
  const { description, error: descriptionError } = useApiDescription();
  const isWhole = (models !== null || modelsError !== null) && (description !== null || descriptionError !== null);
  const choose = useChooseModel();
  useEffect(() => {
    if (isWhole) onReady();
  }, [isWhole, onReady]);
  const openMethod = (method: RpcMethod) => {
    const network =
      networks.find(({ slug }) => slug === 'sandbox-testnet' && method.kind === 'evm') ??
      networks.find(({ kind }) => kind === method.kind);
    if (network)
      go(requestHref({ network: network.slug, text: composeRequest(method.name, exampleParams(method.name)) }));
  };
  return (
    <>
      {text.trim().length >= REQUESTS_FROM && <RequestRows text={text} run={run} go={go} onRows={onRows} />}
      <Group heading={words.networks}>
        {networks.map(({ slug, name }) => (
          <Entry
            key={slug}
            value={slug}
            keywords={['network', name]}
            icon={({ className }) => <NetworkMark slug={slug} {...(className !== undefined && { className })} />}
            onSelect={() => run(() => go(`/rpc?network=${slug}`))}
          >
            {name} <span className="figures text-xs text-faint">{slug}</span>
          </Entry>
        ))}
      </Group>
      <Group heading={words.models}>
        {(models ?? []).map((model) => (
          <Entry
            key={`${model.kind} ${model.id}`}
            value={`${model.id} ${model.kind}`}
            keywords={['model', model.name]}
            icon={({ className }) => <ModelMark model={model.id} {...(className !== undefined && { className })} />}
            onSelect={() =>
              run(() => {
                choose(model);
                go(MODEL_HREFS[model.kind]);
              })
            }
          >
            {model.name} <span className="figures text-xs text-faint">{model.kind}</span>
          </Entry>
        ))}
      </Group>
      <Group heading={words.methods}>
        {METHODS.map((method) => (
          <Entry
            key={method.name}
            value={method.name}
            keywords={['method', METHOD_EXAMPLES.get(method.name)?.description ?? '']}
            icon={Braces}
            onSelect={() => run(() => openMethod(method))}
          >
            <span className="figures">{method.name}</span>
          </Entry>
        ))}
      </Group>
      <Group heading={words.reference}>
        {(description?.operations ?? []).map(({ id, verb, path, summary }) => (
          <Entry
            key={id}
            value={`${verb} ${path}`}
            keywords={['docs', summary]}
            icon={BookOpen}
            onSelect={() => run(() => go(`/reference#${id}`))}
          >
            {summary}{' '}
            <span className="figures text-xs text-faint">
              {verb} {path}
            </span>
          </Entry>
        ))}
      </Group>
    </>
  );
}

/** Lists the caller's last requests, and the request whose complete id the user typed. */
function RequestRows({ text, run, go, onRows }: Omit<SearchRowsProps, 'onReady'>) {
  const { items } = useRequests({ startDate: firstDayOf(30) });
  const typed = readRequestId(text);
  const isUnlisted = typed?.length === REQUEST_ID_LENGTH && !items.some(({ requestId }) => requestId === typed);
  useEffect(() => {
    onRows();
  }, [onRows, isUnlisted, items.length]);
  const rows = items.map(({ requestId, product, model, method, status }) => ({
    requestId,
    name: method ?? model ?? product,
    status: `${status} · `,
  }));
  return (
    <Group heading={words.requests}>
      {/* One list, so that the typed request keeps its row and selection when it becomes listed. */}
      {(isUnlisted ? [{ requestId: typed, name: '', status: '' }, ...rows] : rows).map(
        ({ requestId, name, status }) => (
          <Entry
            key={requestId}
            value={requestId}
            keywords={requestId === typed ? [text] : []}
            icon={ReceiptText}
            onSelect={() => run(() => go(usageHref({ request: requestId })))}
          >
            {name} <span className="figures text-xs text-faint">{`${status}${requestId}`}</span>
          </Entry>
        ),
      )}
    </Group>
  );
}
