'use client';

import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { CopyButton } from '@/components/ui/copy-button';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { CREDENTIAL_PLACEHOLDER, maskCredential, useCredential } from '@/lib/browser/credential/credential';
import { bodyHref, CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { loadCode } from '@/lib/browser/page/load-code';
import { useGatewaySettings, useIsPageOffered } from '@/lib/browser/reads/settings';
import { firstMethodOf, firstRequestOf } from '@/lib/browser/rpc/first-request';
import { useRpcDraft } from '@/lib/browser/rpc/rpc-draft';
import { createListeners } from '@/lib/browser/storage/stored-value';
import type { CallCredential } from '@/lib/client';
import { ArrowRight } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import type { ApiOperation } from './api-description';
import { operationCurl } from './operation-request';
import type { operationSamples } from './operation-samples';
import { referenceWords } from './words';

const words = referenceWords.request;

const RunGet = onDemand(() => import('./run-get').then((module) => module.RunGet), {
  waiting: <Skeleton className="h-10" />,
});

const LANGUAGES = ['curl', 'fetch', 'python', 'client'] as const;
type Language = (typeof LANGUAGES)[number];

/**
 * Language of all samples on the page. Code for languages other than curl loads when first chosen.
 */
let chosen: { language: Language; samples: typeof operationSamples | null } = { language: 'curl', samples: null };
const atFirst = chosen;
const listeners = createListeners();

async function chooseLanguage(language: Language): Promise<void> {
  const samples =
    language === 'curl'
      ? chosen.samples
      : await loadCode(() => import('./operation-samples')).then(
          (module) => module.operationSamples,
          // If the code does not load, curl stays selected.
          () => null,
        );
  if (language !== 'curl' && samples === null) return;
  chosen = { language, samples };
  listeners.tell();
}

const PAGE_OF: Readonly<Record<string, string>> = {
  rpc: '/rpc',
  chat: '/chat',
  createResponse: '/chat',
  createMessage: '/chat',
  speak: '/speech',
  queueVideo: '/video',
  mintKey: '/keys',
  topUp: '/top-up',
  withdraw: '/top-up',
};

/** Shows a request in every language and an example of its answer. Can also run a read-only operation. */
export function TryOperation({ operation, baseUrl }: { operation: ApiOperation; baseUrl: string }) {
  const [exampleName, setExampleName] = useState(operation.body?.examples[0]?.name ?? null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { presented } = useCredential();
  const draft = useRpcDraft();
  const isOffered = useIsPageOffered();
  const firstNetwork = useGatewaySettings().data?.firstNetwork;
  const { language: wanted, samples } = useSyncExternalStore(
    listeners.subscribe,
    () => chosen,
    () => atFirst,
  );
  const example = operation.body?.examples.find(({ name }) => name === exampleName);
  const isRpc = operation.id === 'rpc';
  const network = draft.network ?? firstNetwork ?? 'ethereum-mainnet';
  // The OpenAPI description has only EVM calls as examples.
  const firstRequest = isRpc && !firstMethodOf(network).startsWith('eth_') ? firstRequestOf(network) : null;
  const page = CONSOLE_PAGES.find(({ href }) => href === PAGE_OF[operation.id]);
  const isPublic = operation.credentials.length === 0;
  // The client package only adds sign-in and payment. A public call needs neither.
  const language = isPublic && wanted === 'client' ? 'curl' : wanted;
  const codeWith = (credential: CallCredential | null): string => {
    const options = {
      baseUrl,
      values: isRpc ? { network, ...values } : values,
      credential: credential ?? CREDENTIAL_PLACEHOLDER,
      ...(firstRequest === null ? example && { body: example.value } : { body: JSON.parse(firstRequest) as unknown }),
    };
    const sample =
      language === 'curl' ? undefined : samples?.(operation, options).find((each) => each.language === language);
    return sample?.code ?? operationCurl(operation, options);
  };
  return (
    <div className="grid min-w-0 gap-4 xl:sticky xl:top-4">
      <div className="overflow-hidden rounded-md border border-line">
        <div className="flex min-h-10 flex-wrap items-center gap-1 border-b border-line bg-surface px-3 py-1">
          <h3 className="sr-only">{words.title}</h3>
          <Choices
            label={words.language}
            values={LANGUAGES.filter((each) => each !== 'client' || !isPublic)}
            chosen={language}
            nameOf={(each) => words.languages[each]}
            onChoose={(each) => void chooseLanguage(each)}
          />
          <CopyButton
            text={() => codeWith(presented)}
            label={words.copy}
            tone="outline"
            title={words.copyMeaning}
            className="ml-auto 2xl:order-last"
          />
          {operation.body && operation.body.examples.length > 1 && firstRequest === null && (
            <Choices
              label={words.example}
              values={operation.body.examples.map(({ name }) => name)}
              chosen={exampleName}
              onChoose={setExampleName}
            />
          )}
        </div>
        <pre
          tabIndex={0}
          aria-label={words.inLanguage(operation.summary, words.languages[language])}
          className="figures max-h-96 overflow-auto p-3 text-xs leading-5"
        >
          {codeWith(presented === null ? null : maskCredential(presented))}
        </pre>
      </div>
      {page !== undefined && !isOffered(page.href) && <p className="text-sm text-dim">{words.notOffered}</p>}
      {page !== undefined && isOffered(page.href) && (
        <Button asChild className="justify-self-start">
          <PageLink
            href={isRpc ? bodyHref(network, firstRequest ?? JSON.stringify(example?.value ?? {}, null, 2)) : page.href}
          >
            {words.tryOn(page.title)}
            <ArrowRight aria-hidden />
          </PageLink>
        </Button>
      )}
      {operation.verb === 'GET' && (
        <RunGet operation={operation} baseUrl={baseUrl} values={values} onChange={setValues} />
      )}
      <AnswerToExample
        operation={operation}
        exampleAt={example === undefined ? 0 : (operation.body?.examples.indexOf(example) ?? 0)}
      />
    </div>
  );
}

function AnswerToExample({ operation: { responses }, exampleAt }: { operation: ApiOperation; exampleAt: number }) {
  const good = responses.find(({ status }) => status.startsWith('2'));
  const examples = good?.contents.find(({ mediaType }) => mediaType === 'application/json')?.examples ?? [];
  const example = examples[exampleAt] ?? examples[0];
  return good === undefined || example === undefined ? null : (
    <ExampleAnswer status={good.status} value={example.value} />
  );
}

export function ExampleAnswer({ status, value }: { status: string; value: unknown }) {
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line">
      <p className="border-b border-line bg-surface px-3 py-1.5 text-xs text-dim">{words.exampleAnswer(status)}</p>
      <pre
        tabIndex={0}
        aria-label={words.exampleAnswer(status)}
        className="figures max-h-72 overflow-auto bg-ground p-3 text-xs leading-5"
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}
