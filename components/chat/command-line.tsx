import { CopyButton } from '@/components/ui/copy-button';
import { chatPlainHttpWords as words } from '@/lib/browser/words/chat-plain-http';

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
