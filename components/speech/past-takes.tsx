'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { formatCost } from '@/lib/browser/amounts';
import { formatCountdown } from '@/lib/browser/countdown';
import { formatMoment } from '@/lib/browser/moments';
import { saveBlob } from '@/lib/browser/save-file';
import { audioFileName } from '@/lib/browser/speech/audio-file-name';
import {
  audioOf,
  eraseTakes,
  playableAudioOf,
  restoreErasedTakes,
  useErasedTakes,
} from '@/lib/browser/speech/past-audio';
import { type PastTake, PAST_BARS, TAKES_MAX, usePastTakes } from '@/lib/browser/speech/past-takes';
import { openPastTake } from '@/lib/browser/speech/speak-take';
import { useAudio } from '@/lib/browser/speech/use-audio';
import { pastTakeWords as words } from '@/lib/browser/words/speech-takes';
import { Download, Pause, Play, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Waveform } from './waveform';

/** What was spoken before, in this browser: heard in its place, downloaded, erased, or brought back to the stage. */
export function PastTakes() {
  const takes = usePastTakes();
  const erased = useErasedTakes();
  if (takes.length === 0 && erased === null) return null;
  return (
    <section aria-label={words.title} tabIndex={-1} className="grid gap-2">
      <div className="flex min-h-7 items-center gap-3">
        <h2 className="text-sm font-semibold">{words.title}</h2>
        <span className="flex-1" />
        {erased !== null && (
          <>
            <span role="status" className="text-xs text-dim">
              {words.erased(erased.takes.length)}
            </span>
            <Button size="sm" onClick={() => void restoreErasedTakes()}>
              <Undo2 aria-hidden />
              {words.undo}
            </Button>
          </>
        )}
        {takes.length > 0 && (
          <Button size="sm" tone="quiet" onClick={() => void eraseTakes(takes)}>
            {words.eraseAll}
          </Button>
        )}
      </div>
      {takes.length > 0 && (
        <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {takes.map((take) => (
            <li key={take.id} tabIndex={-1}>
              <PastTakeRow take={take} />
            </li>
          ))}
        </ol>
      )}
      <p className="text-xs text-faint">{words.kept(TAKES_MAX)}</p>
    </section>
  );
}

const FLAT = Array<number>(PAST_BARS).fill(0);

function PastTakeRow({ take }: { take: PastTake }) {
  const element = useRef<HTMLAudioElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  const [isGone, setIsGone] = useState(false);
  const audio = useAudio({ element, url, playsAtOnce: true, durationSeconds: take.durationSeconds });
  const name = shortened(take.request.input);
  useEffect(() => () => void (url !== null && URL.revokeObjectURL(url)), [url]);
  const withFound = async <T,>(find: Promise<T | null>, then: (found: T) => void) => {
    const found = await find.catch(() => null);
    setIsGone(found === null);
    if (found !== null) then(found);
  };
  const play = () =>
    url === null
      ? void withFound(playableAudioOf(take), (found) => setUrl(URL.createObjectURL(found)))
      : audio.toggle();
  return (
    <div className="grid gap-1 px-3 py-2 hover:bg-hover">
      <audio ref={element} src={url ?? undefined} />
      <div className="flex min-w-0 items-center gap-2">
        <Button size="iconSm" aria-label={audio.isPlaying ? words.pause(name) : words.play(name)} onClick={play}>
          {audio.isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
        <button
          type="button"
          aria-label={words.open(name)}
          onClick={() =>
            void withFound(
              openPastTake(take).then((isThere) => isThere || null),
              () => undefined,
            )
          }
          className="grid min-w-0 flex-1 text-left"
        >
          <span dir="auto" className="truncate text-sm underline-offset-4 hover:underline">
            {take.request.input}
          </span>
          <span className="truncate text-xs text-dim">
            {take.request.voice} · {take.request.model} ·{' '}
            <time dateTime={new Date(take.atMs).toISOString()}>{formatMoment(take.atMs)}</time>
          </span>
        </button>
        {take.restFrom !== null && <Badge tone="amber">{words.unfinished}</Badge>}
      </div>
      <div className="flex min-w-0 items-center gap-2">
        <Waveform
          bars={take.bars.length === 0 ? FLAT : take.bars.map((bar) => bar / 100)}
          audio={url === null ? { ...audio, durationSeconds: null } : audio}
          label={words.position(name)}
          className="h-7"
        />
        <span className="figures shrink-0 text-xs text-dim">
          {take.durationSeconds === null ? '' : formatCountdown(Math.round(take.durationSeconds) * 1000)}
        </span>
        <span className="figures shrink-0 text-xs text-dim">{formatCost(take.costUsd)}</span>
        <Button
          size="iconSm"
          tone="quiet"
          aria-label={words.download(name)}
          onClick={() =>
            void withFound(audioOf(take), (found) => saveBlob(audioFileName(take.request, found.type), found))
          }
        >
          <Download aria-hidden />
        </Button>
        <Button size="iconSm" tone="quiet" aria-label={words.erase(name)} onClick={() => void eraseTakes([take])}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {isGone && (
        <p role="alert" className="text-xs text-bad">
          {words.gone}
        </p>
      )}
    </div>
  );
}

const NAME_CHARACTERS = 60;

/** A text as the name of its take: read out whole, a long one would not end. */
function shortened(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length > NAME_CHARACTERS
    ? `${characters.slice(0, NAME_CHARACTERS).join('').trimEnd()}…`
    : characters.join('');
}
