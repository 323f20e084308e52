import type { VideoModel } from '@/lib/client';

/** What a video costs, decimal text of USD. */
export function videoCostUsd(model: Pick<VideoModel, 'usdPerSecond'>, duration: string): string {
  return (model.usdPerSecond * secondsOf(duration)).toFixed(9);
}

/** Seconds of a duration such as "5s"; 0 where it is none. */
export function secondsOf(duration: string): number {
  return /^\d+s$/.test(duration) ? Number(duration.slice(0, -1)) : 0;
}
