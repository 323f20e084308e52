'use client';

import type { AudioControls } from '@/lib/browser/speech/use-audio';
import type { Take } from '@/lib/browser/speech/takes';
import { formatCountdown } from '@/lib/browser/clock';
import { useMemo } from 'react';

const BARS = 120;
/** The pointer seeks as fine as it can; a key goes on by what can be heard. */
const KEY_STEPS_SECONDS: Readonly<Record<string, number>> = { ArrowRight: 2, ArrowUp: 2, ArrowLeft: -2, ArrowDown: -2, PageUp: 10, PageDown: -10 };

/** How loud the take is over its time; a slider that seeks. Flat until the audio is all there. */
export function Waveform({ take, audio }: { take: Take; audio: AudioControls }) {
  const bars = useMemo(() => barsOf(take), [take]);
  const duration = audio.durationSeconds ?? 0;
  const share = duration === 0 ? 0 : Math.min(1, audio.seconds / duration);
  return (
    <div className="relative h-10 min-w-0 flex-1 rounded-sm focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-amber-ink">
      <svg aria-hidden viewBox={`0 0 ${BARS * 4} 40`} preserveAspectRatio="none" className="size-full">
        {bars.map((height, index) => (
          <rect key={index} x={index * 4 + 0.5} width={3} y={20 - height * 18} height={Math.max(1.5, height * 36)} rx={1} className={index / BARS < share ? 'fill-amber' : 'fill-edge'} />
        ))}
      </svg>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatCountdown(Math.floor(audio.seconds) * 1000)} of ${formatCountdown(Math.round(duration) * 1000)}`}
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

function barsOf({ envelope }: Take): number[] {
  if (envelope === null) return Array<number>(BARS).fill(0);
  const { peaks } = envelope;
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0.01);
  return Array.from({ length: BARS }, (_, index) => {
    const part = peaks.subarray(Math.floor((index * peaks.length) / BARS), Math.max(1, Math.floor(((index + 1) * peaks.length) / BARS)));
    return part.reduce((most, peak) => Math.max(most, peak), 0) / loudest;
  });
}
