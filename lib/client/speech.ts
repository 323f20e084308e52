import { answerBoundOf } from './answer-bounds';
import { errorText } from './bounded-body';
import { boundedResponse } from './bounded-response';
import { type CallOptions, credentialHeaders, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { OversizedAnswerError, readGatewayError, UnreachableError } from './gateway-error';
import { usdOf } from './usd-header';
import { SPEECH_PATH, type SpeechRequest } from './speech-models';

/** Audio that is on its way. */
export interface SpokenAnswer {
  contentType: string;
  /** The audio as it arrives. It rejects with UnreachableError where the connection breaks, and with OversizedAnswerError where it does not end: what came is not all. */
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** What spoke; null where the answer does not say. */
  engine: string | null;
  requestId: string | null;
  /** What a wallet holds after the reservation; null under an API key. */
  balanceRemainingUsd: string | null;
  /** From sending to the first header, milliseconds. */
  latencyMs: number;
}

/** Has a text spoken. Resolves with the first bytes' headers; rejects with GatewayError (any refusal) or UnreachableError. */
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
    // Left early: the gateway is to stop speaking.
    await reader.cancel().catch(() => undefined);
  }
}
