'use client';

import { type RefObject, useEffect, useState } from 'react';

export interface AudioControls {
  isPlaying: boolean;
  seconds: number;
  durationSeconds: number | null;
  toggle: () => void;
  seek: (seconds: number) => void;
  playFrom: (seconds: number) => void;
}

interface AudioSource {
  element: RefObject<HTMLAudioElement | null>;
  url: string | null;
  playsAtOnce: boolean;
  durationSeconds: number | null;
}

/** Follows an audio element frame by frame while it plays. Only one element of the page plays at a time. */
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
    // Browsers refuse playback before the first interaction. The user can still press the button.
    if (url !== null && playsAtOnce) void element.current?.play().catch(() => undefined);
  }, [element, url, playsAtOnce]);
  const play = () => void element.current?.play().catch(() => undefined);
  const seek = (seconds: number) => {
    seekTo(element.current, seconds);
    // Does not wait for the element, because the slider would jump back during a drag.
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
