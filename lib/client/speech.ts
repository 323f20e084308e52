import { answerBoundOf, errorText } from './bounded-answer';
import { boundedResponse } from './bounded-response';
import { type CallOptions, credentialHeaders, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { OversizedAnswerError, readGatewayError, UnreachableError } from './gateway-error';
import { usdOf } from './usd-header';
import { SPEECH_PATH, type SpeechRequest } from './media-models';

export interface SpokenAnswer {
  contentType: string;
  /**
   * Audio as it arrives. Rejects with UnreachableError if the connection breaks, and with OversizedAnswerError beyond
   * the size limit.
   */
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Speech engine; null if not stated. */
  engine: string | null;
  requestId: string | null;
  /** Wallet balance after the hold; null with an API key. */
  balanceRemainingUsd: string | null;
  /** Time from the request to the response headers. */
  latencyMs: number;
}

/** Synthesizes speech. Resolves once the headers arrive. */
export async function speak(
  options: TurnpikeClientOptions,
  request: SpeechRequest,
  { signal }: CallOptions = {},
): Promise<SpokenAnswer> {
  const origin = parseBaseUrl(options.baseUrl);
  const headers = credentialHeaders(options);
  headers.set('content-type', 'application/json');
  const startedMs = performance.now();
  const unreachable = (cause: unknown, hasBegun: boolean) =>
    cause instanceof OversizedAnswerError
      ? cause
      : new UnreachableError(origin, signal?.aborted === true, { cause, hasBegun });
  const response = await (options.fetch ?? fetch)(origin + SPEECH_PATH, {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
    redirect: 'error',
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw unreachable(cause, false);
  });
  const latencyMs = performance.now() - startedMs;
  const contentType = response.headers.get('content-type') ?? '';
  const { body } = boundedResponse(response, answerBoundOf(SPEECH_PATH));
  if (!response.ok || body === null || !contentType.startsWith('audio/'))
    throw readGatewayError(response, await errorText({ body }), latencyMs);
  return {
    contentType,
    chunks: chunksOf(body, (cause) => unreachable(cause, true)),
    engine: response.headers.get('x-service-speech-engine'),
    requestId: response.headers.get('x-request-id'),
    balanceRemainingUsd: usdOf(response.headers, 'x-balance-remaining'),
    latencyMs,
  };
}

async function* chunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  unreachable: (cause: unknown) => Error,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreachable(cause);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Cancels synthesis on the gateway if the reader stops early.
    await reader.cancel().catch(() => undefined);
  }
}
