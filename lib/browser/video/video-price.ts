import type { VideoModel } from '@/lib/client';

/** What a video costs, decimal text of USD. */
export function videoCostUsd(model: Pick<VideoModel, 'usdPerSecond'>, duration: string): string {
  return (model.usdPerSecond * secondsOf(duration)).toFixed(9);
}

/**
 * The lengths that a model makes, shortest first. The API lists them with the usual one first, which is what is chosen
 * for whoever chooses none; a person looks for them in order. What cannot be read comes last.
 */
export function lengthsInOrder(durations: readonly string[]): string[] {
  const rank = (duration: string) => secondsOf(duration) || Number.MAX_VALUE;
  return [...durations].sort((one, other) => rank(one) - rank(other));
}

/** Seconds of a duration such as "5s"; 0 where it is none. */
export function secondsOf(duration: string): number {
  return /^\d+s$/.test(duration) ? Number(duration.slice(0, -1)) : 0;
}
