'use client';

import { type RefObject, useEffect, useState } from 'react';

/** An audio element, as a player needs it. */
export interface AudioControls {
  isPlaying: boolean;
  seconds: number;
  /** null until it is known. */
  durationSeconds: number | null;
  toggle: () => void;
  seek: (seconds: number) => void;
  playFrom: (seconds: number) => void;
}

interface AudioSource {
  element: RefObject<HTMLAudioElement | null>;
  url: string | null;
  playsAtOnce: boolean;
  /** From elsewhere, where the element does not know it. */
  durationSeconds: number | null;
}

/** Follows an audio element frame by frame while it plays. Of all elements of the page one plays at a time. */
export function useAudio({ element, url, playsAtOnce, durationSeconds }: AudioSource): AudioControls {
  const [state, setState] = useState({ isPlaying: false, seconds: 0, ownDurationSeconds: null as number | null });
  useEffect(() => {
    const audio = element.current;
    if (audio === null) return;
    let frame = 0;
    const read = () => {
      setState({
        isPlaying: !audio.paused && !audio.ended,
        seconds: audio.currentTime,
        ownDurationSeconds: Number.isFinite(audio.duration) ? audio.duration : null,
      });
      cancelAnimationFrame(frame);
      if (!audio.paused && !audio.ended) frame = requestAnimationFrame(read);
    };
    const onPlay = () => {
      pauseOthers(audio);
      read();
    };
    const events = ['pause', 'ended', 'seeked', 'timeupdate', 'durationchange', 'emptied'] as const;
    audio.addEventListener('play', onPlay);
    for (const event of events) audio.addEventListener(event, read);
    return () => {
      cancelAnimationFrame(frame);
      audio.removeEventListener('play', onPlay);
      for (const event of events) audio.removeEventListener(event, read);
      audio.pause();
    };
  }, [element]);
  useEffect(() => {
    // Refused where nobody has touched the page yet: the button is there.
    if (url !== null && playsAtOnce) void element.current?.play().catch(() => undefined);
  }, [element, url, playsAtOnce]);
  const play = () => void element.current?.play().catch(() => undefined);
  const seek = (seconds: number) => {
    seekTo(element.current, seconds);
    // At once: a slider that waits for the element jumps back under the hand that moves it.
    setState((before) => ({ ...before, seconds }));
  };
  return {
    isPlaying: state.isPlaying,
    seconds: state.seconds,
    durationSeconds: durationSeconds ?? state.ownDurationSeconds,
    toggle: () => (state.isPlaying ? element.current?.pause() : play()),
    seek,
    playFrom(seconds) {
      seek(seconds);
      play();
    },
  };
}

function seekTo(audio: HTMLAudioElement | null, seconds: number): void {
  if (audio !== null) audio.currentTime = seconds;
}

function pauseOthers(playing: HTMLAudioElement): void {
  for (const audio of document.querySelectorAll('audio')) if (audio !== playing) audio.pause();
}
