'use client';

import { Notice } from '@/components/ui/notice';
import { localAddress, tunnelCommand } from '@/lib/browser/secure-context';
import { chatWords as words } from '@/lib/browser/words/chat';
import { CommandLine } from './command-line';

/** Explains why a private chat cannot begin over plain HTTP. */
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
