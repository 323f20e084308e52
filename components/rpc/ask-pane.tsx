'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { requestHref } from '@/lib/browser/request-link';
import { formatRequest } from '@/lib/browser/request-text';
import { AlignLeft, Link2 } from 'lucide-react';
import { useState } from 'react';
import { BatchCalls } from './batch-calls';
import { CodeSamples } from './code-samples';
import { HistoryList } from './history-list';
import { IdempotencyField } from './idempotency-field';
import { ParamFields } from './param-fields';
import { RequestEditor } from './request-editor';
import { RequestStatus } from './request-status';
import type { Workbench } from './use-workbench';

const STATUS_ID = 'request-status';

/** The left-hand pane: the request as fields and text, as code, and the requests of before. */
export function AskPane({ bench }: { bench: Workbench }) {
  const [tab, setTab] = useState('request');
  const { check, draft } = bench;
  return (
    <section aria-label="Request" className="flex min-h-0 flex-1 flex-col">
      <Tabs value={tab} onValueChange={setTab} className="flex-1">
        <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line px-3 lg:px-4">
          <TabsList aria-label="View of the request">
            <TabsTrigger value="request">Request</TabsTrigger>
            <TabsTrigger value="code">Code</TabsTrigger>
            <TabsTrigger value="history">History</TabsTrigger>
          </TabsList>
          <span className="flex-1" />
          <Button tone="quiet" size="iconSm" aria-label="Format the request" title="Format the request" disabled={!check.ok} onClick={() => check.ok && bench.editText(formatRequest(check.document))}>
            <AlignLeft aria-hidden />
          </Button>
          <CopyButton text={() => linkTo(bench)} label="Copy link" icon={Link2} disabled={draft.network === null} />
        </div>
        <TabsContent value="request" tabIndex={-1} className="flex flex-col lg:overflow-hidden">
          <RequestTab bench={bench} />
        </TabsContent>
        <TabsContent value="code" tabIndex={-1} className="flex flex-col">
          <CodeTab bench={bench} />
        </TabsContent>
        <TabsContent value="history" tabIndex={-1} className="flex flex-col">
          <HistoryList
            onOpen={(call) => {
              bench.openPastCall(call);
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
      {check.ok && single && <ParamFields call={single} document={check.document} onEdit={editText} />}
      {check.ok && check.isBatch && <BatchCalls calls={check.calls} document={check.document} network={network} onEdit={editText} />}
      <div className="flex min-h-52 flex-1 flex-col lg:min-h-32">
        <RequestEditor value={draft.text} onChange={editText} label="JSON-RPC request" describedBy={STATUS_ID} invalid={!check.ok} />
      </div>
      <RequestStatus id={STATUS_ID} bench={bench} />
      <IdempotencyField value={draft.idempotencyKey} />
    </>
  );
}

function CodeTab({ bench: { check, draft, network, credential } }: { bench: Workbench }) {
  if (!check.ok || network === null) return <p className="px-6 py-16 text-center text-sm text-dim">Code appears when the request is valid.{!check.ok && ` ${check.problem.sentence}`}</p>;
  const url = `${window.location.origin}/api/v1/crypto/rpc/${network.slug}`;
  const { document, calls, isBatch } = check;
  return <CodeSamples request={{ url, credential: credential.presented, idempotencyKey: draft.idempotencyKey || null, document, calls, isBatch }} kind={network.kind} />;
}

function linkTo({ draft }: Workbench): string {
  return window.location.origin + requestHref({ network: draft.network ?? '', text: draft.text, ...(draft.answerView === 'compare' ? { compared: draft.compared } : {}) });
}
