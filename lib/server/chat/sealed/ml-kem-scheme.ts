import { mayBeEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { estimateTokens } from '@/lib/protocol/chat/token-usage';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { ENVELOPE_BYTES, INSTANCE_HEADER, INVOKE_HEADERS, STREAM_HEADER } from '@/lib/protocol/e2ee/ml-kem/format';
import { isInstanceId } from '@/lib/protocol/e2ee/ml-kem/instances';
import { estimateSealedPrompt, StreamAccount } from '@/lib/protocol/e2ee/ml-kem/stream-account';
import { apiError, requestError } from '@/lib/protocol/errors';
import type { Call } from '../../http/call';
import { refusedError } from '../../upstreams/models/upstream-error';
import {
  answeredInTheClear,
  type PaidSealedChat,
  type SealedAccount,
  type SealedHeaders,
  type SealedScheme,
  type SealedUpstreamRequest,
} from './sealed-scheme';

const WHOLE = 'application/octet-stream';
const INSTANCE_PATH = '/v1/chat/completions';
const PIECES_BESIDE = 64;
/** Maximum bytes per token. The bytes include framing and base64. */
const BYTES_PER_TOKEN_MAX = 1_536;
const BYTES_BESIDE = 65_536;
/** Status with which the control server refuses a used or expired nonce. */
const NONCE_STATUS = 403;
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * End-to-end encryption with ML-KEM-768 to one instance, as Chutes uses it. Chutes' control server issues nonces, and
 * for each nonce relays one request to the instance that the request's header identifies. The instance determines the
 * model. Prompts may be compressed, so the gateway reserves the full context.
 */
export const mlKemScheme: SealedScheme = {
  encryption: 'ml-kem-768',
  isUsedBy: (call) => instanceOf(call) !== null,
  headersOf: (call) => {
    const [instance, stream] = [instanceOf(call) ?? '', call.header(STREAM_HEADER) ?? 'false'];
    if (!isInstanceId(instance) || !/^(?:true|false)$/.test(stream)) throw requestError('E2EE_INSTANCE');
    return { [INSTANCE_HEADER]: instance, [STREAM_HEADER]: stream };
  },
  headersFault: 'E2EE_INSTANCE',
  isBody: (body) => body.byteLength > ENVELOPE_BYTES,
  bodyFault: 'E2EE_BODY',
  servable: (model) => [model],
  promptTokensMax: (_bodyBytes, contextTokens) => contextTokens,
  estimatePrompt: estimateSealedPrompt,
  question,
  account: (status, headers, { headers: asked }) => {
    if (status !== 200) return null;
    const contentType = typeof headers['content-type'] === 'string' ? headers['content-type'] : '';
    if (asked[STREAM_HEADER] === 'true') return mayBeEventStream(contentType) ? new StreamedAnswer() : null;
    return contentType.startsWith(WHOLE) ? new WholeAnswer() : null;
  },
  mayAskAgain: ({ status }) => status === NONCE_STATUS,
  refusal: (answer, { model: { upstream } }) => {
    if (answer.status < 400) return answeredInTheClear();
    return GONE_STATUSES.has(answer.status) ? apiError('E2EE_INSTANCE_GONE') : refusedError(answer, upstream);
  },
};

/**
 * Returns the instance from the gateway's header or Chutes' header. If the two headers differ, returns an empty string,
 * which `headersOf` refuses.
 */
function instanceOf(call: Call): string | null {
  const [ours, theirs] = [call.header(INSTANCE_HEADER), call.header(INVOKE_HEADERS.instance)];
  if (ours !== null && theirs !== null && ours !== theirs) return '';
  return ours ?? theirs;
}

async function question({
  model: { controlId, upstream },
  headers,
  body,
  paid,
}: PaidSealedChat): Promise<SealedUpstreamRequest> {
  const { control, instances } = upstream;
  if (control === null || instances === null) throw apiError('MODEL_MISCONFIGURED');
  const instance = headers[INSTANCE_HEADER] as string;
  const nonce = await instances.take(controlId, instance, paid.call.whenGone);
  if (nonce === null) throw apiError('E2EE_INSTANCE_GONE');
  const own = {
    'content-type': WHOLE,
    [INVOKE_HEADERS.chute]: controlId,
    [INVOKE_HEADERS.instance]: instance,
    [INVOKE_HEADERS.nonce]: nonce,
    [INVOKE_HEADERS.stream]: headers[STREAM_HEADER] as string,
    [INVOKE_HEADERS.path]: INSTANCE_PATH,
  };
  return { upstream: control, request: { method: 'POST', path: '/e2e/invoke', body, headers: own } };
}

class StreamedAnswer implements SealedAccount {
  readonly headers: SealedHeaders = { 'content-type': 'text/event-stream' };
  readonly #account = new StreamAccount();

  get usage(): ToldUsage | null {
    return this.#account.usage && { ...this.#account.usage, model: null };
  }

  push(bytes: Uint8Array): void {
    this.#account.push(bytes);
  }

  end(): void {
    // `push` has already parsed every event.
  }

  get hasContent(): boolean {
    return this.#account.pieces > 0;
  }

  get isWhole(): boolean {
    return this.#account.isWhole;
  }

  get hasFailed(): boolean {
    return this.#account.hasFailed;
  }

  get isInTheClear(): boolean {
    return this.#account.isInTheClear;
  }

  get estimatedTokens(): number {
    return this.#account.estimatedTokens;
  }

  isBeyond(completionTokensMax: number): boolean {
    return (
      this.#account.pieces > completionTokensMax + PIECES_BESIDE ||
      this.#account.bytes > completionTokensMax * BYTES_PER_TOKEN_MAX + BYTES_BESIDE
    );
  }
}

/** Tracks a whole answer. It is one ciphertext, so its usage cannot be read. */
class WholeAnswer implements SealedAccount {
  readonly headers: SealedHeaders = { 'content-type': WHOLE };
  readonly usage = null;
  readonly hasFailed = false;
  readonly isInTheClear = false;
  #bytes = 0;

  push(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
  }

  end(): void {
    // A whole answer has no trailers.
  }

  get hasContent(): boolean {
    return this.#bytes > ENVELOPE_BYTES;
  }

  get isWhole(): boolean {
    return this.hasContent;
  }

  get estimatedTokens(): number {
    return Math.max(0, estimateTokens(this.#bytes - ENVELOPE_BYTES));
  }

  isBeyond(completionTokensMax: number): boolean {
    return this.#bytes > completionTokensMax * BYTES_PER_TOKEN_MAX + BYTES_BESIDE;
  }
}
