import { answerBoundOf } from './answer-bounds';
import { isRecord, object, type Schema, text } from './answer-schema';
import { errorText } from './bounded-body';
import { boundedResponse } from './bounded-response';
import {
  type CallOptions,
  credentialHeaders,
  exchanger,
  fitting,
  parseBaseUrl,
  type TurnpikeClientOptions,
} from './exchange';
import { GatewayError, OversizedAnswerError, readGatewayError, UnreachableError } from './gateway-error';
import { VIDEO_PATHS, type VideoRequest } from './video-models';

/** Which video: what POST /video/queue answered. */
export interface QueuedVideo {
  model: string;
  queue_id: string;
}

/** How a video stands: on its way, or there. Times are in milliseconds. */
export type RetrievedVideo =
  | { status: 'processing'; averageMs: number; elapsedMs: number }
  | { status: 'ready'; media: Blob };

/** The server's word that a video is not there any more. */
export interface GoneProof {
  status: number;
  sentence: string;
  requestId: string | null;
}

/** Under one Idempotency-Key a video is made and charged once, however often it is asked for within 24 hours. */
export interface QueueOptions extends CallOptions {
  idempotencyKey?: string;
}

const queuedVideo: Schema<QueuedVideo> = object({ model: text, queue_id: text });

/** Queues a video. What it costs is taken at once, and given back if it fails. */
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

/** Asks how a video stands, and takes it where it is ready. */
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
  // Beside the video itself, a progress or a refusal: a few hundred bytes.
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

/** Asks for a video that was deleted: the 404 is the proof; null where the server still has it. */
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
