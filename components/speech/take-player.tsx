'use client';

import { Button } from '@/components/ui/button';
import { formatCost, formatDuration } from '@/lib/browser/amounts';
import { formatBytes } from '@/lib/browser/byte-counts';
import { formatCountdown } from '@/lib/browser/countdown';
import { saveBlob } from '@/lib/browser/save-file';
import { audioFileName } from '@/lib/browser/speech/audio-file-name';
import { useAudio } from '@/lib/browser/speech/use-audio';
import { makePlayable } from '@/lib/browser/speech/speak-take';
import type { Take } from '@/lib/browser/speech/takes';
import { barsOf } from '@/lib/browser/speech/waveform-bars';
import { takeWords } from '@/lib/browser/words/speech-takes';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { Download, Pause, Play } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Transcript } from './transcript';
import type { SpeechDesk } from './use-speech-desk';
import { Waveform } from './waveform';

const BARS = 120;

/** Plays a take: waveform, sentences that light up and can be spoken again, seek, download. */
export function TakePlayer({ take, desk, isCompared }: { take: Take; desk: SpeechDesk; isCompared: boolean }) {
  const element = useRef<HTMLAudioElement>(null);
  const audio = useAudio({
    element,
    url: take.playUrl,
    playsAtOnce: take.playsAtOnce,
    durationSeconds: take.durationSeconds,
  });
  const bars = useMemo(() => barsOf(take.envelope, BARS), [take.envelope]);
  return (
    <div className="grid min-w-0 gap-3">
      {/* What is spoken stands below as text, sentence by sentence. */}
      <audio
        ref={element}
        src={take.playUrl ?? undefined}
        preload="auto"
        data-testid="speech-audio"
        onError={() => take.playUrl !== null && void makePlayable(take.id, take.playUrl)}
        aria-label={takeWords.audioOf(take.request.voice)}
      />
      <div className="flex min-w-0 items-center gap-3">
        <Button
          size="icon"
          tone={isCompared ? 'outline' : 'primary'}
          disabled={take.playUrl === null}
          aria-label={audio.isPlaying ? takeWords.pause : takeWords.play}
          onClick={audio.toggle}
        >
          {audio.isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
        <Waveform bars={bars} audio={audio} label={takeWords.position} />
        <span className="figures shrink-0 text-xs text-dim" data-testid="speech-time">
          {formatCountdown(Math.floor(audio.seconds) * 1000)} /{' '}
          {audio.durationSeconds === null ? '–:––' : formatCountdown(Math.round(audio.durationSeconds) * 1000)}
        </span>
      </div>
      {take.playUrl === null && (
        <p className="text-xs text-dim">
          {takeWords.playsWhenComplete(AUDIO_FORMAT_INFO[take.request.response_format].name, formatBytes(take.bytes))}
        </p>
      )}
      <Transcript take={take} desk={desk} audio={audio} />
      <TakeFacts take={take} />
    </div>
  );
}

function TakeFacts({ take }: { take: Take }) {
  const { audio, engine, firstAudioMs } = take;
  const cost = formatCost(take.costUsd);
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-dim">
      <span className="figures">{takeWords.characters(take.characters)}</span>
      <span className="figures" data-testid="take-cost">
        {take.isCostMost || take.restFrom !== null ? takeWords.upTo(cost) : cost}
      </span>
      <span className="figures">{formatBytes(take.bytes)}</span>
      {firstAudioMs !== null && (
        <span>
          {takeWords.firstAudio}
          <span className="figures">{formatDuration(firstAudioMs)}</span>
        </span>
      )}
      {engine !== null && <span>{takeWords.spokenBy(engine)}</span>}
      <span className="flex-1" />
      <Button
        size="sm"
        disabled={audio === null}
        onClick={() => audio !== null && saveBlob(audioFileName(take.request, audio.type), audio)}
      >
        <Download aria-hidden />
        {takeWords.download}
      </Button>
    </footer>
  );
}
