'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { formatBytes, formatCost, formatDuration } from '@/lib/browser/amounts';
import { formatCountdown } from '@/lib/browser/clock';
import { saveBlob } from '@/lib/browser/save-file';
import { useAudio, type AudioControls } from '@/lib/browser/speech/use-audio';
import { sentenceAt } from '@/lib/browser/speech/sentence-times';
import type { Take } from '@/lib/browser/speech/takes';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { Download, Pause, Play } from 'lucide-react';
import { useRef } from 'react';
import { Waveform } from './waveform';

/** Plays a take: waveform, sentences that light up, seek, download. */
export function TakePlayer({ take, isCompared }: { take: Take; isCompared: boolean }) {
  const element = useRef<HTMLAudioElement>(null);
  const audio = useAudio({ element, url: take.playUrl, playsAtOnce: take.playsAtOnce, durationSeconds: take.durationSeconds });
  const { format, extension } = { format: take.request.response_format, extension: AUDIO_FORMAT_INFO[take.request.response_format].extension };
  return (
    <div className="grid min-w-0 gap-3">
      {/* What is spoken stands below as text, sentence by sentence. */}
      <audio ref={element} src={take.playUrl ?? undefined} preload="auto" data-testid="speech-audio" aria-label={`Audio of ${take.request.voice}`} />
      <div className="flex min-w-0 items-center gap-3">
        <Button size="icon" tone={isCompared ? 'outline' : 'primary'} disabled={take.playUrl === null} aria-label={audio.isPlaying ? 'Pause' : 'Play'} onClick={audio.toggle}>
          {audio.isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Button>
        <Waveform take={take} audio={audio} />
        <span className="figures shrink-0 text-xs text-dim" data-testid="speech-time">
          {formatCountdown(Math.floor(audio.seconds) * 1000)} / {audio.durationSeconds === null ? '–:––' : formatCountdown(Math.round(audio.durationSeconds) * 1000)}
        </span>
      </div>
      {take.playUrl === null && <p className="text-xs text-dim">{AUDIO_FORMAT_INFO[format].name} plays in this browser when all of it is there. {formatBytes(take.bytes)} so far.</p>}
      <Transcript take={take} audio={audio} />
      <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-dim">
        <span className="figures">{take.characters.toLocaleString('en-US')} characters</span>
        <span className="figures" data-testid="take-cost">{formatCost(take.costUsd)}</span>
        <span className="figures">{formatBytes(take.bytes)}</span>
        {take.firstAudioMs !== null && <span>first audio after <span className="figures">{formatDuration(take.firstAudioMs)}</span></span>}
        {take.engine !== null && <span>spoken by {take.engine}</span>}
        <span className="flex-1" />
        <Button size="sm" disabled={take.audio === null} onClick={() => take.audio && saveBlob(`${take.request.model}-${take.request.voice}`.replaceAll(/[^\w.-]+/g, '_') + extension, take.audio)}>
          <Download aria-hidden />
          Download
        </Button>
      </footer>
    </div>
  );
}

/** The text, sentence by sentence: the one that is heard is lit, and each can be pressed to hear it. */
function Transcript({ take, audio }: { take: Take; audio: AudioControls }) {
  const current = audio.isPlaying || audio.seconds > 0 ? sentenceAt(take.sentences, audio.seconds) : -1;
  return (
    <p dir="auto" aria-label="Sentences" className="max-h-64 overflow-auto text-base leading-7 whitespace-pre-wrap">
      {take.sentences.map(({ text, startSeconds }, index) => (
        <button
          key={index}
          type="button"
          aria-current={index === current ? 'true' : undefined}
          disabled={audio.durationSeconds === null && take.status !== 'there'}
          onClick={() => audio.playFrom(startSeconds)}
          className={cn('inline rounded-sm text-start whitespace-pre-wrap transition-colors wrap-anywhere hover:bg-hover', index === current ? 'bg-amber-soft text-amber-ink' : 'text-ink')}
        >
          {text}
        </button>
      ))}
    </p>
  );
}
