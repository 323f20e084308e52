'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { formatZonedDateTime } from '@/lib/browser/moments';
import type { Reading } from '@/lib/browser/rpc/decoding/reading';
import { rpcDecodingWords } from '@/lib/browser/words/rpc-tools';

export function DecodedValue({ id, readings }: { id: string; readings: readonly Reading[] }) {
  return (
    <dl
      id={id}
      className="my-1 grid max-w-2xl gap-px overflow-hidden rounded-md border border-line bg-line font-sans text-xs"
    >
      {readings.map((reading) => (
        <div
          key={reading.kind}
          className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-2 bg-ground px-2 py-0.5"
        >
          <dt className="text-dim">{rpcDecodingWords.kinds[reading.kind]}</dt>
          <dd className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 flex-1 py-1 wrap-anywhere">
              {reading.atMs === undefined ? (
                <bdi className="figures whitespace-pre-wrap">{textOf(reading)}</bdi>
              ) : (
                <LocalTime atMs={reading.atMs} iso={reading.text} />
              )}
            </span>
            <CopyButton
              text={reading.text}
              label={rpcDecodingWords.copy(rpcDecodingWords.kinds[reading.kind])}
              iconOnly
              className="size-6 pointer-coarse:size-8"
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf({ kind, text }: Reading): string {
  return kind === 'size' ? rpcDecodingWords.bytes(text) : text;
}

function LocalTime({ atMs, iso }: { atMs: number; iso: string }) {
  return (
    <>
      <time dateTime={iso}>{formatZonedDateTime(atMs)}</time>
      <span className="figures block text-faint">{iso}</span>
    </>
  );
}
