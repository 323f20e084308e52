import { isRecord } from '@/lib/protocol/json-record';
import { answerBoundOf, errorText } from './bounded-answer';
import { boundedResponse } from './bounded-response';
import { object, type Schema, text } from './answer-schema';
import {
  type CallOptions,
  credentialHeaders,
  exchanger,
  fitting,
  parseBaseUrl,
  type TurnpikeClientOptions,
} from './exchange';
import { GatewayError, OversizedAnswerError, readGatewayError, UnreachableError } from './gateway-error';
import { VIDEO_PATHS, type VideoRequest } from './media-models';

/** Answer of POST /video/queue. It identifies the video. */
export interface QueuedVideo {
  model: string;
  queue_id: string;
}

export type RetrievedVideo =
  | { status: 'processing'; averageMs: number; elapsedMs: number }
  | { status: 'ready'; media: Blob };

/** Gateway's statement that a video no longer exists. */
export interface GoneProof {
  status: number;
  sentence: string;
  requestId: string | null;
}

/** Calls with the same Idempotency-Key within 24 hours queue and charge only one video. */
interface QueueOptions extends CallOptions {
  idempotencyKey?: string;
}

const queuedVideo: Schema<QueuedVideo> = object({ model: text, queue_id: text });

/** Queues a video. The gateway charges immediately, and refunds the charge if the video fails. */
export async function queueVideo(
  options: TurnpikeClientOptions,
  request: VideoRequest,
  callOptions?: QueueOptions,
): Promise<QueuedVideo> {
  return fitting(
    queuedVideo,
    await exchanger(options)('POST', VIDEO_PATHS.queue, { ...callOptions, requestText: JSON.stringify(request) }),
  );
}

/** Fetches a video's state, or the finished video. */
export async function retrieveVideo(
  options: TurnpikeClientOptions,
  video: QueuedVideo,
  { signal }: CallOptions = {},
): Promise<RetrievedVideo> {
  const origin = parseBaseUrl(options.baseUrl);
  const headers = credentialHeaders(options);
  headers.set('content-type', 'application/json');
  const startedMs = performance.now();
  const unreachable =
    (hasBegun: boolean) =>
    (cause: unknown): never => {
      throw cause instanceof OversizedAnswerError
        ? cause
        : new UnreachableError(origin, signal?.aborted === true, { cause, hasBegun });
    };
  const response = await (options.fetch ?? fetch)(origin + VIDEO_PATHS.retrieve, {
    method: 'POST',
    headers,
    body: JSON.stringify(video),
    redirect: 'error',
    signal: signal ?? null,
  }).catch(unreachable(false));
  if (response.ok && (response.headers.get('content-type') ?? '').startsWith('video/'))
    return {
      status: 'ready',
      media: await boundedResponse(response, answerBoundOf(VIDEO_PATHS.retrieve)).blob().catch(unreachable(true)),
    };
  // An answer without a video reports progress or an error in a few hundred bytes.
  const bodyText = await errorText(response).catch(unreachable(true));
  const progress = response.ok ? readProgress(bodyText) : null;
  if (progress === null) throw readGatewayError(response, bodyText, performance.now() - startedMs);
  return progress;
}

/** Deletes a video from the server (specification, "POST /video/complete"). */
export async function completeVideo(
  options: TurnpikeClientOptions,
  video: QueuedVideo,
  callOptions?: CallOptions,
): Promise<void> {
  await exchanger(options)('POST', VIDEO_PATHS.complete, { ...callOptions, requestText: JSON.stringify(video) });
}

/**
 * Requests a deleted video.
 *
 * @returns 404 answer, which proves the deletion; null if the gateway still has the video
 */
export async function proveGone(
  options: TurnpikeClientOptions,
  video: QueuedVideo,
  callOptions?: CallOptions,
): Promise<GoneProof | null> {
  try {
    await retrieveVideo(options, video, callOptions);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 404) throw error;
    return { status: error.status, sentence: error.message, requestId: error.detail.requestId };
  }
}

function readProgress(bodyText: string): RetrievedVideo | null {
  try {
    const body: unknown = JSON.parse(bodyText);
    if (!isRecord(body)) return null;
    const { status, average_execution_time: averageMs, execution_duration: elapsedMs } = body;
    return status === 'PROCESSING' && typeof averageMs === 'number' && typeof elapsedMs === 'number'
      ? { status: 'processing', averageMs, elapsedMs }
      : null;
  } catch {
    return null;
  }
}
