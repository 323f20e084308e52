'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { barsOf } from '@/lib/browser/audio/decoded-audio';
import { useAudio } from '@/lib/browser/audio/use-audio';
import { saveBlob } from '@/lib/browser/storage/save-file';
import { formatBytes, formatCost, formatDuration } from '@/lib/browser/text/amounts';
import { formatCountdown } from '@/lib/browser/text/moments';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { AudioLines, Download, Pause, Play, RotateCw } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { audioFileName } from './kept-recordings';
import { recordingWords } from './recording-words';
import type { Recording } from './recordings';
import { respeak, respokenCostUsd, restOf } from './respeak';
import { makePlayable } from './speak-recording';
import { RedoFailure, Transcript } from './transcript';
import type { SpeechDesk } from './use-speech-desk';
import { Waveform } from './waveform';

export function RecordingCards({ desk }: { desk: SpeechDesk }) {
  return (
    <div className="grid gap-4">
      {desk.recordings.map((recording) => (
        <RecordingCard key={recording.id} recording={recording} desk={desk} isCompared={desk.recordings.length > 1} />
      ))}
    </div>
  );
}

function RecordingCard({
  recording,
  desk,
  isCompared,
}: {
  recording: Recording;
  desk: SpeechDesk;
  isCompared: boolean;
}) {
  const { voice, model } = recording.request;
  const isFirst = desk.recordings[0]?.id === recording.id;
  const cameToNothing = recording.status === 'failed' && recording.bytes === 0;
  return (
    <article
      tabIndex={-1}
      aria-label={recordingWords.name(voice, model)}
      aria-busy={recording.status === 'asking' || recording.status === 'arriving'}
      className="grid min-w-0 gap-3 rounded-md border border-line p-3 lg:p-4"
    >
      <header className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{voice}</h2>
        <span className="figures min-w-0 text-xs wrap-anywhere text-faint">{model}</span>
        <span className="flex-1" />
        <span role="status" className="text-xs text-dim">
          {recordingWords.status(recording.status, recording.bytes)}
        </span>
      </header>
      {recording.status === 'failed' && recording.error !== null && recording.restFrom === null && (
        <FailureCard
          interrupts={isFirst ? 'speech' : undefined}
          error={recording.error}
          onRetry={(presented) => desk.speakAgain(recording, presented)}
        />
      )}
      {recording.restFrom !== null && <BrokenOff recording={recording} desk={desk} />}
      {recording.status === 'asking' && <Skeleton className="h-24" />}
      {(recording.status === 'arriving' || (recording.playUrl !== null && !cameToNothing)) && (
        <RecordingPlayer recording={recording} desk={desk} isCompared={isCompared} />
      )}
    </article>
  );
}

const BARS = 120;

function RecordingPlayer({
  recording,
  desk,
  isCompared,
}: {
  recording: Recording;
  desk: SpeechDesk;
  isCompared: boolean;
}) {
  const element = useRef<HTMLAudioElement>(null);
  const audio = useAudio({
    element,
    url: recording.playUrl,
    playsAtOnce: recording.playsAtOnce,
    durationSeconds: recording.durationSeconds,
  });
  const bars = useMemo(() => barsOf(recording.envelope, BARS), [recording.envelope]);
  return (
    <div className="grid min-w-0 gap-3">
      {/* Has no captions, because the text below shows each sentence. */}
      <audio
        ref={element}
        src={recording.playUrl ?? undefined}
        preload="auto"
        data-testid="speech-audio"
        onError={() => recording.playUrl !== null && void makePlayable(recording.id, recording.playUrl)}
        aria-label={recordingWords.audioOf(recording.request.voice)}
      />
      <div className="flex min-w-0 items-center gap-3">
        <Button
          size="icon"
          tone={isCompared ? 'outline' : 'primary'}
          disabled={recording.playUrl === null}
          aria-label={audio.isPlaying ? recordingWords.pause : recordingWords.play}
          onClick={audio.toggle}
        >
          {audio.isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
        <Waveform bars={bars} audio={audio} label={recordingWords.position} />
        <span className="figures shrink-0 text-xs text-dim" data-testid="speech-time">
          {formatCountdown(Math.floor(audio.seconds) * 1000)} /{' '}
          {audio.durationSeconds === null ? '–:––' : formatCountdown(Math.round(audio.durationSeconds) * 1000)}
        </span>
      </div>
      {recording.playUrl === null && (
        <p className="text-xs text-dim">
          {recordingWords.playsWhenComplete(
            AUDIO_FORMAT_INFO[recording.request.response_format].name,
            formatBytes(recording.bytes),
          )}
        </p>
      )}
      <Transcript recording={recording} desk={desk} audio={audio} />
      <RecordingFacts recording={recording} />
    </div>
  );
}

function RecordingFacts({ recording }: { recording: Recording }) {
  const { audio, engine, firstAudioMs } = recording;
  const cost = formatCost(recording.costUsd);
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-dim">
      <span className="figures">{recordingWords.characters(recording.characters)}</span>
      <span className="figures" data-testid="take-cost">
        {recording.isCostMost || recording.restFrom !== null ? recordingWords.upTo(cost) : cost}
      </span>
      <span className="figures">{formatBytes(recording.bytes)}</span>
      {firstAudioMs !== null && (
        <span>
          {recordingWords.firstAudio}
          <span className="figures">{formatDuration(firstAudioMs)}</span>
        </span>
      )}
      {engine !== null && <span>{recordingWords.spokenBy(engine)}</span>}
      <Button
        size="sm"
        className="ml-auto"
        disabled={audio === null}
        onClick={() => audio !== null && saveBlob(audioFileName(recording.request, audio.type), audio)}
      >
        <Download aria-hidden />
        {recordingWords.download}
      </Button>
    </footer>
  );
}

const WORDS_SHOWN = 6;

function BrokenOff({ recording, desk }: { recording: Recording; desk: SpeechDesk }) {
  const rest = restOf(recording);
  const costUsd = rest === null ? null : respokenCostUsd(recording, rest.text, desk.models);
  const { broken } = recordingWords;
  const isBusy = recording.redo?.status === 'asking';
  if (rest === null) return null;
  if (recording.redo?.status === 'failed')
    return <RedoFailure recording={recording} redo={recording.redo} desk={desk} />;
  return (
    <Notice
      tone={recording.status === 'stopped' ? 'info' : 'bad'}
      title={broken.title(recording.status === 'stopped', rest.from, recording.sentences.length)}
      actions={
        <>
          {costUsd !== null && rest.from > 0 && (
            <Button
              size="sm"
              tone="primary"
              aria-disabled={isBusy}
              onClick={() => !isBusy && void respeak(recording.id, rest, desk.models, desk.credential.presented)}
            >
              <AudioLines aria-hidden />
              {isBusy ? recordingWords.respeak.speaking : broken.rest(formatCost(costUsd))}
            </Button>
          )}
          <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && desk.speakAgain(recording)}>
            <RotateCw aria-hidden />
            {broken.all}
          </Button>
        </>
      }
    >
      <p>{broken.kept}</p>
      {rest.from > 0 && <p>{broken.begins(firstWords(rest.text))}</p>}
    </Notice>
  );
}

function firstWords(text: string): string {
  const words = text.trim().split(/\s+/);
  const shown = Array.from(words.slice(0, WORDS_SHOWN).join(' ')).slice(0, 60).join('');
  return words.length > WORDS_SHOWN ? `${shown}…` : shown;
}
