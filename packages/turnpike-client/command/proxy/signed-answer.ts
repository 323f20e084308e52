import { checkSignature, type Connection, PrivateChatError, type SignatureCheck } from '@/lib/client/private-chat';
import { EventReader } from '@/lib/client/private-chat/event-stream';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';

/** No answer of a model is longer. */
const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024;
/** The end of a stream, at the beginning of a line. */
const END_OF_STREAM = /(?:^|\n)data: ?\[DONE\]/;

/** Who has to have signed an answer, to which request. */
export interface SignedRequest {
  connection: Connection;
  model: string;
  /** The body, as it was sent. */
  bodyText: string;
  attestedAddress: string;
  signal: AbortSignal | null;
  /** Hears what the signature is worth, before anybody relies on it. */
  onSignature: (check: SignatureCheck) => void;
}

/**
 * The answer of a model in an enclave, once its signature holds: a whole one is handed on after that, a stream as it
 * comes, but its end. Where the signature does not hold there is no answer, or the stream breaks with an error.
 * @throws {PrivateChatError} SIGNATURE_INVALID, SIGNATURE_MISSING, REPLY_TOO_LONG
 */
export async function signedAnswer(response: Response, request: SignedRequest): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  if ((response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return new Response(signedStream(response.body, request), { headers: response.headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  await demandSignature(request, idOf(new TextDecoder().decode(bytes)), new ExchangeHash().update(bytes));
  return new Response(bytes, { headers: response.headers });
}

function signedStream(body: ReadableStream<Uint8Array>, request: SignedRequest): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const [hash, events] = [new ExchangeHash(), new EventReader()];
  const held: Uint8Array[] = [];
  let [length, completionId] = [0, null as string | null];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          await demandSignature(request, completionId, hash);
          for (const part of held) controller.enqueue(part);
          return controller.close();
        }
        length += value.length;
        if (length > ANSWER_BYTES_MAX) throw new PrivateChatError('REPLY_TOO_LONG');
        hash.update(value);
        for (const data of events.push(value)) completionId ??= idOf(data);
        const end = held.length > 0 ? 0 : endOf(value);
        if (end < 0) return controller.enqueue(value);
        held.push(value.subarray(end));
        if (end > 0) return controller.enqueue(value.subarray(0, end));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Where the last event begins; -1 where it does not. Whatever comes before it ends with an empty line of its own. */
function endOf(bytes: Uint8Array): number {
  const found = END_OF_STREAM.exec(Buffer.from(bytes).toString('latin1'));
  return found === null ? -1 : found.index + found[0].indexOf('data');
}

async function demandSignature({ connection, model, bodyText, attestedAddress, signal, onSignature }: SignedRequest, completionId: string | null, responseHash: ExchangeHash): Promise<void> {
  const requestHash = new ExchangeHash().update(new TextEncoder().encode(bodyText)).hex();
  const check = await checkSignature({ connection, model, attestedAddress, answer: { completionId, sent: { hash: requestHash }, received: { hash: responseHash.hex() } }, ...(signal && { signal }) });
  onSignature(check);
  if (check.outcome !== 'verified') throw new PrivateChatError(check.outcome === 'missing' ? 'SIGNATURE_MISSING' : 'SIGNATURE_INVALID', check.reason);
}

/** Of a completion, or of a part of one. */
function idOf(json: string): string | null {
  try {
    const { id } = JSON.parse(json) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
