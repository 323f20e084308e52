'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Skeleton } from '@/components/ui/skeleton';
import { formatBytes } from '@/lib/browser/text/amounts';
import { ImageOff, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AttachedPicture } from './attached-pictures';
import { chatFileWords as words } from './file-words';
import { keptPicture } from './kept-pictures';

export function PicturePreviews({
  pictures,
  remove,
  onEmpty,
}: {
  pictures: readonly AttachedPicture[];
  remove: (id: string) => void;
  onEmpty: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const take = (id: string, index: number) => {
    remove(id);
    const buttons = list.current?.querySelectorAll('button') ?? [];
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next === undefined) onEmpty();
    else next.focus();
  };
  return (
    <ul ref={list} aria-label={words.attachedPictures} className="flex flex-wrap gap-2">
      {pictures.map((picture, index) => (
        <li key={picture.id} className="relative" title={`${picture.name}, ${factsOf(picture)}`}>
          <Picture picture={picture} className="size-16 rounded-md border border-line bg-surface object-cover" />
          <Button
            size="iconSm"
            aria-label={words.remove(picture.name)}
            title={words.remove(picture.name)}
            className="absolute -top-1.5 -right-1.5 size-6 rounded-full bg-raised p-0 shadow-overlay"
            onClick={() => take(picture.id, index)}
          >
            <X aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}

const SHOWN_HEIGHT_PX = 240;

export function QuestionPictures({ pictures }: { pictures: readonly AttachedPicture[] }) {
  return (
    <ul aria-label={words.attachedPictures} className="flex flex-wrap gap-2">
      {pictures.map((picture) => (
        <li key={picture.id} className="max-w-full min-w-0" title={factsOf(picture)}>
          <Picture picture={picture} isWhole className="max-w-full rounded-sm border border-line bg-ground" />
        </li>
      ))}
    </ul>
  );
}

function factsOf({ width, height, bytes }: AttachedPicture): string {
  return words.pictureFacts(width, height, formatBytes(bytes));
}

function Picture({
  picture: { id, name, width, height },
  isWhole = false,
  className,
}: {
  picture: AttachedPicture;
  /** True to show the picture in its own aspect ratio. */
  isWhole?: boolean;
  className: string;
}) {
  const url = useKeptPicture(id);
  const shape = isWhole
    ? { width: Math.min(width, (width / height) * SHOWN_HEIGHT_PX), aspectRatio: `${width} / ${height}` }
    : undefined;
  if (url === undefined) return <Skeleton className={className} style={shape} />;
  if (url === null)
    return (
      <p className={cn('flex items-center justify-center gap-1.5 p-2 text-xs text-dim', className)}>
        <ImageOff aria-hidden className="size-4 shrink-0" />
        <span className={isWhole ? 'min-w-0 wrap-anywhere' : 'sr-only'}>{words.gone(name)}</span>
      </p>
    );
  // oxlint-disable-next-line nextjs/no-img-element -- A blob URL has nothing to optimise.
  return <img src={url} alt={name} style={shape} className={className} />;
}

/** Returns undefined while reading, null for a missing picture. */
function useKeptPicture(id: string): string | null | undefined {
  const [url, setUrl] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    keptPicture(id).then(
      (picture) => {
        if (isGone) return;
        made = picture === null ? null : URL.createObjectURL(picture);
        setUrl(made);
      },
      () => setUrl(null),
    );
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id]);
  return url;
}
