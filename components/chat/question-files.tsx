import { Summary } from '@/components/ui/summary';
import { formatBytes } from '@/lib/browser/byte-counts';
import { type AttachedFile, byteLength } from '@/lib/browser/chat/attached-files';
import { chatFileWords as words } from '@/lib/browser/words/chat-files';
import { FileText } from 'lucide-react';

const SHOWN_CHARACTERS = 20_000;

/** Lists the files of a question. An opened file shows its text. */
export function QuestionFiles({ files }: { files: readonly AttachedFile[] }) {
  return (
    <ul aria-label={words.attached} className="grid gap-1.5">
      {files.map(({ name, text }, index) => (
        <li key={`${index} ${name}`} className="min-w-0">
          <details className="group overflow-hidden rounded-sm border border-line bg-ground text-xs">
            <Summary
              chevronClassName="size-3.5"
              className="min-h-7 gap-1.5 px-2 hover:bg-hover pointer-coarse:min-h-10"
            >
              <FileText aria-hidden className="size-3.5 shrink-0 text-dim" />
              <span className="min-w-0 truncate" dir="auto">
                {name}
              </span>
              <span className="figures ml-auto shrink-0 text-dim">{formatBytes(byteLength(text))}</span>
            </Summary>
            <pre
              tabIndex={0}
              aria-label={name}
              className="figures max-h-60 overflow-auto border-t border-line p-2 wrap-anywhere whitespace-pre-wrap"
            >
              {text.slice(0, SHOWN_CHARACTERS)}
              {text.length > SHOWN_CHARACTERS && '…'}
            </pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
