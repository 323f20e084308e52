'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { localAddress, tunnelCommand } from '@/lib/browser/page/secure-context';
import { chatPlainHttpWords as words } from './plain-http-words';

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

export function CommandLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex min-w-0 items-center gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-3">
      <code
        tabIndex={0}
        aria-label={words.command}
        className="figures min-w-0 flex-1 overflow-x-auto text-xs whitespace-nowrap text-ink"
      >
        {text}
      </code>
      <CopyButton text={text} label={label} iconOnly />
    </div>
  );
}
