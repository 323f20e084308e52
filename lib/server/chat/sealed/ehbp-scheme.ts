import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { EHBP_HEADERS, EHBP_KEY_PROBLEM, isEhbpHeaderValue } from '@/lib/protocol/e2ee/ehbp/format';
import { estimateSealedPrompt, FrameAccount } from '@/lib/protocol/e2ee/ehbp/frame-account';
import { isFramed } from '@/lib/protocol/e2ee/ehbp/frames';
import {
  agreedUsage,
  readUsageMetrics,
  type ToldUsage,
  USAGE_HEADER,
  USAGE_REQUEST_HEADER,
} from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';
import { refusedError } from '../../upstreams/models/upstream-error';
import { answeredInTheClear, type SealedAccount, type SealedHeaders, type SealedScheme } from './sealed-scheme';

const FRAMES_BESIDE = 64;
const BYTES_PER_TOKEN_MAX = 1_024;
const BYTES_BESIDE = 65_536;
const KEY_CONFIG_STATUS = 422;

/**
 * Encrypted HTTP Body Protocol, as Tinfoil uses it. The gateway can verify neither the model nor the number of
 * completions. So the gateway reserves one completion of the most expensive model, and cuts off longer answers.
 */
export const ehbpScheme: SealedScheme = {
  encryption: 'ehbp',
  isUsedBy: (call) => call.header(EHBP_HEADERS.encapsulatedKey) !== null,
  headersOf: (call) => {
    const key = call.header(EHBP_HEADERS.encapsulatedKey) ?? '';
    if (!isEhbpHeaderValue(key)) throw requestError('EHBP_KEY');
    return { [EHBP_HEADERS.encapsulatedKey]: key.toLowerCase() };
  },
  headersFault: 'EHBP_KEY',
  isBody: isFramed,
  bodyFault: 'EHBP_BODY',
  servable: (_model, besides) => besides,
  // A prompt has at most one token per byte.
  promptTokensMax: (bodyBytes, contextTokens) => Math.min(bodyBytes, contextTokens),
  estimatePrompt: estimateSealedPrompt,
  question: ({ work, model, body, contentType, headers }) =>
    Promise.resolve({
      upstream: model.upstream,
      request: {
        method: 'POST',
        path: work.path,
        body,
        headers: { 'content-type': contentType, ...headers, [USAGE_REQUEST_HEADER]: 'true' },
      },
    }),
  account: (_status, headers, { work, answerBytesMax }) => {
    const nonce = headers[EHBP_HEADERS.responseNonce];
    if (typeof nonce !== 'string' || !isEhbpHeaderValue(nonce)) return null;
    return work.type === 'embedding'
      ? new EhbpVectors(headers, nonce.toLowerCase(), answerBytesMax)
      : new EhbpAnswer(headers, nonce.toLowerCase());
  },
  mayAskAgain: () => false,
  refusal: (answer, { model }) => {
    if (answer.status < 400) return answeredInTheClear();
    if (answer.status !== KEY_CONFIG_STATUS || !isKeyProblem(answer.body)) return refusedError(answer, model.upstream);
    return apiError('EHBP_KEY_CONFIG', {
      fields: { type: EHBP_KEY_PROBLEM, title: 'key configuration mismatch' },
      headers: { 'content-type': 'application/problem+json' },
    });
  },
};

class EhbpAnswer implements SealedAccount {
  readonly headers: SealedHeaders;
  usage: ToldUsage | null;
  readonly hasFailed = false;
  readonly isInTheClear = false;
  protected readonly frames = new FrameAccount();
  readonly #isStream: boolean;

  constructor(headers: UpstreamAnswer['headers'], nonce: string) {
    const contentType =
      typeof headers['content-type'] === 'string' ? headers['content-type'] : 'application/octet-stream';
    this.headers = { 'content-type': contentType, [EHBP_HEADERS.responseNonce]: nonce };
    this.#isStream = isEventStream(contentType);
    this.usage = readUsageMetrics(headers[USAGE_HEADER]);
  }

  push(bytes: Uint8Array): void {
    this.frames.push(bytes);
  }

  end(trailers: UpstreamAnswer['headers'] | undefined): void {
    this.usage = agreedUsage(this.usage, readUsageMetrics(trailers?.[USAGE_HEADER]));
  }

  get hasContent(): boolean {
    return this.frames.wholeFrames > 0;
  }

  get isWhole(): boolean {
    return this.frames.isWhole;
  }

  get estimatedTokens(): number {
    return this.frames.estimatedTokens;
  }

  isBeyond(completionTokensMax: number): boolean {
    return (
      (this.#isStream && this.frames.frames > completionTokensMax + FRAMES_BESIDE) ||
      this.frames.bytes > completionTokensMax * BYTES_PER_TOKEN_MAX + BYTES_BESIDE
    );
  }
}

/** Answer to a request for embeddings. It has no completion tokens, so only its bytes are limited. */
class EhbpVectors extends EhbpAnswer {
  constructor(
    headers: UpstreamAnswer['headers'],
    nonce: string,
    private readonly bytesMax: number,
  ) {
    super(headers, nonce);
  }

  override get estimatedTokens(): number {
    return 0;
  }

  override isBeyond(): boolean {
    return this.frames.bytes > this.bytesMax;
  }
}

function isKeyProblem(body: Buffer): boolean {
  try {
    return (JSON.parse(body.toString('utf8')) as { type?: unknown } | null)?.type === EHBP_KEY_PROBLEM;
  } catch {
    return false;
  }
}
