import { z } from 'zod';
import { CREATED_UNKNOWN, NO_CHAT_CAPABILITIES } from '@/lib/protocol/models/model-facts';
import { VIDEO_PROMPT_MAX } from '@/lib/protocol/video/video-requests';
import { parseUsd } from '@/lib/protocol/parse-usd';
import type { VideoConfig, VideoModelOverride } from '../config/video';
import type { VideoUpstream } from './upstream';

/** Video model. In each list, the first item is the default. */
export interface VideoModel {
  id: string;
  name: string;
  created: number;
  ownedBy: string;
  engine: string | null;
  durations: readonly string[];
  aspectRatios: readonly string[];
  resolutions: readonly string[];
  pricePerSecondNanoUsd: number;
  upstream: VideoUpstream;
}

const STANDARD = { durations: ['5s'], aspectRatios: ['16:9'], resolutions: ['720p'] };

const list = (pattern: RegExp) => z.array(z.string().regex(pattern)).min(1).max(64).optional().catch(undefined);

const listed = z.object({
  id: z.string().min(1).max(256),
  created: z.number().int().optional().catch(undefined),
  owned_by: z.string().max(200).optional().catch(undefined),
  model_spec: z
    .object({
      name: z.string().min(1).max(200).optional().catch(undefined),
      engine: z.string().max(200).optional().catch(undefined),
      durations: list(/^[1-9][0-9]{0,2}s$/),
      aspect_ratios: list(/^[1-9][0-9]{0,2}:[1-9][0-9]{0,2}$/),
      resolutions: list(/^.{1,16}$/),
    })
    .optional()
    .catch(undefined),
});

/** Parses an entry of an upstream's list; null if it is invalid. */
export function listedModel(entry: unknown): z.output<typeof listed> | null {
  const verdict = listed.safeParse(entry);
  return verdict.success ? verdict.data : null;
}

/** Builds a model from its list entry. The operator's configuration takes precedence. */
export function videoModel(
  entry: z.output<typeof listed>,
  own: VideoModelOverride | undefined,
  upstream: VideoUpstream,
  { pricePerSecondNanoUsd }: Pick<VideoConfig, 'pricePerSecondNanoUsd'>,
): VideoModel {
  const { id, created, owned_by: ownedBy, model_spec: spec } = entry;
  return {
    id,
    name: own?.name ?? spec?.name ?? id,
    created: created || CREATED_UNKNOWN,
    ownedBy: ownedBy ?? upstream.name,
    engine: spec?.engine ?? null,
    durations: own?.durations ?? spec?.durations ?? STANDARD.durations,
    aspectRatios: own?.aspectRatios ?? spec?.aspect_ratios ?? STANDARD.aspectRatios,
    resolutions: own?.resolutions ?? spec?.resolutions ?? STANDARD.resolutions,
    pricePerSecondNanoUsd: own?.pricePerSecondUsd ? parseUsd(own.pricePerSecondUsd) : pricePerSecondNanoUsd,
    upstream,
  };
}

export function videoPrice(
  { pricePerSecondNanoUsd }: Pick<VideoModel, 'pricePerSecondNanoUsd'>,
  duration: string,
): number {
  return pricePerSecondNanoUsd * Number.parseInt(duration, 10);
}

/** Formats a video model for GET /models. Prices are USD per second of video. */
export function videoModelEntry({ model, offline }: { model: VideoModel; offline: boolean }) {
  const { id, created, ownedBy, name, engine, durations, aspectRatios, resolutions, pricePerSecondNanoUsd } = model;
  const usd = pricePerSecondNanoUsd / 1e9;
  return {
    id,
    type: 'video',
    object: 'model',
    created,
    owned_by: ownedBy,
    model_spec: {
      name,
      // A prompt has at most one token per character.
      availableContextTokens: VIDEO_PROMPT_MAX,
      capabilities: NO_CHAT_CAPABILITIES,
      ...(engine === null ? {} : { engine }),
      durations,
      aspect_ratios: aspectRatios,
      resolutions,
      pricing: { per_second: { usd, diem: usd } },
      privacy: 'relayed',
      offline,
    },
  };
}
