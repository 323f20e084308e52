'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatBytes } from '@/lib/browser/text/amounts';
import { asksTheSame } from './answered-request';
import { LINK_CHARACTERS_MAX } from './request-link';
import { settleReplacedDraft } from '@/lib/browser/rpc/rpc-draft';
import { rpcNoticeWords as words } from './answer-words';
import type { Workbench } from './use-workbench';

export function TooLongLink() {
  return (
    <Notice tone="warn" className="m-3 shrink-0 lg:m-4" title={words.longLink.title}>
      {words.longLink.text(formatBytes(LINK_CHARACTERS_MAX))}
    </Notice>
  );
}

/** Offers to restore the user's request after a link, the history or a saved request has replaced it. */
export function ReplacedRequest({ bench: { state, draft } }: { bench: Workbench }) {
  const isSent = state.status !== 'idle' && asksTheSame(state.request, draft);
  return (
    <Notice
      tone="info"
      className="m-3 shrink-0 lg:m-4"
      title={words.replaced.title}
      actions={
        <>
          <Button size="sm" onClick={() => settleReplacedDraft(true)}>
            {words.replaced.back}
          </Button>
          <Button size="sm" tone="quiet" onClick={() => settleReplacedDraft(false)}>
            {words.replaced.leave}
          </Button>
        </>
      }
    >
      {isSent ? words.replaced.sent : words.replaced.text}
    </Notice>
  );
}

export function NotSent({ sentence }: { sentence: string }) {
  return <Notice tone="bad" title={words.notSent(sentence)} className="rounded-none border-0" />;
}
