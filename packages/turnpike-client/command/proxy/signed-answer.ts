import { checkSignature, type Connection, PrivateChatError, type SignatureCheck } from '@/lib/client/private-chat';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { streamChunks } from '@/lib/client/stream-chunks';
import { isDone } from '@/lib/protocol/chat/event-mark';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { parsedRecord } from '@/lib/protocol/json-record';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';

/** No answer of a model is longer. */
const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024;
/** Stands for events without data: what keeps a connection open goes on doing so. */
const COMMENT = ':\n\n';

/** Who has to have signed an answer, to which request. */
export interface SignedRequest {
  connection: Connection;
  model: string;
  /** The body, as it was sent. */
  bodyText: string;
  attestedAddress: string;
  signal: AbortSignal | null;
  /** Delays before asking again for a signature that is not there yet. */
  retryDelaysMs?: readonly number[];
  /** Hears what the signature is worth, before anybody relies on it. */
  onSignature: (check: SignatureCheck) => void;
}

/**
 * The answer of a model in an enclave. Nothing that a program could take for its end is in it before the signature
 * holds: a whole answer waits for that, and a stream from the first event on that says why it ends, or is no chunk at all.
 * Where the signature does not hold there is no answer, or the stream breaks with an error.
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

/**
 * What leaves a stream is written anew from what was read of it, every event in one form: another reader finds in it
 * what was found here, however the gateway wrote it.
 */
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

/** The chunks of a body, which is left at its bound. */
class BoundedChunks {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  #length = 0;

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#reader = body?.getReader() ?? null;
  }

  /** @returns null at the end @throws {PrivateChatError} REPLY_TOO_LONG; and what reading throws */
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

/** The events of an answer, of which those are held back that may end it, and all after them. */
class AnswerEvents {
  readonly hash = new ExchangeHash();
  readonly held = new GrowingBytes();
  completionId: string | null = null;
  /** Whether `[DONE]` came by. */
  isOver = false;
  readonly #reader = new EventReader();
  readonly #encoder = new TextEncoder();

  /** Takes the next bytes. @returns the events that may be passed on @throws {PrivateChatError} */
  push(chunk: Uint8Array): string {
    this.hash.update(chunk);
    return this.#passed(this.#reader.each(chunk));
  }

  /** Ends the stream. @returns what may be passed on still @throws {PrivateChatError} REPLY_CUT where an event is not whole */
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

/** A reason to end, in letters of either case, since decoders exist that do not tell them apart. */
const FINISH_REASON = /"finish_reason"\s*:(?!\s*(?:null\b|""))/iu;

/** Whether any reader could find a reason to end in a chunk: in its text, for one that takes the first of two names, and with its escapes resolved. */
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

/** Of a completion, or of a chunk of one. Azure's first chunk has an empty one. */
function idOf(json: Readonly<Record<string, unknown>> | null): string | null {
  const id = json?.['id'];
  return typeof id === 'string' && id !== '' ? id : null;
}
