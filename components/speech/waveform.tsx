'use client';

import { cn } from '@/components/ui/class-names';
import { HeldChoice } from '@/components/ui/held-choice';
import type { AudioControls } from '@/lib/browser/audio/use-audio';
import { formatCountdown } from '@/lib/browser/text/moments';
import { recordingWords } from './recording-words';

/** Seconds to seek per key press, enough to hear a difference. The pointer seeks in smaller steps. */
const KEY_STEPS_SECONDS: Readonly<Record<string, number>> = {
  ArrowRight: 2,
  ArrowUp: 2,
  ArrowLeft: -2,
  ArrowDown: -2,
  PageUp: 10,
  PageDown: -10,
};

interface WaveformProps {
  /** Heights from 0 to 1; flat until the audio is complete. */
  bars: readonly number[];
  audio: AudioControls;
  label: string;
  className?: string;
}

/** Shows loudness over time. Works as a slider that seeks. */
export function Waveform({ bars, audio, label, className }: WaveformProps) {
  const duration = audio.durationSeconds ?? 0;
  const share = duration === 0 ? 0 : Math.min(1, audio.seconds / duration);
  return (
    <div
      className={cn(
        'relative h-10 min-w-0 flex-1 rounded-sm focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-amber-ink',
        className,
      )}
    >
      <svg aria-hidden viewBox={`0 0 ${bars.length * 4} 40`} preserveAspectRatio="none" className="size-full">
        {bars.map((height, index) => (
          <rect
            key={index}
            x={index * 4 + 0.5}
            width={3}
            y={20 - height * 18}
            height={Math.max(1.5, height * 36)}
            rx={1}
            className={index / bars.length < share ? 'fill-teal' : 'fill-teal-rest'}
          />
        ))}
      </svg>
      {share > 0 && (
        <span
          aria-hidden
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 rounded-full bg-ink"
          style={{ left: `${share * 100}%` }}
        />
      )}
      <HeldChoice
        type="range"
        aria-label={label}
        aria-valuetext={recordingWords.positionText(
          formatCountdown(Math.floor(audio.seconds) * 1000),
          formatCountdown(Math.round(duration) * 1000),
        )}
        min={0}
        max={duration || 1}
        step={0.05}
        value={Math.min(audio.seconds, duration || 1)}
        disabled={duration === 0}
        onChange={(event) => audio.seek(Number(event.target.value))}
        onKeyDown={(event) => {
          const stepSeconds = KEY_STEPS_SECONDS[event.key];
          if (stepSeconds === undefined) return;
          event.preventDefault();
          audio.seek(Math.min(duration, Math.max(0, audio.seconds + stepSeconds)));
        }}
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-default"
      />
    </div>
  );
}
