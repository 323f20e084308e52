'use client';

import { Button } from '@/components/ui/button';
import { formatBytes } from '@/lib/browser/text/amounts';
import { byteLength } from './attached-files';
import type { AttachedFiles } from './use-attached-files';
import { chatFileWords as words } from './file-words';
import { PicturePreviews } from './picture-list';
import { CircleAlert, FileText, X } from 'lucide-react';
import { useRef } from 'react';

export function FileChips({
  attached: { files, pictures, refused, remove, removePicture, dismissRefused },
  onEmpty,
}: {
  attached: AttachedFiles;
  onEmpty: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const take = (index: number) => {
    remove(index);
    // The pressed button disappears, so focus moves to an adjacent remove button, else to the question.
    const buttons = list.current?.querySelectorAll('button') ?? [];
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next === undefined) onEmpty();
    else next.focus();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {pictures.length > 0 && <PicturePreviews pictures={pictures} remove={removePicture} onEmpty={onEmpty} />}
      {files.length > 0 && (
        <ul ref={list} aria-label={words.attached} className="flex flex-wrap gap-1.5">
          {files.map(({ name, text }, index) => (
            <li
              key={`${index} ${name}`}
              className="flex h-7 max-w-full items-center gap-1.5 rounded-md border border-line bg-surface pl-2 text-xs pointer-coarse:h-9"
            >
              <FileText aria-hidden className="size-3.5 shrink-0 text-dim" />
              <span className="max-w-48 min-w-0 truncate" title={name} dir="auto">
                {name}
              </span>
              <span className="figures shrink-0 text-dim">{formatBytes(byteLength(text))}</span>
              <Button
                tone="quiet"
                size="iconSm"
                aria-label={words.remove(name)}
                title={words.remove(name)}
                onClick={() => take(index)}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <div
          role="alert"
          aria-label={words.notAttached}
          className="flex items-start gap-2 rounded-md border border-line bg-surface px-2 py-1.5 text-xs"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-bad" />
          <ul className="grid min-w-0 flex-1 gap-1">
            {refused.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
          <Button
            tone="quiet"
            size="iconSm"
            aria-label={words.dismiss}
            title={words.dismiss}
            onClick={() => {
              dismissRefused();
              onEmpty();
            }}
          >
            <X aria-hidden />
          </Button>
        </div>
      )}
    </div>
  );
}
