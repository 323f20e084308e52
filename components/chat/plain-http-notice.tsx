'use client';

import { Notice } from '@/components/ui/notice';
import { localAddress, tunnelCommand } from '@/lib/browser/secure-context';
import { chatPlainHttpWords as words } from '@/lib/browser/words/chat-plain-http';
import { CommandLine } from './command-line';

/** Explains why a private chat cannot begin over plain HTTP. */
export function PlainHttpNotice() {
  return (
    <Notice tone="warn" title={words.title}>
      <p>{words.why}</p>
      <p>
        {words.here} <code className="figures text-ink">{localAddress(window.location)}</code>. {words.tunnel}
      </p>
      <CommandLine text={tunnelCommand(window.location)} label={words.copy} />
      <p>{words.operator}</p>
    </Notice>
  );
}
