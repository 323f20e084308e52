import type { VideoModel } from '@/lib/client';

export function videoCostUsd(model: Pick<VideoModel, 'usdPerSecond'>, duration: string): string {
  return (model.usdPerSecond * secondsOf(duration)).toFixed(9);
}

/** Sorts a model's lengths, shortest first and unreadable ones last. The API lists the default length first. */
export function lengthsInOrder(durations: readonly string[]): string[] {
  const rank = (duration: string) => secondsOf(duration) || Number.MAX_VALUE;
  return [...durations].sort((one, other) => rank(one) - rank(other));
}

/** Returns the seconds of a duration such as "5s"; 0 if invalid. */
export function secondsOf(duration: string): number {
  return /^\d+s$/.test(duration) ? Number(duration.slice(0, -1)) : 0;
}
