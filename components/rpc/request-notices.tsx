'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatBytes } from '@/lib/browser/byte-counts';
import { LINK_CHARACTERS_MAX } from '@/lib/browser/rpc/request-link';
import { settleReplacedDraft } from '@/lib/browser/rpc/rpc-draft';
import { rpcNoticeWords as words } from '@/lib/browser/words/rpc-notices';

/** Opening it would hold up the page for many seconds, and no person asks for as much. */
export function TooLongLink() {
  return (
    <Notice tone="warn" className="m-3 shrink-0 lg:m-4" title={words.longLink.title}>
      {words.longLink.text(formatBytes(LINK_CHARACTERS_MAX))}
    </Notice>
  );
}

/** A link, the history and saved requests put a request where the person's own was. */
export function ReplacedRequest() {
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
      {words.replaced.text}
    </Notice>
  );
}

/** Why a request that somebody tried to send was not sent. */
export function NotSent({ sentence }: { sentence: string }) {
  return <Notice tone="bad" title={words.notSent(sentence)} className="rounded-none border-0" />;
}
