import { errorText } from './bounded-body';
import { type CallOptions, credentialHeaders, exchanger, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { GatewayError, readGatewayError, UnreachableError } from './gateway-error';

/** A model that makes videos, as GET /models?type=video lists it. */
export interface VideoModel {
  id: string;
  name: string;
  /** As "5s". */
  durations: readonly string[];
  /** As "16:9". */
  aspectRatios: readonly string[];
  usdPerSecond: number;
  /** What makes them, where it says so. */
  engine: string | null;
  isOffline: boolean;
}

/** The body of POST /video/queue. */
export interface VideoRequest {
  model: string;
  prompt: string;
  duration: string;
  aspect_ratio: string;
}

/** Which video: what POST /video/queue answered. */
export interface QueuedVideo {
  model: string;
  queue_id: string;
}

/** How a video stands: on its way, or there. Times are in milliseconds. */
export type RetrievedVideo = { status: 'processing'; averageMs: number; elapsedMs: number } | { status: 'ready'; media: Blob };

/** The server's word that a video is not there any more. */
export interface GoneProof {
  status: number;
  sentence: string;
  requestId: string | null;
}

export const VIDEO_PATHS = { queue: '/api/v1/video/queue', retrieve: '/api/v1/video/retrieve', complete: '/api/v1/video/complete' } as const;

/** The models that make videos. Public. Rejects, as all of these, with GatewayError or UnreachableError. */
export async function listVideoModels(options: TurnpikeClientOptions, callOptions?: CallOptions): Promise<readonly VideoModel[]> {
  const { body } = await exchanger(options)('GET', '/api/v1/models?type=video', callOptions);
  return (body as { data: readonly VideoEntry[] }).data.map(readEntry);
}

/** Queues a video. What it costs is taken at once, and given back if it fails. */
export async function queueVideo(options: TurnpikeClientOptions, request: VideoRequest, callOptions?: CallOptions): Promise<QueuedVideo> {
  const { body } = await exchanger(options)('POST', VIDEO_PATHS.queue, { ...callOptions, requestText: JSON.stringify(request) });
  return body as QueuedVideo;
}

/** Asks how a video stands, and takes it where it is ready. */
export async function retrieveVideo(options: TurnpikeClientOptions, video: QueuedVideo, { signal }: CallOptions = {}): Promise<RetrievedVideo> {
  const origin = parseBaseUrl(options.baseUrl);
  const headers = credentialHeaders(options);
  headers.set('content-type', 'application/json');
  const startedMs = performance.now();
  const unreachable = (hasBegun: boolean) => (cause: unknown): never => {
    throw new UnreachableError(origin, signal?.aborted === true, { cause, hasBegun });
  };
  const response = await (options.fetch ?? fetch)(origin + VIDEO_PATHS.retrieve, { method: 'POST', headers, body: JSON.stringify(video), signal: signal ?? null }).catch(unreachable(false));
  if (response.ok && (response.headers.get('content-type') ?? '').startsWith('video/')) return { status: 'ready', media: await response.blob().catch(unreachable(true)) };
  // Beside the video itself, a progress or a refusal: a few hundred bytes.
  const bodyText = await errorText(response).catch(unreachable(true));
  const progress = response.ok ? readProgress(bodyText) : null;
  if (progress === null) throw readGatewayError(response, bodyText, performance.now() - startedMs);
  return progress;
}

/** Deletes a video from the server (specification, "POST /video/complete"). */
export async function completeVideo(options: TurnpikeClientOptions, video: QueuedVideo, callOptions?: CallOptions): Promise<void> {
  await exchanger(options)('POST', VIDEO_PATHS.complete, { ...callOptions, requestText: JSON.stringify(video) });
}

/** Asks for a video that was deleted: the 404 is the proof; null where the server still has it. */
export async function proveGone(options: TurnpikeClientOptions, video: QueuedVideo, callOptions?: CallOptions): Promise<GoneProof | null> {
  try {
    await retrieveVideo(options, video, callOptions);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 404) throw error;
    return { status: error.status, sentence: error.message, requestId: error.detail.requestId };
  }
}

function readProgress(text: string): RetrievedVideo | null {
  try {
    const { status, average_execution_time: averageMs, execution_duration: elapsedMs } = JSON.parse(text) as Record<string, unknown>;
    return status === 'PROCESSING' && typeof averageMs === 'number' && typeof elapsedMs === 'number' ? { status: 'processing', averageMs, elapsedMs } : null;
  } catch {
    return null;
  }
}

interface VideoEntry {
  id: string;
  model_spec: {
    name?: string;
    durations?: readonly string[];
    aspect_ratios?: readonly string[];
    pricing?: { per_second?: { usd?: number } };
    engine?: string | null;
    offline?: boolean;
  };
}

function readEntry({ id, model_spec: spec }: VideoEntry): VideoModel {
  return {
    id,
    name: spec.name ?? id,
    durations: spec.durations ?? ['5s'],
    aspectRatios: spec.aspect_ratios ?? ['16:9'],
    usdPerSecond: spec.pricing?.per_second?.usd ?? 0,
    engine: spec.engine ?? null,
    isOffline: spec.offline === true,
  };
}
