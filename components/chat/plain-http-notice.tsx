'use client';

import { Notice } from '@/components/ui/notice';
import { localAddress, tunnelCommand } from '@/lib/browser/secure-context';
import { chatWords as words } from '@/lib/browser/words/chat';
import { CommandLine } from './command-line';

/** Why a private chat cannot begin on a page that came by plain HTTP, and how to get one by which it can. */
export function PlainHttpNotice() {
  return (
    <Notice tone="warn" title={words.plainHttp.title}>
      <p>{words.plainHttp.why}</p>
      <p>
        {words.plainHttp.here} <code className="figures text-ink">{localAddress(window.location)}</code>.{' '}
        {words.plainHttp.tunnel}
      </p>
      <CommandLine text={tunnelCommand(window.location)} label={words.plainHttp.copy} />
      <p>{words.plainHttp.operator}</p>
    </Notice>
  );
}
