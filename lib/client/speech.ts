import { errorText } from './bounded-body';
import { type CallOptions, credentialHeaders, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { readGatewayError, UnreachableError } from './gateway-error';
import { SPEECH_PATH, type SpeechRequest } from './speech-models';

/** Audio that is on its way. */
export interface SpokenAnswer {
  contentType: string;
  /** The audio as it arrives. It rejects with UnreachableError where the connection breaks: what came is not all. */
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
export async function speak(options: TurnpikeClientOptions, request: SpeechRequest, { signal }: CallOptions = {}): Promise<SpokenAnswer> {
  const origin = parseBaseUrl(options.baseUrl);
  const headers = credentialHeaders(options);
  headers.set('content-type', 'application/json');
  const startedMs = performance.now();
  const unreachable = (cause: unknown, hasBegun: boolean) => new UnreachableError(origin, signal?.aborted === true, { cause, hasBegun });
  const response = await (options.fetch ?? fetch)(origin + SPEECH_PATH, { method: 'POST', headers, body: JSON.stringify(request), signal: signal ?? null }).catch((cause: unknown) => {
    throw unreachable(cause, false);
  });
  const latencyMs = performance.now() - startedMs;
  const contentType = response.headers.get('content-type') ?? '';
  if (!response.ok || response.body === null || !contentType.startsWith('audio/')) throw readGatewayError(response, await errorText(response), latencyMs);
  return {
    contentType,
    chunks: chunksOf(response.body, (cause) => unreachable(cause, true)),
    engine: response.headers.get('x-service-speech-engine'),
    requestId: response.headers.get('x-request-id'),
    balanceRemainingUsd: response.headers.get('x-balance-remaining'),
    latencyMs,
  };
}

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, unreachable: (cause: unknown) => Error): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
