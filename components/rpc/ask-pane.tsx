'use client';

import { JsonTextEditor } from '@/components/json/json-text-editor';
import type { JsonTextEditorProps, TextFault } from '@/components/json/code-editor';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { useFirstAct } from '@/lib/browser/page/first-act';
import { type StoredDraft, useReplacedDraft } from '@/lib/browser/rpc/rpc-draft';
import { AlignLeft, CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { requestHref } from './request-href';
import { RequestOptions } from './request-options';
import { LINK_CHARACTERS_MAX } from './request-link';
import { checkRequest, formatRequest } from './request-text';
import type { Workbench } from './use-workbench';
import { rpcWords } from './words';

const NOTICE_SPACE = <Skeleton className="m-3 h-18 shrink-0 lg:m-4" />;
/** The placeholder is as tall as two fields, because most methods have two parameters. */
const ParamFields = onDemand(() => import('./param-fields').then((module) => module.ParamFields), {
  waiting: (
    <div className="h-31 shrink-0 border-b border-line p-3 lg:px-4">
      <Skeleton className="h-full" />
    </div>
  ),
});
const BatchCalls = onDemand(() => import('./batch-calls').then((module) => module.BatchCalls), {
  waiting: <Skeleton className="h-18" />,
});

const TooLongLink = onDemand(() => import('./request-notices').then((module) => module.TooLongLink), {
  waiting: NOTICE_SPACE,
});
const ReplacedRequest = onDemand(() => import('./request-notices').then((module) => module.ReplacedRequest), {
  waiting: NOTICE_SPACE,
});

const WAITING = <Skeleton className="m-3 h-48 lg:m-4" />;
const CodeTab = onDemand(() => import('./code-tab').then((module) => module.CodeTab), { waiting: WAITING });
const SavedTab = onDemand(() => import('./saved/saved-tab').then((module) => module.SavedTab), { waiting: WAITING });
const HistoryList = onDemand(() => import('./history-list').then((module) => module.HistoryList), { waiting: WAITING });

const words = rpcWords.request;

/** The first request's method has no parameters, so the page needs no method table. */
const FIRST_METHOD = 'eth_blockNumber';

const STATUS_ID = 'request-status';

/** Shows the left pane: the request as fields, text or code, and earlier requests. */
export function AskPane({ bench }: { bench: Workbench }) {
  const [tab, setTab] = useState('request');
  const { check, draft } = bench;
  const replaced = useReplacedDraft();
  const isLinkable = useMemo(
    () => draft.text.length < LINK_CHARACTERS_MAX / 10 || linkTo(draft).length <= LINK_CHARACTERS_MAX,
    [draft],
  );
  return (
    <section aria-label={words.region} data-takes-hashes="" className="flex min-h-0 flex-1 flex-col">
      <Tabs value={tab} onValueChange={setTab} className="flex-1">
        <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line px-3 lg:px-4">
          <TabsList aria-label={words.views} className="gap-3 sm:gap-4">
            <TabsTrigger value="request">{words.tabs.request}</TabsTrigger>
            <TabsTrigger value="code" onPointerEnter={CodeTab.preload}>
              {words.tabs.code}
            </TabsTrigger>
            <TabsTrigger value="history" onPointerEnter={HistoryList.preload}>
              {words.tabs.history}
            </TabsTrigger>
            <TabsTrigger value="saved" onPointerEnter={SavedTab.preload}>
              {words.tabs.saved}
            </TabsTrigger>
          </TabsList>
          <span className="flex-1" />
          <Button
            tone="quiet"
            size="iconSm"
            aria-label={words.format}
            title={words.format}
            disabled={!check.ok}
            onClick={() => check.ok && bench.editText(formatRequest(check.document))}
          >
            <AlignLeft aria-hidden />
          </Button>
          <CopyButton
            text={() => linkTo(draft)}
            label={words.copyLink}
            disabled={draft.network === null || !isLinkable}
            {...(isLinkable ? {} : { title: words.tooLongForLink })}
          />
        </div>
        <TabsContent value="request" tabIndex={-1} className="flex flex-col lg:overflow-hidden">
          {bench.isLinkTooLong && <TooLongLink />}
          {replaced !== null && <ReplacedRequest bench={bench} />}
          <RequestTab bench={bench} />
        </TabsContent>
        <TabsContent value="code" tabIndex={-1} className="flex flex-col">
          <CodeTab bench={bench} />
        </TabsContent>
        <TabsContent value="history" tabIndex={-1} className="flex flex-col">
          <HistoryList
            onOpen={({ network, requestText }, others) => {
              bench.openKept({ network, text: requestText }, others);
              setTab('request');
            }}
          />
        </TabsContent>
        <TabsContent value="saved" tabIndex={-1} className="flex flex-col">
          <SavedTab
            draft={draft}
            onOpen={(request, others) => {
              bench.openKept(request, others);
              setTab('request');
            }}
          />
        </TabsContent>
      </Tabs>
    </section>
  );
}

function RequestTab({ bench }: { bench: Workbench }) {
  const { check, network, draft, editText } = bench;
  const single = check.ok && !check.isBatch ? check.calls[0] : undefined;
  return (
    <>
      {check.ok &&
        single &&
        (single.method === FIRST_METHOD ? (
          <MethodNote>{words.firstMethod}</MethodNote>
        ) : (
          <ParamFields call={single} document={check.document} text={draft.text} onEdit={editText} />
        ))}
      {check.ok && check.isBatch && (
        <BatchCalls calls={check.calls} document={check.document} network={network} onEdit={editText} />
      )}
      <div className="flex min-h-52 flex-1 flex-col lg:min-h-32">
        <RequestEditor
          value={draft.text}
          onChange={editText}
          label={words.editor}
          describedBy={STATUS_ID}
          invalid={!check.ok}
        />
      </div>
      <RequestOptions idempotencyKey={draft.idempotencyKey}>
        <RequestStatus id={STATUS_ID} bench={bench} />
      </RequestOptions>
    </>
  );
}

function linkTo(draft: StoredDraft): string {
  return (
    window.location.origin +
    requestHref({
      network: draft.network ?? '',
      text: draft.text,
      ...(draft.answerView === 'compare' ? { compared: draft.compared } : {}),
    })
  );
}

function RequestEditor(props: Omit<JsonTextEditorProps, 'faultsOf'>) {
  return <JsonTextEditor {...props} faultsOf={faultsOf} />;
}

function faultsOf(text: string): TextFault[] {
  const check = checkRequest(text);
  return check.ok ? [] : [check.problem];
}

const NotSent = onDemand(() => import('./request-notices').then((module) => module.NotSent), {
  waiting: <div className="h-9" />,
});

/** Shows the state of the request. After a failed attempt to send, shows the full reason. */
function RequestStatus({
  id,
  bench: { problem, quote, obstacle, refusedToSend, draft },
}: {
  id: string;
  bench: Workbench;
}) {
  useFirstAct(NotSent.preload);
  const sentence = problem ?? obstacle ?? (quote?.kind === 'refused' ? quote.sentence : null);
  return (
    <div id={id} className="min-w-0 flex-1">
      {refusedToSend && sentence !== null ? (
        <NotSent sentence={sentence} />
      ) : (
        <p className="flex min-h-9 items-start gap-2 px-3 py-2 text-xs lg:px-4">
          {sentence === null ? (
            <CircleCheck aria-hidden className="mt-px size-3.5 shrink-0 text-good" />
          ) : (
            <CircleAlert
              aria-hidden
              className={`mt-px size-3.5 shrink-0 ${problem === null ? 'text-amber-ink' : 'text-bad'}`}
            />
          )}
          <span className={sentence === null ? 'text-dim' : 'text-ink'}>
            {sentence ?? rpcWords.status.valid(draft.network)}
          </span>
        </p>
      )}
    </div>
  );
}

function MethodNote({ children }: { children: ReactNode }) {
  return <p className="shrink-0 border-b border-line px-3 py-3 text-sm text-dim lg:px-4">{children}</p>;
}
