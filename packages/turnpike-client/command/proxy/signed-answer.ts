import { checkSignature, type Connection, PrivateChatError, type SignatureCheck } from '@/lib/client/private-chat';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { streamChunks } from '@/lib/client/stream-chunks';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { parsedRecord } from '@/lib/protocol/json-record';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';

/** Maximum size of an answer. All models' answers are smaller. */
const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024;
/** SSE comment sent in place of events without data, to keep the connection alive. */
const COMMENT = ':\n\n';

interface SignedRequest {
  connection: Connection;
  model: string;
  bodyText: string;
  attestedAddress: string;
  signal: AbortSignal | null;
  /** Delays before polling again for a missing signature. */
  retryDelaysMs?: readonly number[];
  /** Called with the signature check before the answer's end is released. */
  onSignature: (check: SignatureCheck) => void;
}

/**
 * Withholds a whole answer, or the last event of a stream, until the model's signature is verified. An invalid
 * signature rejects the promise of a whole answer, and ends a stream with an error.
 *
 * @throws {PrivateChatError} SIGNATURE_INVALID, SIGNATURE_MISSING, REPLY_TOO_LONG
 */
export async function signedAnswer(response: Response, request: SignedRequest): Promise<Response> {
  if (!response.ok) return response;
  const { headers } = response;
  const chunks = new BoundedChunks(response.body);
  if (isEventStream(headers.get('content-type'))) return new Response(signedStream(chunks, request), { headers });
  const bytes = new GrowingBytes();
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) bytes.append(chunk);
  const answer = bytes.bytes;
  await demandSignature(
    request,
    idOf(parsedRecord(new TextDecoder().decode(answer))),
    new ExchangeHash().update(answer),
  );
  return new Response(answer, { headers });
}

function signedStream(chunks: BoundedChunks, request: SignedRequest): ReadableStream<Uint8Array> {
  const answer = new AnswerEvents();
  const encoder = new TextEncoder();
  const parts = streamChunks(
    () => chunks.next(),
    () => answer.isOver,
  );
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let { value: chunk } = await parts.next(); chunk !== undefined; { value: chunk } = await parts.next()) {
          const passed = answer.push(chunk);
          if (passed !== '') return controller.enqueue(encoder.encode(passed));
        }
        await chunks.cancel();
        const last = answer.end();
        await demandSignature(request, answer.completionId, answer.hash);
        controller.enqueue(encoder.encode(last));
        controller.enqueue(answer.held.bytes);
        controller.close();
      } catch (error) {
        await chunks.cancel();
        throw error;
      }
    },
    cancel: () => chunks.cancel(),
  });
}

class BoundedChunks {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  #length = 0;

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#reader = body?.getReader() ?? null;
  }

  /** @returns null at the end @throws {PrivateChatError} REPLY_TOO_LONG; read errors */
  async next(): Promise<Uint8Array | null> {
    const { value } = (await this.#reader?.read()) ?? {};
    this.#length += value?.length ?? 0;
    if (this.#length > ANSWER_BYTES_MAX) {
      await this.cancel();
      throw new PrivateChatError('REPLY_TOO_LONG');
    }
    return value ?? null;
  }

  async cancel(): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
  }
}

/** Parses the events of an answer. Withholds the first event that may end the answer, and every event after it. */
class AnswerEvents {
  readonly hash = new ExchangeHash();
  readonly held = new GrowingBytes();
  completionId: string | null = null;
  /** True after `[DONE]`. */
  isOver = false;
  readonly #reader = new EventReader();
  readonly #encoder = new TextEncoder();

  push(chunk: Uint8Array): string {
    this.hash.update(chunk);
    return this.#passed(this.#reader.each(chunk));
  }

  /** @returns last events to relay @throws {PrivateChatError} REPLY_CUT if the answer ends within an event */
  end(): string {
    return this.#passed(this.#reader.end());
  }

  #passed(events: readonly (string | null)[]): string {
    let passed = '';
    for (const data of events) {
      const chunk = data === null ? null : parsedRecord(data);
      this.isOver ||= data !== null && isDone(data);
      this.completionId ??= idOf(chunk);
      const text = data === null ? COMMENT : `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
      if (this.held.length === 0 && (data === null || (chunk !== null && !saysWhyItEnds(data, chunk)))) passed += text;
      else this.held.append(this.#encoder.encode(text));
    }
    return passed;
  }
}

/** Matches a finish reason. Ignores case, because some decoders do. */
const FINISH_REASON = /"finish_reason"\s*:(?!\s*(?:null\b|""))/iu;

/**
 * Returns whether any parser could find a finish reason in a chunk. Also searches the raw text, because some parsers
 * take the first of two members with the same name.
 */
function saysWhyItEnds(data: string, chunk: Readonly<Record<string, unknown>>): boolean {
  return FINISH_REASON.test(data) || FINISH_REASON.test(JSON.stringify(chunk));
}

async function demandSignature(
  { connection, model, bodyText, attestedAddress, signal, retryDelaysMs, onSignature }: SignedRequest,
  completionId: string | null,
  responseHash: ExchangeHash,
): Promise<void> {
  const requestHash = new ExchangeHash().update(new TextEncoder().encode(bodyText)).hex();
  const check = await checkSignature({
    connection,
    model,
    attestedAddress,
    answer: { completionId, sent: { hash: requestHash }, received: { hash: responseHash.hex() } },
    ...(signal && { signal }),
    ...(retryDelaysMs && { retryDelaysMs }),
  });
  onSignature(check);
  if (check.outcome !== 'verified')
    throw new PrivateChatError(check.outcome === 'missing' ? 'SIGNATURE_MISSING' : 'SIGNATURE_INVALID', check.reason);
}

function idOf(json: Readonly<Record<string, unknown>> | null): string | null {
  const id = json?.['id'];
  return typeof id === 'string' && id !== '' ? id : null;
}
