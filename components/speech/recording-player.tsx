'use client';

import { Button } from '@/components/ui/button';
import { formatCost, formatDuration } from '@/lib/browser/amounts';
import { formatBytes } from '@/lib/browser/byte-counts';
import { formatCountdown } from '@/lib/browser/countdown';
import { saveBlob } from '@/lib/browser/save-file';
import { audioFileName } from '@/lib/browser/speech/audio-file-name';
import { useAudio } from '@/lib/browser/speech/use-audio';
import { makePlayable } from '@/lib/browser/speech/speak-recording';
import type { Recording } from '@/lib/browser/speech/recordings';
import { barsOf } from '@/lib/browser/speech/waveform-bars';
import { recordingWords } from '@/lib/browser/words/speech-recordings';
import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { Download, Pause, Play } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Transcript } from './transcript';
import type { SpeechDesk } from './use-speech-desk';
import { Waveform } from './waveform';

const BARS = 120;

/** Shows a recording: waveform, sentences that the user can respeak, and controls to seek and download. */
export function RecordingPlayer({
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
      <span className="flex-1" />
      <Button
        size="sm"
        disabled={audio === null}
        onClick={() => audio !== null && saveBlob(audioFileName(recording.request, audio.type), audio)}
      >
        <Download aria-hidden />
        {recordingWords.download}
      </Button>
    </footer>
  );
}
