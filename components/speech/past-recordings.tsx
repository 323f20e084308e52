'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { formatCost } from '@/lib/browser/text/amounts';
import { formatCountdown, formatMoment } from '@/lib/browser/text/moments';
import { saveBlob } from '@/lib/browser/storage/save-file';
import { audioFileName, PAST_BARS, type PastRecording, TAKES_MAX, usePastRecordings } from './kept-recordings';
import { audioOf, eraseRecordings, playableAudioOf, restoreErasedRecordings, useErasedRecordings } from './past-audio';
import { openPastRecording } from './speak-recording';
import { useAudio } from '@/lib/browser/audio/use-audio';
import { pastRecordingWords as words } from './recording-words';
import { Download, Pause, Play, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Waveform } from './waveform';

export function PastRecordings() {
  const recordings = usePastRecordings();
  const erased = useErasedRecordings();
  if (recordings.length === 0 && erased === null) return null;
  return (
    <section aria-label={words.title} tabIndex={-1} className="grid gap-2">
      <div className="flex min-h-7 items-center gap-3">
        <h2 className="text-sm font-semibold">{words.title}</h2>
        <span className="flex-1" />
        {erased !== null && (
          <>
            <span role="status" className="text-xs text-dim">
              {words.erased(erased.recordings.length)}
            </span>
            <Button size="sm" onClick={() => void restoreErasedRecordings()}>
              <Undo2 aria-hidden />
              {words.undo}
            </Button>
          </>
        )}
        {recordings.length > 0 && (
          <Button size="sm" tone="quiet" onClick={() => void eraseRecordings(recordings)}>
            {words.eraseAll}
          </Button>
        )}
      </div>
      {recordings.length > 0 && (
        <ol className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {recordings.map((recording) => (
            <li key={recording.id} tabIndex={-1}>
              <PastRecordingRow recording={recording} />
            </li>
          ))}
        </ol>
      )}
      <p className="text-xs text-faint">{words.kept(TAKES_MAX)}</p>
    </section>
  );
}

const FLAT = Array<number>(PAST_BARS).fill(0);

function PastRecordingRow({ recording }: { recording: PastRecording }) {
  const element = useRef<HTMLAudioElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  const [isGone, setIsGone] = useState(false);
  const audio = useAudio({ element, url, playsAtOnce: true, durationSeconds: recording.durationSeconds });
  const name = shortened(recording.request.input);
  useEffect(() => () => void (url !== null && URL.revokeObjectURL(url)), [url]);
  const withFound = async <T,>(find: Promise<T | null>, then: (found: T) => void) => {
    const found = await find.catch(() => null);
    setIsGone(found === null);
    if (found !== null) then(found);
  };
  const play = () =>
    url === null
      ? void withFound(playableAudioOf(recording), (found) => setUrl(URL.createObjectURL(found)))
      : audio.toggle();
  return (
    <div className="grid gap-1 px-3 py-2 hover:bg-hover">
      <audio ref={element} src={url ?? undefined} />
      <div className="flex min-w-0 items-center gap-2">
        <Button size="iconSm" aria-label={audio.isPlaying ? words.pause(name) : words.play(name)} onClick={play}>
          {audio.isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
        <div className="relative grid min-w-0 flex-1 text-left">
          <button
            type="button"
            aria-label={words.open(name)}
            onClick={() =>
              void withFound(
                openPastRecording(recording).then((isThere) => isThere || null),
                () => undefined,
              )
            }
            dir="auto"
            className="truncate text-start text-sm underline-offset-4 after:absolute after:inset-0 hover:underline"
          >
            {name}
          </button>
          <span className="truncate text-xs text-dim">
            {recording.request.voice} · {recording.request.model} ·{' '}
            <time dateTime={new Date(recording.atMs).toISOString()}>{formatMoment(recording.atMs)}</time>
          </span>
        </div>
        {recording.restFrom !== null && <Badge tone="amber">{words.unfinished}</Badge>}
      </div>
      <div className="flex min-w-0 items-center gap-2">
        <Waveform
          bars={recording.bars.length === 0 ? FLAT : recording.bars.map((bar) => bar / 100)}
          audio={url === null ? { ...audio, durationSeconds: null } : audio}
          label={words.position(name)}
          className="h-7"
        />
        <span className="figures shrink-0 text-xs text-dim">
          {recording.durationSeconds === null ? '' : formatCountdown(Math.round(recording.durationSeconds) * 1000)}
        </span>
        <span className="figures shrink-0 text-xs text-dim">{formatCost(recording.costUsd)}</span>
        <Button
          size="iconSm"
          tone="quiet"
          aria-label={words.download(name)}
          onClick={() =>
            void withFound(audioOf(recording), (found) => saveBlob(audioFileName(recording.request, found.type), found))
          }
        >
          <Download aria-hidden />
        </Button>
        <Button
          size="iconSm"
          tone="quiet"
          aria-label={words.erase(name)}
          onClick={() => void eraseRecordings([recording])}
        >
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

const NAME_CHARACTERS = 100;

/** Shortens a text for an accessible name, which screen readers read in full. */
function shortened(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length > NAME_CHARACTERS
    ? `${characters.slice(0, NAME_CHARACTERS).join('').trimEnd()}…`
    : characters.join('');
}
